"""How two claims, and two statements, relate."""
