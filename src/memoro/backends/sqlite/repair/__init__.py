"""A database that is missing, damaged or can't be written: found out, rebuilt, put in place."""
