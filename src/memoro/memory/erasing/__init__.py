"""What is looked for after an erasing, and what the receipt says of it."""

ERASED = "[erased]"
"""What stands in the place of a passage that was erased."""
