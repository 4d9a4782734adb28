"""Walk edit [walk]: any step length, lift, slope, stairs and curve from one captured walk."""
