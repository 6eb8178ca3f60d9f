"""Recall, as a command and for a program."""
