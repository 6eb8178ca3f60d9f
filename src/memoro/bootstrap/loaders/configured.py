"""What the tools' own settings files say about instruction files; only the person's are read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from memoro.bootstrap.files import read_text_file
from memoro.bootstrap.loaders.results import Config
from memoro.bootstrap.reading.source import named
from memoro.errors import MemoroError

if TYPE_CHECKING:
    from memoro.bootstrap.loaders.results import Homes

_MOST_BYTES = 1024 * 1024
_CLAUDE = ("claude-md-or-agents-md", "claude-md-and-agents-md", "claude-md", "managed-only")


def configured(homes: Homes) -> tuple[Config, tuple[str, ...]]:
    """Read the settings that change which files a tool loads; what can't be used is a warning.

    They are `project_doc_fallback_filenames`, `project_doc_max_bytes` and `project_root_markers`
    of Codex, `context.fileName` and `context.memoryBoundaryMarkers` of Gemini CLI, and the project
    instructions of Claude Code. A project's own settings are not read.

    Args:
        homes: the person's folders.
    """
    warnings: list[str] = []
    default = Config()
    codex = _read(homes.codex, "config.toml", warnings)
    gemini = _read(homes.gemini, "settings.json", warnings)
    claude = _read(homes.claude, "settings.json", warnings)
    context = _table(gemini, "context")
    plugin = _table(_table(claude, "pluginConfigs"), "agents-md@builtin")
    mode = _table(plugin, "options").get("instructionFiles")
    limit = codex.get("project_doc_max_bytes")
    names = context.get("fileName", gemini.get("contextFileName"))
    config = Config(
        mode if mode in _CLAUDE else default.claude_instructions,
        _names(codex.get("project_doc_fallback_filenames"), ()),
        limit if type(limit) is int and limit >= 0 else default.codex_max_bytes,
        _names(codex.get("project_root_markers"), default.codex_root_markers),
        _names(names, default.gemini_names),
        _names(context.get("memoryBoundaryMarkers"), default.gemini_root_markers),
    )
    return config, tuple(warnings)


def _read(home: str | None, name: str, warnings: list[str]) -> dict[str, object]:
    if home is None:
        return {}
    path = os.path.join(home, name)
    try:
        text = read_text_file(os.path.realpath(path), _MOST_BYTES, "the limit of a settings file")
        return {} if text is None else _parsed(text, name)
    except MemoroError as error:
        warnings.append(f"{error.what}; the tool's defaults are taken")
    except (ValueError, RecursionError) as error:
        line = str(error).split("\n", 1)[0]
        warnings.append(f"{named(path)} can't be understood ({line}); defaults are taken")
    return {}


def _parsed(text: str, name: str) -> dict[str, object]:
    if name.endswith(".toml"):
        import tomllib

        return tomllib.loads(text)
    import json

    found: object = json.loads(text)
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def _table(values: dict[str, object], key: str) -> dict[str, object]:
    found = values.get(key)
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def _names(value: object, default: tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list):
        return tuple(each for each in cast("list[object]", value) if isinstance(each, str))
    return default
