"""From the store into the folder: only what changed."""
