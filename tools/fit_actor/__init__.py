"""Fits the virtual actor's curves: averages over captured cycles of several people, as coefficients.

Every clip is brought onto the actor's figure, cut into cycles at the left foot's strikes (right ones are
mirrored), and sorted into families: walk, run, back, side, up, down. In each family every joint's turn away
from rest is a Fourier series of phase whose coefficients depend linearly on speed, turn rate and slope. What
is written are averages; no clip and no frame of one goes into the file.
"""
