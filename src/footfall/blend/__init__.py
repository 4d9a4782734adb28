"""Weights to poses: sums of quaternions, logarithms, posture arithmetic."""
