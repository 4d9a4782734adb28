"""Ways through a world: where one can walk, the shortest path there, and a new one when something moves."""
