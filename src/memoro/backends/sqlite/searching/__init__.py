"""The search index: kept up with what is stored, made anew when needed, and asked."""
