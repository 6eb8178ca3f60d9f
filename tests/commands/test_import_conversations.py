"""`memoro import` of conversations: one change, found, and taken back as a whole."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from commands.here import Here
from interchange.test_archives import node, talk
from memoro import Memory
from memoro.app import App
from memoro.memory.records import GLOBAL
from memoro.session.transcript import NewRun, Session, StoredMessage

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def archive(path: Path, count: int, turns: int = 2, first: int = 0) -> Path:
    made: list[dict[str, Any]] = []
    for number in range(first, first + count):
        mapping = {
            f"n{at}": node(
                f"n{at - 1}" if at else None,
                "user" if at % 2 == 0 else "assistant",
                [f"zebra {number} says {at}"],
                1_700_000_000 + 100 * number + at,
            )
            for at in range(turns)
        }
        leaf = f"n{turns - 1}"
        made.append({**talk(mapping, leaf), "id": f"c{number}", "title": f"Talk {number}"})
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


@pytest.mark.requirement("M06", "Z03")
def test_conversations_come_once_are_found_and_go_again(here: Here, tmp_path: Path) -> None:
    path = archive(tmp_path / "conversations.json", 5)
    done = here.json("import", str(path))
    assert done["counts"]["conversation"]["new"] == 5
    assert done["turns"] == 10
    assert here.json("recall", "zebra 3 says 1")["hits"][0]["text"][:12] == "zebra 3 says"
    shown = here.json("chat", "list")
    assert [chat["title"] for chat in shown] == [f"Talk {n}" for n in (4, 3, 2, 1, 0)]
    assert shown[0]["updated_at"].startswith("2023-11-14")
    again = here.json("import", str(path))
    assert again["change"] is None
    assert again["counts"]["conversation"] == {
        "found": 5,
        "new": 0,
        "merged": 0,
        "known": 5,
        "left_out": 0,
    }
    log = here.json("memory", "log")
    assert [(one["action"], len(one["records"])) for one in log] == [("import", 5)]
    assert "conversation: 0 → 2 turns" in here.ok("memory", "log").out
    here.ok("memory", "undo")
    assert here.json("chat", "list") == []
    assert here.json("recall", "zebra")["hits"] == []
    refused = here("memory", "undo", "2")
    assert refused.code == 4
    assert "memoro import" in refused.err
    assert here.json("import", str(path))["counts"]["conversation"]["new"] == 5


@pytest.mark.requirement("M06")
def test_turns_that_were_added_since_come_too(here: Here, tmp_path: Path) -> None:
    here.ok("import", str(archive(tmp_path / "conversations.json", 2)))
    done = here.json("import", str(archive(tmp_path / "conversations.json", 3, turns=4)))
    assert done["counts"]["conversation"] == {
        "found": 3,
        "new": 3,
        "merged": 0,
        "known": 0,
        "left_out": 0,
    }
    assert done["turns"] == 8
    with Memory.open(here.home) as memory:
        assert len(memory.recall("zebra", k=50, gate=0, kinds={"turn"})) == 12


@pytest.mark.requirement("M06")
def test_a_rehearsal_keeps_nothing(here: Here, tmp_path: Path) -> None:
    path = archive(tmp_path / "conversations.json", 3)
    done = here.json("import", str(path), "--dry-run")
    assert done["counts"]["conversation"]["new"] == 3
    assert not (here.home / "memory.db").exists()


@pytest.mark.requirement("M06", "Z03")
def test_a_conversation_that_went_on_here_is_not_taken_back(here: Here, tmp_path: Path) -> None:
    here.ok("import", str(archive(tmp_path / "conversations.json", 2)))
    session = here.json("chat", "list")[0]["session"]
    app = App({"MEMORO_HOME": str(here.home)})
    said = StoredMessage("m_1", session, "r_1", "user", "and now here", NOW)
    whole = Session(session, "Talk", GLOBAL, NOW, NOW)
    app.services(writes=True).transcripts.start(
        NewRun("r_1", whole, "chat", "test:model", said, {}, NOW)
    )
    app.close()
    refused = here("memory", "undo")
    assert refused.code == 4
    assert session in refused.err
    assert len(here.json("chat", "list")) == 2


@pytest.mark.requirement("M06", "P14")
def test_an_import_that_was_killed_is_gone_on_with(here: Here, tmp_path: Path) -> None:
    path = archive(tmp_path / "conversations.json", 3_000, turns=4)
    process = here.process.start("import", str(path))
    found = 0
    while found == 0 and process.poll() is None:
        if (here.home / "memory.db").exists():
            found = len(here.json("chat", "list", "--limit", "1"))
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    with Memory.open(here.home) as memory:
        before = len(memory.recall("zebra", k=20_000, gate=0, kinds={"turn"}))
    assert before > 0
    done = here.json("import", str(path))
    kept = done["counts"]["conversation"]
    assert kept["new"] + kept["known"] == 3_000
    log = here.json("memory", "log")
    assert len({one["id"] for change in log for one in change["records"]}) == 3_000


@pytest.mark.requirement("M06")
def test_progress_is_no_part_of_what_is_printed(here: Here, tmp_path: Path) -> None:
    path = archive(tmp_path / "conversations.json", 600)
    ended = subprocess.run(
        here.process.command("import", str(path), "--json"),
        env=here.env,
        cwd=here.folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert json.loads(ended.stdout)["turns"] == 1_200
    assert ended.stderr == ""
