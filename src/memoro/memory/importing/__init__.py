"""Bringing in what another tool remembers: what is new comes, and nothing here gives way."""
