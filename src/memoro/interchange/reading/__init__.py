"""What readers share: guarded access to files and folders, JSON piece by piece, values as they
should be."""
