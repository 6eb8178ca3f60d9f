"""`memoro note`: longer documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoro.commands.forgetting import as_logged, carried_out
from memoro.commands.registry import (
    HUMANS,
    HUMANS_AND_MODELS,
    MODELS,
    PROJECT,
    Caller,
    Command,
    Done,
    Group,
    Param,
    Result,
    Table,
    Text,
    Tool,
)
from memoro.commands.scopes import named_scope, origin
from memoro.commands.services import Services
from memoro.errors import Reason, Refusal
from memoro.memory import notes
from memoro.memory.records import GLOBAL, NOTE, Record, in_scope
from memoro.memory.store import Plan

PART_BYTES = 16 * 1024
"""How much of a note a model is given at once; it asks on from where that ended."""


def note_data(note: Record, *, text: bool) -> dict[str, Any]:
    """A note for programs, with its text or without."""
    data: dict[str, Any] = {
        "id": note.id,
        "scope": note.scope,
        "title": notes.title(note),
        "bytes": len(note.text.encode()),
        "created_at": note.created_at,
        "updated_at": note.updated_at,
        "source_run": note.source_run,
    }
    return {**data, "text": note.text} if text else data


def add_note(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Keep a new note."""
    scope = named_scope(services, arguments, caller)
    if isinstance(scope, Refusal):
        return scope
    text = arguments.get("text")
    if text is None:
        return Refusal(Reason.USAGE, "a note needs text", "give it after the title, or pipe it in")
    masked = services.learned.mask(text)
    told = tuple(
        f"this note holds what looks like a {kind}" for kind in dict.fromkeys(masked.kinds)
    )
    if caller.surface == "tool":
        # What a model writes is kept without it; a person's own document stays as they wrote it.
        text = masked.text
    made_by = origin(services, caller)
    note = Record(
        services.new_id("n"),
        NOTE.name,
        scope,
        None,
        text,
        made_by.at,
        made_by.at,
        data={"title": arguments["title"]},
        source_run=caller.run,
        source_message=caller.message,
    )
    result = _changed(services, notes.add(note), caller, "Kept note")
    return result._replace(notices=(*result.notices, *told)) if told else result


