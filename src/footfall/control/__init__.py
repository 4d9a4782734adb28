"""Controllers: what moves a character, one layer over the other."""
