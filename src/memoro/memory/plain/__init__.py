"""Records as plain text that a person reads, edits and carries away, and the way back."""
