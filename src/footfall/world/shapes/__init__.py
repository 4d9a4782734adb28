"""Solid shapes: what they are, where they stand, how far they are from each other and from the ground."""
