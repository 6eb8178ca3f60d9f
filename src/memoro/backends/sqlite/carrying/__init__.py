"""All that a store holds as lines of JSON, and back."""
