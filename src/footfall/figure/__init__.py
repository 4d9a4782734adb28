"""The figure: a skeleton and its roles, poses and motions of it, and what follows from them alone."""
