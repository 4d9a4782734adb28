"""Where examples meet in time: generic time, time warps, loops, support frames."""