def _changed(services: Services, plan: Plan, caller: Caller, word: str) -> Result:
    applied = services.store.apply(plan, origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    note = applied.records[0]
    return Done(
        {**note_data(note, text=False), "change": applied.change},
        Text(f"{word} {note.id}: {notes.title(note)}"),
    )


def list_notes(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show the notes of one scope, without their text."""
    scope = named_scope(services, arguments, caller)
    if isinstance(scope, Refusal):
        return scope
    # IDs say nothing to a person; the latest is what is looked for.
    found = sorted(
        services.store.select(NOTE.name, scope), key=lambda one: one.updated_at, reverse=True
    )
    rows = [
        (
            note.id,
            notes.title(note),
            f"{len(note.text.encode()):,}",
            services.show_time(note.updated_at),
        )
        for note in found
    ]
    empty = f"No notes{in_scope(scope)} yet. Keep one: memoro note add TITLE TEXT"
    return Done(
        [note_data(note, text=False) for note in found],
        Table(("id", "title", "bytes", "updated"), rows, empty),
    )


def show_note(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show one note: whole for a person, a part at a time for a model."""
    note = _find(services, arguments["id"], caller)
    if isinstance(note, Refusal):
        return note
    if caller.surface != "tool":
        return Done(note_data(note, text=True), Text(f"# {notes.title(note)}\n\n{note.text}"))
    start = arguments.get("offset") or 0
    content = note.text.encode()
    if not 0 <= start <= len(content):
        return Refusal(Reason.USAGE, f"offset must lie between 0 and {len(content)}")
    part = content[start : start + PART_BYTES].decode(errors="ignore")
    end = start + len(part.encode())
    rest = f"\n[bytes {start}-{end} of {len(content)}" + (
        f"; go on with offset {end}]" if end < len(content) else "; this is the end]"
    )
    return Done(note_data(note, text=True), Text(f"# {notes.title(note)}\n\n{part}{rest}"))


def search_notes(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Find the notes that hold every word."""
    scope = named_scope(services, arguments, caller)
    if isinstance(scope, Refusal):
        return scope
    query = arguments["query"]
    query = query if isinstance(query, str) else " ".join(query)
    found = notes.search(_visible(services, scope), query)
    return Done(
        [{**note_data(one.note, text=False), "excerpt": one.excerpt} for one in found],
        Table(
            ("id", "title", "excerpt"),
            [(one.note.id, notes.title(one.note), one.excerpt) for one in found],
            "No note holds all these words.",
        ),
    )


def edit_note(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Change a note: by the text that is given or piped in, else in the editor."""
    note = _find(services, arguments["id"], caller)
    if isinstance(note, Refusal):
        return note
    title, text = arguments.get("title"), arguments.get("text")
    typed = title is None and text is None
    if typed:
        text = services.terminal().edit(note.text)
        if text == note.text:
            return Done(note_data(note, text=False), Text("Nothing was changed."))
    data = {} if title is None else {"title": title}
    plan = notes.edit(note.id, data, text, services.now(), note.revision)
    result = _changed(services, plan, caller, "Changed note")
    if typed and text is not None and isinstance(result, Refusal):
        kept = services.terminal().keep(text)
        return result._replace(what=f"{result.what}; what you typed is in {kept}")
    return result


def remove_note(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Take a note away, so that undo brings it back; or for good."""
    note_id = arguments["id"]
    if arguments.get("final"):
        return _erase_note(services, note_id, arguments, caller)
    if arguments.get("verify"):
        return Refusal(
            Reason.USAGE,
            "a note that undo can bring back can't be looked for; nothing was changed",
            f"memoro note remove --final --verify {note_id}",
        )
    applied = services.store.apply(notes.remove(note_id), origin(services, caller))
    if isinstance(applied, Refusal):
        return applied
    return Done(
        {"id": note_id, "change": applied.change},
        Text(
            f"Removed note {note_id}. To bring it back: memoro memory undo {applied.change};"
            f" to erase it for good: memoro note remove --final {note_id}"
        ),
    )


def _erase_note(
    services: Services, note_id: str, arguments: Mapping[str, Any], caller: Caller
) -> Result:
    note = services.store.get(note_id)
    logged = services.store.changes(record=note_id) if note is None else []
    records = as_logged(logged, lambda one: one.record_id == note_id)
    return carried_out(
        services,
        arguments,
        caller,
        notes.erase(note_id),
        records if note is None else [note],
        (f"note {note_id}", {"id": note_id}),
    )


def _find(services: Services, note_id: str, caller: Caller) -> Record | Refusal:
    note = services.store.get(note_id)
    if note is None or note.kind != NOTE.name:
        return notes.missing(note_id)
    if caller.surface == "tool" and note.scope not in (GLOBAL, caller.scope):
        return notes.missing(note_id)
    return note


def _visible(services: Services, scope: str) -> list[Record]:
    """A project sees the global notes too."""
    found = services.store.select(NOTE.name, scope)
    return found if scope == GLOBAL else [*found, *services.store.select(NOTE.name, GLOBAL)]


_ID = Param("id", "the note's ID")
_TITLE = Param("title", "its title, one line")
_EVERYWHERE = HUMANS_AND_MODELS

GROUP = Group(
    "note",
    "longer documents, read when asked for",
    (
        Command(
            "note",
            "add",
            "keep a note",
            add_note,
            "write",
            (
                _TITLE,
                Param(
                    "text",
                    "its text; read from standard input where it is left out",
                    positional=True,
                    required=False,
                    piped=True,
                    surfaces=HUMANS,
                ),
                Param("text", "its text", surfaces=MODELS),
                PROJECT,
            ),
            _EVERYWHERE,
        ),
        Command("note", "list", "show the notes", list_notes, "read", (PROJECT,)),
        Command(
            "note",
            "show",
            "show one note",
            show_note,
            "read",
            (
                _ID,
                Param("offset", "the byte to start from", "int", required=False, surfaces=MODELS),
            ),
            _EVERYWHERE,
        ),
        Command(
            "note",
            "search",
            "find the notes that hold every word",
            search_notes,
            "read",
            (Param("query", "the words", many=True), PROJECT),
            _EVERYWHERE,
        ),
        Command(
            "note",
            "edit",
            "change a note, in the editor or by --text",
            edit_note,
            "write",
            (
                _ID,
                Param("title", "a new title", required=False, surfaces=HUMANS),
                Param(
                    "text",
                    "a new text; - reads it from standard input",
                    required=False,
                    surfaces=HUMANS,
                    piped=True,
                ),
            ),
        ),
        Command(
            "note",
            "remove",
            "take a note away",
            remove_note,
            "write",
            (
                _ID,
                Param(
                    "final",
                    "erase it from every place; undo can't bring it back",
                    "flag",
                    required=False,
                ),
                Param(
                    "verify",
                    "with --final: then search every file of ours for it, and give a receipt",
                    "flag",
                    required=False,
                ),
            ),
        ),
    ),
    tools=(Tool("notes", "longer documents, read when asked for", "notes"),),
)
