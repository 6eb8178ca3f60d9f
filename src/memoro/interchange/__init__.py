"""Memory that comes from other tools, and goes out: readers, archives, export."""
