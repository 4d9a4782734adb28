"""Foot plans: which footprints lead from here to there, for feet and for the body over them."""
