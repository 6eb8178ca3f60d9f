"""A conversation: what was said, what a model is given, and the one loop of a turn."""
