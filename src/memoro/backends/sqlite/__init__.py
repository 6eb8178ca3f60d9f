"""The store in one SQLite file, through apsw, which brings its own current SQLite."""
