"""Footfall: captured clips in, a character that walks where you say out."""
