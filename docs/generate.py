"""Writes the reference pages from the code, so that they can't say anything else.

`python docs/generate.py` writes them; with `--check` it ends with 1 where one is out of date.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from memoro import __version__
from memoro.commands import catalogue
from memoro.commands.prompting import TOOL_GROUPS
from memoro.commands.registry import Command, Group, Param, Tool
from memoro.commands.toolbox import exposed, render_tools
from memoro.errors import Reason
from memoro.prompts import prompt
from memoro.session.model import ToolSpec
from memoro.settings.declared import SETTINGS, Setting
from memoro.surfaces.cli.arguments import whole_parser
from memoro.surfaces.cli.rendering import EXIT_CODES

REFERENCE = Path(__file__).parent / "reference"
_HEAD = "<!-- Written by docs/generate.py from the code; change it there. -->"

_REASONS = {
    Reason.FAILED: (
        "failed",
        "Something is broken: a file, the disk, the store, the keyring. Also what `doctor` gives"
        " where a check is not in order.",
    ),
    Reason.USAGE: (
        "usage",
        "The command line, a key, a value or a setting is not as it has to be.",
    ),
    Reason.NOT_FOUND: ("not found", "No such key, note, session, project, setting or change."),
    Reason.CONFLICT: (
        "conflict",
        "The key exists already, the thing has changed meanwhile, or it is final.",
    ),
    Reason.LOCKED: ("locked", "Another process holds the store or the session. Try again."),
    Reason.MODEL: (
        "model or network",
        "No model is configured, or no usable answer came from it. What was said is kept.",
    ),
    Reason.TOO_LARGE: ("too large", "A limit or budget does not hold. Nothing is cut to fit."),
    Reason.CANCELLED: (
        "cancelled",
        "Ctrl-C or a signal ended it. A chat keeps what was said and done.",
    ),
}

_SURROUNDINGS = (
    ("MEMORO_HOME", "Memoro's folder; `~/.memoro` where it is not set"),
    (
        "MEMORO_NOW",
        "fixes the clock of one command, for example `2026-05-02T16:10:00Z`; for tests and reports",
    ),
    ("TZ", "the zone that times are shown in, and that a model is told"),
    (
        "OPENAI_API_KEY, ANTHROPIC_API_KEY, …",
        "a provider's key, its name in capitals; counts before the keyring",
    ),
    (
        "CODEX_HOME, CHATCLI_BOOTSTRAP_DIR",
        "where `memoro context files --as` looks for the global files of Codex and ChatCLI",
    ),
    ("VISUAL, EDITOR", "what `memoro note edit` opens"),
    ("NO_COLOR, TERM=dumb", "plain output on a terminal too"),
)


def pages() -> dict[str, str]:
    """Every page by its file name."""
    return {
        "commands.md": _page("Commands", _commands()),
        "settings.md": _page("Settings", _settings()),
        "model-tools.md": _page("The model's tools", _tools()),
        "exit-codes.md": _page("Exit codes", _exit_codes()),
    }


def _page(title: str, parts: Iterable[str]) -> str:
    return "\n\n".join([_HEAD, f"# {title}", *parts]) + "\n"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(_cell(text) for text in line)} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _code(text: str, language: str = "") -> str:
    return f"```{language}\n{text}\n```"


# Commands


def _commands() -> Iterator[str]:
    yield (
        "Every command also takes `--json` (the result as JSON), `-q` or `--quiet` (nothing but"
        " the result) and `-h` or `--help`. They stand after the command. Where a text starts"
        " with a dash, put `--` before it."
    )
    yield "## memoro"
    yield _table(("option", "what it does"), _whole_options())
    for group in catalogue.groups():
        yield f"## memoro {group.name}"
        yield _sentence(group.summary)
        for command in group.commands:
            if "cli" in command.surfaces:
                yield from _command(group, command)
    yield "## memoro completion"
    yield "Prints a completion script for `bash`, `zsh` or `fish`."
    yield _code("memoro completion SHELL")


def _whole_options() -> Iterator[tuple[str, str]]:
    for action in whole_parser((), __version__)._actions:
        if action.option_strings:
            name = f" {action.metavar}" if isinstance(action.metavar, str) else ""
            said = action.help or ""
            yield f"`{', '.join(action.option_strings)}{name}`", said


def _command(group: Group, command: Command) -> Iterator[str]:
    if command.name:
        yield f"### memoro {command.words}"
        yield _sentence(command.summary)
    yield _code(_usage(command))
    params = [one for one in command.params if "cli" in one.surfaces]
    if params:
        rows = [(f"`{_spelt(one)}`", _explained(one)) for one in params]
        yield _table(("argument", "what it is"), rows)
    effect = "Changes nothing." if command.effect == "read" else "Changes what is kept."
    offered = ""
    if "tool" in command.surfaces:
        tool = command.tool or group.tools[0].name
        offered = f" Also offered to a model, as `{command.name}` of the tool `{tool}`."
    yield effect + offered


def _usage(command: Command) -> str:
    words = ["memoro", *command.words.split()]
    for one in command.params:
        if "cli" in one.surfaces:
            spelt = _spelt(one) + (" …" if one.many else "")
            words.append(spelt if one.is_positional and one.required else f"[{spelt}]")
    return " ".join(words)


def _spelt(param: Param) -> str:
    if param.is_positional:
        return param.name.upper()
    option = "--" + param.name.replace("_", "-")
    return option if param.type == "flag" else f"{option} {param.metavar or param.name.upper()}"


def _explained(param: Param) -> str:
    return param.help + (f" ({', '.join(param.choices)})" if param.choices else "")


def _sentence(summary: str) -> str:
    return summary[0].upper() + summary[1:] + "."


# Settings


def _settings() -> Iterator[str]:
    yield (
        "A setting is taken from its variable, else from `config.toml` in Memoro's home, else its"
        " default. `memoro config set NAME VALUE` writes the file, `memoro config list` shows what"
        " counts and why. No file of the folder you are in is ever read for settings."
    )
    yield _table(
        ("name", "variable", "default", "takes", "what it is"),
        [
            (
                f"`{one.name}`",
                f"`{one.env}`",
                f"`{one.default}`" if one.default else "",
                _takes(one),
                one.help,
            )
            for one in SETTINGS
        ],
    )
    yield "## Variables only"
    yield _table(
        ("variable", "what it is"),
        [
            (", ".join(part if part == "…" else f"`{part}`" for part in names.split(", ")), said)
            for names, said in _SURROUNDINGS
        ],
    )


def _takes(setting: Setting) -> str:
    if setting.choices:
        return ", ".join(f"`{choice}`" for choice in setting.choices)
    return {
        "bytes": "a whole number above 0",
        "seconds": "whole seconds above 0",
        "list": "provider=URL, …",
        "names": "file names",
    }.get(setting.kind, "text")


# The model's tools


def _tools() -> Iterator[str]:
    yield (
        "A model that takes tools is offered the ones below, one for each group of commands. The"
        " arguments are checked again when a call is carried out. All are required; those that an"
        " action has no use for are `null`. A call's scope, run and message are set by Memoro and"
        " can't be supplied."
    )
    for group in TOOL_GROUPS:
        specs = {spec.name: spec for spec in render_tools(group, "full")}
        for tool in group.tools:
            yield from _tool(group, tool, specs[tool.name])


def _tool(group: Group, tool: Tool, spec: ToolSpec) -> Iterator[str]:
    yield f"## `{spec.name}`"
    yield spec.description
    readers = [f"`{command.name}`" for command in exposed(group, tool, "read-only")]
    yield (
        f"In a run that only reads: {', '.join(readers)}."
        if readers
        else "Not offered in a run that only reads."
    )
    yield "What the model is told of it:"
    yield _code(prompt(tool.help), "text")
    yield "The schema of its arguments:"
    yield _code(json.dumps(spec.schema, indent=2), "json")


# Exit codes


def _exit_codes() -> Iterator[str]:
    yield (
        "The result goes to standard output, whatever is said beside it to standard error. A"
        " refusal is one line on what happened, and where there is one, an indented line that gets"
        " further."
    )
    codes = sorted((code, *_REASONS[reason]) for reason, code in EXIT_CODES.items())
    yield _table(
        ("code", "meaning", "when"),
        [("0", "done", "")] + [(str(code), name, when) for code, name, when in codes],
    )


def outdated(write: Callable[[Path, str], object] | None = None) -> list[str]:
    """The pages that are not as the code has them, each given to `write`."""
    found: list[str] = []
    for name, text in pages().items():
        path = REFERENCE / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            found.append(name)
            if write is not None:
                write(path, text)
    return found


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say what is outdated")
    if not parser.parse_args().check:
        REFERENCE.mkdir(exist_ok=True)
        outdated(lambda path, text: path.write_text(text, encoding="utf-8"))
        return
    found = outdated()
    if found:
        sys.exit(f"out of date: {', '.join(found)}; run: make docs")


if __name__ == "__main__":
    main()
