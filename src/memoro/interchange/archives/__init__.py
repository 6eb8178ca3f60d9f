"""Conversations that were held with other assistants, as these export them."""
