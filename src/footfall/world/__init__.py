"""The world a figure moves in: the ground under it and the footprints it is to hit."""
