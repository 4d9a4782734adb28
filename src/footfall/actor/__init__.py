"""The virtual actor: footfall's own figure and what it can perform without any file."""
