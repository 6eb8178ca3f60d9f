"""Whether words that could be an expression of time are one where they stand."""
