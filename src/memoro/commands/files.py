"""`memoro context files`: which instruction files count here, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro.commands.prompting import own_files
from memoro.commands.registry import Caller, Done, Param, Result, Table, Text
from memoro.errors import MemoroError, Reason, Refusal
from memoro.session.context import estimated_tokens

if TYPE_CHECKING:
    from memoro.bootstrap.instructions import Instructions
    from memoro.bootstrap.loaded import LoadedFile
    from memoro.bootstrap.loaders.results import Difference, Loaded
    from memoro.bootstrap.personal import PersonalFiles
    from memoro.commands.services import Services

_RANKS = {name: rank for rank, name in enumerate(("AGENTS.md", "SOUL.md", "USER.md"))}
"""Where personal files stand among the others; those keep their order."""

TOOLS = ("claude-code", "codex", "gemini", "cursor", "chatcli")
FILE = Param(
    "file",
    "a file that the work is about, which switches its rules on; may be repeated",
    required=False,
    many=True,
    metavar="PATH",
)


def list_files(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show which files were loaded, from where, in which order, and what was left out."""
    in_play: Sequence[str] = arguments.get("file") or ()
    if arguments.get("explain") is not None and arguments.get("as") is not None:
        return Refusal(Reason.USAGE, "--explain and --as don't go together; ask one at a time")
    if arguments.get("explain") is not None:
        return _explained(services, arguments["explain"], in_play)
    if arguments.get("as") is not None:
        return _emulated(services, arguments["as"], in_play)
    found, personal, warnings = _loaded(services, in_play)
    files = [*personal, *(_file_data(file, found) for file in found.files)]
    files.sort(key=lambda one: _RANKS.get(one["block"], len(_RANKS)))
    for order, one in enumerate(files, 1):
        one["order"] = order
    used = sum(one["used_bytes"] for one in files)
    data = {
        "root": found.root,
        "files": files,
        "skipped": [one._asdict() for one in found.skipped],
        "warnings": list(warnings),
        "bytes": used,
        "tokens": estimated_tokens(used),
    }
    rows = [
        (
            str(one["order"]),
            one["name"],
            one["kind"],
            f"{one['used_bytes']:,}",
            f"{one['tokens']:,}",
            _note(one),
        )
        for one in files
    ]
    footer = "\n".join(
        [f"root {found.root} · {used:,} bytes · about {estimated_tokens(used):,} tokens"]
        + [f"left out: {one.path} ({one.why})" for one in found.skipped]
    )
    table = Table(
        ("#", "file", "kind", "bytes", "tokens", "note"),
        rows,
        "No instruction files here. Make one: memoro init",
        footer=footer if rows or found.skipped else "",
    )
    return Done(data, table, warnings)


def _loaded(
    services: Services, in_play: Sequence[str]
) -> tuple[Instructions, list[dict[str, Any]], tuple[str, ...]]:
    """What is loaded here; HOME's personal files apart, where they are not among it."""
    try:
        personal = services.personal()
    except MemoroError as error:
        told = f"{error.what}; {error.fix}" if error.fix else error.what
        found = services.instructions(in_play, {})
        return found, [], (told, *found.warnings)
    found = services.instructions(in_play, own_files(personal))
    return found, _apart(personal, found), (*personal.warnings, *found.warnings)


def _apart(personal: PersonalFiles, found: Instructions) -> list[dict[str, Any]]:
    taken = {block.name for block in found.blocks}
    parts = (
        ("SOUL.md", personal.paths.personality, personal.personality),
        ("USER.md", personal.paths.profile, personal.profile),
    )
    return [
        {
            "path": path,
            "name": path,
            "block": block,
            "kind": "personal",
            "bytes": len(text.encode()),
            "used_bytes": len(text.encode()),
            "cut_bytes": 0,
            "tokens": estimated_tokens(len(text.encode())),
            "importer": None,
            "imported_by": None,
            "imports": [],
            "patterns": [],
            "masked": [],
        }
        for block, path, text in parts
        if path is not None and text and block not in taken
    ]


def _file_data(file: LoadedFile, found: Instructions) -> dict[str, Any]:
    return {
        "path": file.path,
        "name": file.name,
        "block": file.block,
        "kind": file.kind,
        "bytes": file.size_bytes,
        "used_bytes": file.used_bytes,
        "cut_bytes": file.cut_bytes,
        "tokens": estimated_tokens(file.used_bytes),
        "importer": file.importer,
        "imported_by": next((one.name for one in found.files if one.path == file.importer), None),
        "imports": [one.path for one in found.files if one.importer == file.path],
        "patterns": list(file.patterns),
        "masked": [{"line": hit.line, "category": hit.category} for hit in file.hits],
    }


def _note(file: Mapping[str, Any]) -> str:
    notes = [
        f"imported by {file['imported_by']}" if file["imported_by"] else "",
        f"for {', '.join(file['patterns'])}" if file["patterns"] else "",
        f"{file['cut_bytes']:,} bytes cut" if file["cut_bytes"] else "",
        *(f"line {hit['line']} masked: {hit['category']}" for hit in file["masked"]),
    ]
    return "; ".join(note for note in notes if note)


def _explained(services: Services, path: str, in_play: Sequence[str]) -> Result:
    from memoro.bootstrap.explain import explain

    told = explain(path, services.places().folder, services.bootstrap(), in_play)
    if not told.loaded and told.path in _personal_paths(services, in_play):
        told = told._replace(loaded=True, why="a personal file")
    word = "loaded" if told.loaded else "not loaded"
    return Done(told._asdict(), Text(f"{told.path}: {word}: {told.why}"))


def _personal_paths(services: Services, in_play: Sequence[str]) -> set[str]:
    found, apart, _ = _loaded(services, in_play)
    used = {file.path for file in found.files if file.used_bytes}
    return used | {one["path"] for one in apart}


def _emulated(services: Services, tool: Any, in_play: Sequence[str]) -> Result:
    from memoro.bootstrap.loaders.configured import configured
    from memoro.bootstrap.loaders.differences import compare
    from memoro.bootstrap.loaders.emulation import emulate
    from memoro.bootstrap.loaders.results import Own

    folder, homes = services.places().folder, services.tool_homes()
    config, warnings = configured(homes)
    loaded = emulate(tool, folder, homes, in_play, config)
    found, _, _ = _loaded(services, in_play)
    own = [Own(file.path, file.used_bytes, file.cut_bytes) for file in found.files]
    differences = compare([loaded], own, folder, homes)
    data = {
        "tool": loaded.tool,
        "files": [one._asdict() for one in loaded.files],
        "cut": loaded.cut._asdict() if loaded.cut else None,
        "warnings": [*warnings, *loaded.warnings],
        "differences": [one._asdict() for one in differences],
    }
    return Done(data, _emulated_table(loaded, differences), (*warnings, *loaded.warnings))


def _emulated_table(loaded: Loaded, differences: Sequence[Difference]) -> Table:
    from memoro.bootstrap.loaders.results import TITLES

    rows = [
        (
            str(one.order),
            one.label,
            one.how,
            f"{one.bytes:,}",
            f"{one.kept_bytes:,}",
            one.note,
        )
        for one in loaded.files
    ]
    lines = [loaded.cut.text] if loaded.cut else []
    lines += [f"differs: {one.text}" for one in differences] or ["no difference from Memoro"]
    return Table(
        ("#", "file", "how", "bytes", "kept", "note"),
        rows,
        f"{TITLES[loaded.tool]} would load no instruction file here.",
        footer="\n".join(lines),
    )
