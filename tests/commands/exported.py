"""Exports, and a memory with something of everything that one can hold."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from commands.here import Here
from memoro import Memory, Turn
from memoro.app import App
from memoro.backends.sqlite.embedding import note_cost
from memoro.backends.sqlite.store import SqliteStore
from memoro.backends.sqlite.transcripts import SqliteTranscripts
from memoro.session.model import Usage
from memoro.session.transcript import NewRun, Session, StoredMessage

NOON = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


def fill(here: Here) -> Here:
    """Fill a memory, with undone, replaced and forgotten ones among what it has."""
    here.ok("project", "add", "web", str(here.folder))
    for text in ("CI needs Go 1.23", "CI needs Go 1.24", "deploys run on Friday"):
        here.ok("memory", "learn", text)
    here.ok("memory", "remember", "answer.style", "short\nand — plain")
    here.ok("memory", "replace", "answer.style", "long")
    here.ok("memory", "undo")
    here.ok("memory", "remember", "zebra", "ZEBRA-9431")
    here.ok("memory", "forget", "zebra")
    here.ok("memory", "profile", "set", "name=Ana", "salary=EUR 91237")
    here.ok("memory", "episode", "fixed the deploy")
    here.ok("memory", "jot", "a quiet day")
    here.ok("note", "add", "Plan", "first\nsecond")
    fact = here.json("memory", "facts")[0]["id"]
    app = App({"MEMORO_HOME": str(here.home)})
    store = app.services(writes=True).store
    assert isinstance(store, SqliteStore)
    store.use([fact], NOON, None, "recall")
    chat(store, "s_0000000001", "what is the roof made of?", '{"action": "list"}')
    note_cost(store, NOON, "voyage:voyage-3.5", 120)
    app.close()
    with Memory.open(here.home) as memory:
        turns = [
            Turn("user", "the roof is green", NOON, speaker="Ana", ref="r1"),
            Turn("assistant", "so it is\x9b31m\u2028", NOON + timedelta(minutes=1)),
        ]
        memory.archive("roof", turns)
    return here


def chat(store: SqliteStore, session: str, question: str, arguments: str) -> None:
    """Keep a conversation of one question, with a call of a tool, and an answer."""
    transcripts, run = SqliteTranscripts(store), f"r_{session[2:]}"
    asked = StoredMessage(f"{run}.u", session, run, "user", question, NOON)
    told = Session(session, question[:40], "global", NOON, NOON)
    transcripts.start(NewRun(run, told, "chat", "openai:any", asked, {"base": 120}, NOON))
    row = transcripts.request_tool(run, "memory", arguments, NOON)
    transcripts.finish_tool(row, "done", "it was listed", NOON + timedelta(seconds=1))
    at = NOON + timedelta(seconds=2)
    answer = StoredMessage(f"{run}.a", session, run, "assistant", "of slate", at)
    transcripts.finish(run, "done", answer, Usage(120, 12, 0), None, at)


def lines(text: str) -> list[dict[str, Any]]:
    """What the lines say."""
    return [json.loads(line) for line in text.split("\n") if line]


def of_type(text: str, kind: str) -> list[dict[str, Any]]:
    """What the lines of one type say."""
    return [line for line in lines(text) if line.get("type") == kind]


def framed(text: str, first: str = '{"memoro": 2}') -> str:
    """Lines with a first one, and with a last one that is right for them."""
    whole = first + "\n" + text
    told = {
        "type": "end",
        "lines": whole.count("\n"),
        "sha256": hashlib.sha256(whole.encode()).hexdigest(),
    }
    return whole + json.dumps(told) + "\n"


def unframed(text: str) -> str:
    """The lines without the first and the last one."""
    return "".join(line + "\n" for line in text.split("\n")[1:-2])


def old_form(text: str) -> str:
    """The same export as version 1 of the form had it: the records of a change on its line, tool
    calls without a number, no last line."""
    made: list[dict[str, Any]] = [{**lines(text)[0], "memoro": 1}]
    changes: dict[int, dict[str, Any]] = {}
    for line in lines(unframed(text)):
        if line["type"] == "change_record":
            one = {name: value for name, value in line.items() if name not in ("type", "change")}
            changes[line["change"]]["records"].append(one)
        elif line["type"] == "change":
            changes[line["id"]] = {**line, "records": []}
            made.append(changes[line["id"]])
        elif line["type"] == "tool_call":
            made.append({name: value for name, value in line.items() if name != "id"})
        else:
            made.append(line)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in made)


EMPTY = framed("")
"""The export of a memory that has nothing."""
