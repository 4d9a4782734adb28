"""Parameters to weights over examples: exchangeable schemes behind one call, and pseudo-examples for any of them."""
