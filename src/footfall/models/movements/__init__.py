"""The movement library: any kind of movement from annotated examples ([movements])."""
