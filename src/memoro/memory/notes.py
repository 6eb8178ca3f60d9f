"""Notes: longer documents, kept whole, read when asked for, never sent by themselves."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.records import NOTE, Record
from memoro.memory.saved import is_blank
from memoro.memory.store import Change, ChangeSet, Plan, Reader, Removal

MAX_TITLE_CHARACTERS = 200
MAX_NOTE_BYTES = 1024 * 1024
EXCERPT_CHARACTERS = 160


class Found(NamedTuple):
    """A note that a search found, with the line that shows why."""

    note: Record
    excerpt: str


def title(note: Record) -> str:
    """A note's title."""
    return str(note.data["title"])


def check_note(title: str, text: str) -> Refusal | None:
    """Refuse a blank title or text, a title of several lines, and what is over a limit."""
    if is_blank(title) or title != title.strip() or len(title.splitlines()) > 1:
        return Refusal(Reason.USAGE, "a note's title is one line of visible text")
    if len(title) > MAX_TITLE_CHARACTERS:
        return Refusal(
            Reason.TOO_LARGE,
            f"the title has {len(title)} characters; at most {MAX_TITLE_CHARACTERS} are allowed",
        )
    try:
        title.encode()
        size = len(text.encode())
    except UnicodeEncodeError:
        return Refusal(Reason.USAGE, "the note is not valid UTF-8 text")
    if "\0" in text or "\0" in title:
        return Refusal(Reason.USAGE, "the note holds a NUL character, which is not text")
    if is_blank(text):
        return Refusal(Reason.USAGE, "the note is empty", "give its text, or pipe it in")
    if size > MAX_NOTE_BYTES:
        return Refusal(
            Reason.TOO_LARGE,
            f"the note has {size:,} bytes; at most {MAX_NOTE_BYTES:,} are allowed",
        )
    return None


def add(note: Record) -> Plan:
    """Keep a new note."""
    refusal = check_note(title(note), note.text)
    return lambda _: refusal or ChangeSet("note add", [Change(None, note)])


def edit(
    note_id: str,
    data: Mapping[str, str],
    text: str | None,
    at: datetime,
    expected: int | None = None,
) -> Plan:
    """Change a note's title (`data["title"]`) or text; `expected` is the revision that was edited,
    and a note that has moved on since is refused."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        before = reader.get(note_id)
        if before is None or before.kind != NOTE.name:
            return missing(note_id)
        if expected is not None and before.revision != expected:
            return Refusal(
                Reason.CONFLICT,
                f"note {note_id} was changed by someone else meanwhile; nothing was changed",
                f"memoro note show {note_id}",
            )
        after = before._replace(
            text=before.text if text is None else text,
            data={**before.data, **data},
            updated_at=at,
            revision=before.revision + 1,
        )
        return check_note(title(after), after.text) or ChangeSet(
            "note edit", [Change(before, after)]
        )

    return plan


def remove(note_id: str) -> Plan:
    """Take a note away; the log keeps it, so that undo brings it back."""

    def plan(reader: Reader) -> ChangeSet | Refusal:
        before = reader.get(note_id)
        if before is None or before.kind != NOTE.name:
            return missing(note_id)
        return ChangeSet("note remove", [Change(before, None)])

    return plan


def erase(note_id: str) -> Plan:
    """Take a note out of every place for good, also one that was removed before."""

    def plan(reader: Reader) -> Removal | Refusal:
        note = reader.get(note_id) or _logged(reader, note_id)
        if note is None or note.kind != NOTE.name:
            return missing(note_id)
        return Removal("note erase", [note])

    return plan


def _logged(reader: Reader, note_id: str) -> Record | None:
    """The note as the log last knew it; None where it never did, or its content was erased."""
    logged = (
        one.after or one.before
        for change in reader.changes(record=note_id)
        for one in change.records
        if one.record_id == note_id
    )
    return next((note for note in logged if note is not None), None)


def missing(note_id: str) -> Refusal:
    """The refusal for an ID that no note has."""
    return Refusal(Reason.NOT_FOUND, f"there is no note {note_id}", "memoro note list")


def search(notes: Iterable[Record], query: str) -> list[Found]:
    """The notes that hold every word of the query, in any case and any normal form of Unicode,
    the newest first."""
    words = _folded(query).split()
    found = [
        Found(note, _excerpt(note, words)) for note in notes if words and _holds_all(note, words)
    ]
    return sorted(found, key=lambda one: (one.note.updated_at, one.note.id), reverse=True)


def _holds_all(note: Record, words: list[str]) -> bool:
    text = _folded(f"{title(note)}\n{note.text}")
    return all(word in text for word in words)


def _excerpt(note: Record, words: list[str]) -> str:
    lines = [line.strip() for line in note.text.splitlines() if line.strip()]
    line = next((line for line in lines if any(w in _folded(line) for w in words)), lines[0])
    if len(line) <= EXCERPT_CHARACTERS:
        return line
    # Folding can change lengths, so the place is near the word and not exact.
    places = [place for word in words if (place := _folded(line).find(word)) >= 0]
    start = max(0, min(places, default=0) - EXCERPT_CHARACTERS // 4)
    part = line[start : start + EXCERPT_CHARACTERS]
    end = start + len(part) < len(line)
    return ("…" if start else "") + part + ("…" if end else "")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
