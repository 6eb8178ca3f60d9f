"""What is remembered, and the rules it lives by.

Pure: no disk, no clock, no model, no environment.
"""
