"""Pictures of motion: figures along their path, with depth and ground, as strips and clips."""
