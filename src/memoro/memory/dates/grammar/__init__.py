"""Single expressions of time: their words, their patterns, and what they mean."""
