"""Looking up what a statement claims, one module for each kind of thing."""
