"""The systems: one folder per paper's method, each from clips to motion that carries its contacts."""
