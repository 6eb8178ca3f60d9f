"""What the assistant is told before the first word: instruction and personal files, workspace."""
