"""Motion files: one module per format, each turning bytes into plain values; `load` and `save` in front."""
