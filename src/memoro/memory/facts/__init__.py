"""Learned facts: what is known, how sure, since when, and what it replaced."""
