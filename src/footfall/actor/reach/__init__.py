"""Reaching: whole-body poses that put hands on targets, standing and sitting, and the way there and back."""
