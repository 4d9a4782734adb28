"""Arrays only: quaternions, ground-plane frames, easing, curves. Knows no skeleton and no file."""
