"""Commands that bring memory in and carry it out."""
