"""Parameters to weights: exchangeable schemes behind one call, and pseudo-examples for any of them."""
