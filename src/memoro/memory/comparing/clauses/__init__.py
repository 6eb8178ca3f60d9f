"""From words to clauses, and who does what in each."""
