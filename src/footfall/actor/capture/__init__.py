"""What a capture does to a motion: noise, slides, lost frames, tilted floors, other skeletons."""
