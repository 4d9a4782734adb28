"""The step space: a foot plan in, a motion that meets every footprint exactly out ([stepping])."""
