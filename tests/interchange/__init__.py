"""Tests of what comes from other tools, and goes out."""
