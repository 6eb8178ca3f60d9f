"""From bytes on disk to text that may stand in a prompt: guarded, decoded, scanned, cached."""
