"""What the tests of erasing share."""

from __future__ import annotations

from pathlib import Path

from memoro.memory.erasing.needles import forms_of


def holders(home: Path, *texts: str) -> list[str]:
    """The files below a home that have any of these texts, in the forms of a text file or store."""
    forms = [form for text in texts for form in forms_of(text)]
    return [
        str(path)
        for path in home.rglob("*")
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]
