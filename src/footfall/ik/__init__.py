"""Inverse kinematics: from where a hand or foot is to be to how the joints must turn."""
