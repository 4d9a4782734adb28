"""Reaching by examples: hands brought anywhere by blends of captured reaches ([body] 5.1, 5.2)."""
