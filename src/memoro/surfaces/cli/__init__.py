"""The command line: `memoro`."""

from memoro.surfaces.cli.main import main

__all__ = ["main"]
