"""What other assistants would load here, in which order, and where they disagree with Memoro."""
