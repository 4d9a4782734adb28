"""Scenes acted out: a character that goes, looks, takes, carries, puts down and sits, task by task."""
