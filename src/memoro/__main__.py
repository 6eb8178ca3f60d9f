"""`python -m memoro`."""

from memoro.surfaces.cli import main

raise SystemExit(main())
