"""The profile: who the user is, one record for each field and each item of a list."""
