"""From clauses to claims: what is said of whom."""
