"""Embedders: the bundled one, and those of providers."""
