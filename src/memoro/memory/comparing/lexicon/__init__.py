"""What words mean for a comparison, language by language."""
