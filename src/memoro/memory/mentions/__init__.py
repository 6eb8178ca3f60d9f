"""What a statement names that can be looked up: files, branches, versions, addresses."""
