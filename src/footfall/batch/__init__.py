"""Many at once."""
