"""What can be asked of Memoro: each command is declared once and rendered by every surface."""
