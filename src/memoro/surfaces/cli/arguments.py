"""The command line's grammar, built from the declared commands."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any, NoReturn

from memoro.commands.registry import Command, Group, Param
from memoro.surfaces.cli.rendering import safe, say

SHELLS = ("bash", "zsh", "fish")
DESCRIPTION = (
    "A terminal assistant that remembers, and whose memory you can read, correct and trust."
)


class Parser(argparse.ArgumentParser):
    """argparse, whose errors end in the one line that gets further."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=_Help, allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and end with the code for usage errors."""
        say(f"memoro: {safe(message)}\n  try: {self.prog} --help")
        self.exit(2)


class _Help(argparse.HelpFormatter):
    """argparse's own help; it is also made for every argument, and looks up the terminal's width
    by loading modules that nothing else needs."""

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            width = 0
        # A terminal that was never told its size says 0.
        super().__init__(prog, width=(width or 100) - 2)


def one_verb(group: Group, words: Sequence[str]) -> list[str]:
    """The words with the command's name as one of them: some names have two ("profile set"), and a
    day is the argument of the command that shows one."""
    first = words[1] if len(words) > 1 else ""
    names = {command.name for command in group.commands}
    if len(words) > 2 and f"{first} {words[2]}" in names:
        return [words[0], f"{first} {words[2]}", *words[3:]]
    if group.dated and first not in names and (first[:1].isdigit() or " " in first):
        return [words[0], group.dated, *words[1:]]
    return list(words)


def group_parser(group: Group, words: Sequence[str]) -> Parser:
    """The grammar of what was typed: of one command, or of its group where that is not one."""
    parser = Parser(prog="memoro")
    verb = words[1] if len(words) > 1 else ""
    typed = tuple(command for command in group.commands if command.name == verb)
    # Without a name to use, argparse loads more to work one out.
    under = parser.add_subparsers(parser_class=Parser, prog="memoro")
    _add_group(under, group._replace(commands=typed or group.commands))
    return parser


def whole_parser(groups: Sequence[Group], version: str) -> Parser:
    """The grammar of everything, for help, completion, and the one-shot prompt."""
    parser = Parser(prog="memoro", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"memoro {version}")
    parser.add_argument(
        "-p", "--prompt", metavar="TEXT", help="answer one message; standard input is appended"
    )
    parser.add_argument("--project", metavar="NAME", help="with -p: the project it belongs to")
    parser.add_argument(
        "--no-project", action="store_true", help="with -p: leave the folder's project out"
    )
    _add_output(parser)
    under = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    for group in groups:
        _add_group(under, group)
    completion = under.add_parser("completion", help="print a completion script for your shell")
    completion.add_argument("shell", choices=SHELLS)
    return parser


def _add_group(under: Any, group: Group) -> None:
    commands = [one for one in group.commands if "cli" in one.surfaces]
    parser = under.add_parser(group.name, help=group.summary, description=group.summary)
    if [one.name for one in commands] == [""]:
        _add_command(parser, commands[0])
        return
    parser.set_defaults(help_of=parser)
    prog = f"memoro {group.name}"
    verbs = parser.add_subparsers(metavar="COMMAND", parser_class=Parser, prog=prog)
    for command in commands:
        verb = verbs.add_parser(command.name, help=command.summary, description=command.summary)
        _add_command(verb, command)


def _add_command(parser: argparse.ArgumentParser, command: Command) -> None:
    for param in command.params:
        if "cli" in param.surfaces:
            _add_param(parser, param)
    _add_output(parser)
    parser.set_defaults(command=command)


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but the result")


def _add_param(parser: argparse.ArgumentParser, param: Param) -> None:
    options: dict[str, Any] = {"help": param.help}
    if param.type == "flag":
        parser.add_argument(f"--{param.name.replace('_', '-')}", action="store_true", **options)
        return
    if param.type == "int":
        options["type"] = int
    if param.choices:
        options["choices"] = param.choices
    if param.is_positional:
        one, many = (None, "+") if param.required else ("?", "*")
        nargs = many if param.many else one
        parser.add_argument(
            param.name, metavar=param.metavar or param.name.upper(), nargs=nargs, **options
        )
    else:
        if param.many:
            options["action"] = "append"
        dashes = "-" if len(param.name) == 1 else "--"
        name = f"{dashes}{param.name.replace('_', '-')}"
        parser.add_argument(name, metavar=param.metavar or param.name.upper(), **options)
