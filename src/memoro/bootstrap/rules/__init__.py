"""Rules: small instruction files, each always active or only for some paths."""
