"""The locomotion space: speed, turn rate and side speed in, a cycle of steps out ([body] 4)."""
