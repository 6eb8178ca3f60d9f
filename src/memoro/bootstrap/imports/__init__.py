"""Lines that name another file, and the text that then stands in their place."""
