"""Ground made up from a seed: hills, ramps, stairs and rubble that a walker of given limits can cross."""
