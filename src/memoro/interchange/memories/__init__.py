"""Readers of what other assistants remember."""
