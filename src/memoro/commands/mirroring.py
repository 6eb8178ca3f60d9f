"""`memoro memory mirror|merge|edit`: the plain files beside the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.ports import Unreadable
from memoro.commands.registry import Caller, Done, Result, Text
from memoro.commands.scopes import find_project
from memoro.errors import Reason, Refusal
from memoro.memory.plain.form import line_of
from memoro.memory.plain.listing import text_of
from memoro.memory.records import Record, project_scope, shown

if TYPE_CHECKING:
    from memoro.commands.ports import MergedFiles, Mirroring
    from memoro.commands.services import Services

_FACTS = "facts"


def write_files(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Bring the plain files up to the last change."""
    mirroring = services.mirroring
    done = mirroring.write(services.store, bool(arguments.get("all")))
    size = sum(done.files.values())
    count = len(done.files)
    if count:
        files = "file" if count == 1 else "files"
        told = f"{done.folder}: {count:,} {files} written, {size:,} bytes."
    else:
        told = f"{done.folder} is {'' if done.ok else 'not '}up to date."
    data = {"folder": done.folder, "files": dict(done.files), "bytes": size, "ok": done.ok}
    return Done(data, Text(told), done.told, ok=done.ok)


def merge_files(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Take what a person changed in the plain files, or in files that lie anywhere."""
    mirroring, store = services.mirroring, services.store
    paths: Sequence[str] = arguments.get("file") or ()
    merged = mirroring.merge(store, None if arguments.get("allow_deletions") else ())
    if paths:
        copies = mirroring.merge_copies(store, paths)
        return _merged(copies._replace(told=(*merged.told, *copies.told)))
    if not merged.waiting:
        return _merged(merged)
    answer = services.terminal().confirm(_question(merged))
    if answer is None:
        return _unasked(merged)
    if not answer:
        told = (*merged.told, "nothing was deleted; the files stay as they were edited")
        return _merged(merged._replace(told=told))
    # What was added and changed is merged by now.
    deleted = mirroring.merge(store, [file for file, _, _ in merged.waiting])
    return _merged(deleted._replace(told=(*merged.told, *deleted.told)))


def edit_records(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Open the records of a kind in the editor, a line each, and take what was changed."""
    mirroring, store = services.mirroring, services.store
    name = arguments.get("kind") or _FACTS
    kinds = mirroring.kinds().get(name)
    if kinds is None:
        known = ", ".join(mirroring.kinds())
        return Refusal(Reason.USAGE, f"there is no kind {shown(name)}", f"one of: {known}")
    scopes = _scopes(services, arguments.get("project"))
    if isinstance(scopes, Refusal):
        return scopes
    before = mirroring.merge(store, ())
    records = [one for kind in kinds for one in store.select(kind)]
    if scopes is not None:
        records = [one for one in records if one.scope in scopes]
    records = _newest_first(records)
    text = text_of([line_of(one, counters=False) for one in records])
    edited = services.terminal().edit(text, f"{name}.json")
    if edited == text:
        return Done({"change": None}, Text("Nothing was changed."), before.told)
    result = _taken(services, mirroring, records, edited, f"{name}.json")
    return result._replace(notices=(*before.told, *result.notices))


def _taken(
    services: Services, mirroring: Mirroring, records: Sequence[Record], text: str, name: str
) -> Result:
    store = services.store
    merged = mirroring.merge_text(store, records, text, name, False)
    if isinstance(merged, Unreadable):
        kept = services.terminal().keep(text, name)
        return Refusal(
            Reason.USAGE,
            f"line {merged.line}, column {merged.column}: {merged.what}; nothing was changed, and"
            f" what you typed is in {kept}",
            f"mend it, then: memoro memory merge {kept}",
        )
    if merged.waiting:
        _, count, of = merged.waiting[0]
        question = f"{count:,} of {of:,} records are deleted in what you saved. Delete them?"
        if services.terminal().confirm(question):
            deleted = mirroring.merge_text(store, records, text, name, True)
            assert not isinstance(deleted, Unreadable), "it was read before"
            merged = deleted._replace(told=(*merged.told, *deleted.told))
        else:
            told = (*merged.told, f"none of the {count:,} records was deleted")
            merged = merged._replace(told=told)
    if not merged.ok:
        kept = services.terminal().keep(text, name)
        merged = merged._replace(told=(*merged.told, f"what you typed is in {kept}"))
    return _merged(merged)


def _merged(merged: MergedFiles) -> Done:
    counts = (len(merged.added), len(merged.changed), len(merged.deleted))
    if merged.change is None:
        view = "Nothing to merge: the files change no record."
    else:
        words = [f"{n:,} {word}" for n, word in zip(counts, _WORDS, strict=True) if n]
        view = f"Merged: {', '.join(words)}. To take it back: memoro memory undo {merged.change}"
    data = {
        "change": merged.change,
        "added": list(merged.added),
        "changed": list(merged.changed),
        "deleted": list(merged.deleted),
        "waiting": [dict(zip(_WAITING, one, strict=True)) for one in merged.waiting],
        "ok": merged.ok,
    }
    return Done(data, Text(view), merged.told, ok=merged.ok)


_WORDS = ("added", "changed", "deleted")
_WAITING = ("file", "deleted", "of")


def _question(merged: MergedFiles) -> str:
    lines = [
        f"{file}: {count:,} of {of:,} records are deleted" for file, count, of in merged.waiting
    ]
    return "\n".join([*lines, "Delete them here too?"])


def _unasked(merged: MergedFiles) -> Refusal:
    told = "; ".join(f"{file}: {count:,} of {of:,}" for file, count, of in merged.waiting)
    return Refusal(
        Reason.CONFLICT,
        f"many records were deleted at once ({told}); none was deleted",
        "if that was meant: memoro memory merge --allow-deletions",
        merged.told,
    )


def _scopes(services: Services, project: str | None) -> set[str] | Refusal | None:
    """The scopes of a project's memory; None: all."""
    if project is None:
        return None
    if find_project(services, project) is None:
        from memoro.memory.projects import missing

        return missing(project)
    from memoro.commands.learned.ground import project_ground

    return {project_scope(project), project_ground(services, project)}


def _newest_first(records: Sequence[Record]) -> list[Record]:
    by_id = sorted(records, key=lambda one: one.id)
    return sorted(by_id, key=lambda one: one.created_at, reverse=True)
