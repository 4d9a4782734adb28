"""Stepping, walking, running and jumping: feet first and exactly, then the body that balances over them."""
