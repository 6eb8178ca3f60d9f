"""What other tools remember, brought in by a Python program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memoro import Memory, Reason, RefusedError


@pytest.mark.requirement("M06", "Z03")
def test_a_file_is_rehearsed_imported_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    path.write_text(json.dumps({"tone": "brief", "editor": "vim"}), encoding="utf-8")
    with Memory.open(tmp_path / "home") as memory:
        memory.remember("editor", "emacs")
        assert memory.import_from(path, dry_run=True)["new"] == 1
        assert [one.key for one in memory.facts()] == ["editor"]
        done = memory.import_from(str(path))
        assert (done["kind"], done["new"], len(done["left_out"])) == ("key-value", 1, 1)
        assert {one.key: one.text for one in memory.facts()} == {"tone": "brief", "editor": "emacs"}
        assert memory.log()[0].action == "import" and memory.log()[0].writer == "library"
        assert memory.import_from(path)["change"] is None
        memory.undo()
        assert [one.key for one in memory.facts()] == ["editor"]


@pytest.mark.requirement("M06")
def test_what_can_not_be_imported_is_raised(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "home") as memory:
        for path, kind, reason in (
            ("nothing", None, Reason.NOT_FOUND),
            (tmp_path, "rumours", Reason.USAGE),
            (tmp_path / "home", None, Reason.USAGE),
        ):
            with pytest.raises(RefusedError) as raised:
                memory.import_from(path, kind=kind)
            assert raised.value.refusal.reason is reason
        assert memory.log() == []
