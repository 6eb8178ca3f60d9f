"""From tokens to words, in their language."""
