"""What is looked for after an erasing, and what the receipt says of it."""
