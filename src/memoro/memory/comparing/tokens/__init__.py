"""From the text of a statement to its tokens."""
