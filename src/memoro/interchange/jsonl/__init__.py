"""Our own export: JSON Lines, all that a store holds."""
