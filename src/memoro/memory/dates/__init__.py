"""Expressions of time, in English and Portuguese, and the days that they mean."""
