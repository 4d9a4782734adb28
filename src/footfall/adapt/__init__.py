"""Changing a motion: clean contacts, level the floor, retarget, normalize."""
