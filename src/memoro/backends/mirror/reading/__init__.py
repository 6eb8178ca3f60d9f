"""From the folder into the store: what a person changed, and what a store has lost."""
