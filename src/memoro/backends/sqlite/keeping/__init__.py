"""What is kept beside the database, and what must not be: backups, and the traces of forgetting."""
