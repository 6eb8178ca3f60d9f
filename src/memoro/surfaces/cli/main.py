"""Reads the command line, calls the command, prints what came of it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memoro import __version__
from memoro.app import App
from memoro.commands import catalogue
from memoro.commands.registry import Caller, Command, Result
from memoro.errors import (
    MemoroError,
    Reason,
    Refusal,
    StoreDamagedError,
    TooLargeError,
    UsageError,
)
from memoro.memory.records import shown
from memoro.settings import process_environment
from memoro.surfaces.cli.arguments import group_parser, one_verb, whole_parser
from memoro.surfaces.cli.rendering import Output, say, silence

if TYPE_CHECKING:
    import argparse

MAX_PIPED_BYTES = 16 * 1024 * 1024


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; gives the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_streams()
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read our output has had enough.
        silence(sys.stdout)
        return 0
    except KeyboardInterrupt:
        say("memoro: interrupted")
        return 130
    except OSError as error:
        what = "the output can't be written" if error.filename is None else error.filename
        say(f"memoro: {what}: {error.strerror or error}")
        silence(sys.stdout)
        return 1


def _open_streams() -> None:
    """Make the three streams usable, whatever we were started with."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            # Else the next file that is opened, the store perhaps, would be taken for the stream.
            # Standard output is one that can't be written, so that a result which nobody gets
            # is reported, as on a full disk; talk need not be heard.
            found = os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
            if found != number:
                os.dup2(found, number)
                os.close(found)
            os.set_inheritable(number, True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _run(words: Sequence[str]) -> int:
    group = catalogue.group(words[0], "".join(words[1:2])) if words else None
    if group is not None:
        words = one_verb(group, words)
        parser = group_parser(group, words)
    else:
        parser = whole_parser(catalogue.groups(), __version__)
    try:
        parsed = parser.parse_args(words)
        if group is None and "command" in parsed:
            parser.error("options stand after the command, as in: memoro memory list --json")
    except SystemExit as end:
        # argparse ends by itself after help and errors.
        return int(end.code or 0)
    if "shell" in parsed:
        return _print_completion(parser, parsed.shell)
    if group is None:
        if parsed.prompt is None:
            parser.print_help(sys.stderr if words else sys.stdout)
            return 2 if words else 0
        parsed.command, parsed.message = _one_shot(), parsed.prompt
    if "command" not in parsed:
        parsed.help_of.print_help(sys.stderr)
        return 2
    return _carry_out(parsed)


def _one_shot() -> Command:
    group = catalogue.group("chat")
    assert group is not None, "chat is in the catalogue"
    return next(command for command in group.commands if command.name == "new")


def _carry_out(parsed: argparse.Namespace) -> int:
    output = Output(as_json=parsed.json, quiet=parsed.quiet, plain=False)
    app, told = None, 0
    try:
        app = App(process_environment())
        output.styled = output.styled and not app.settings.plain()
        arguments = _arguments(parsed)
        result = _result(app, parsed.command, arguments, output)
        told = _tell(app, output, 0)
        if isinstance(result, Refusal):
            return output.refused(result)
        return output.done(result, parsed.command.effect)
    except MemoroError as error:
        if app is not None:
            told = _tell(app, output, told)
        return output.refused(error)
    finally:
        if app is not None:
            _close(app, output, told)


def _tell(app: App, output: Output, told: int) -> int:
    """Tell what has not been told; gives how much has been then."""
    # The plain files are written behind: there may be more to tell at any time.
    notices = app.notices[told:]
    output.notices(tuple(notices))
    return told + len(notices)


def _result(app: App, command: Command, arguments: Mapping[str, Any], output: Output) -> Result:
    caller = Caller("cli", on_text=output.stream())
    writes = command.effect == "write"
    result: Result | Awaitable[Result] | None = None
    try:
        result = command.handler(app.services(writes=writes), arguments, caller)
        return _awaited(result) if isinstance(result, Awaitable) else result
    except StoreDamagedError as damage:
        app.mend(damage)
        if result is not None:
            # A chat may have sent its message and made changes: it is never replayed by itself.
            damage.fix = "the store has been mended; see what is kept: memoro chat list"
            raise
    # What met the damage committed nothing, so it is safe to carry out.
    result = command.handler(app.services(writes=writes), arguments, caller)
    assert not isinstance(result, Awaitable), "only a finished call comes here"
    return result


def _awaited(result: Awaitable[Result]) -> Result:
    import asyncio
    import signal

    async def cancellable() -> Result:
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGHUP):
            # Under nohup a hang-up is ignored, and has to stay so.
            if signal.getsignal(name) is not signal.SIG_IGN:
                loop.add_signal_handler(name, task.cancel)
        return await result

    try:
        return asyncio.run(cancellable())
    except asyncio.CancelledError:
        return Refusal(Reason.CANCELLED, "cancelled")


def _arguments(parsed: argparse.Namespace) -> dict[str, Any]:
    command: Command = parsed.command
    arguments: dict[str, Any] = {}
    for param in command.params:
        if "cli" not in param.surfaces:
            continue
        value = getattr(parsed, param.name, None)
        if isinstance(value, list) and not param.many:
            # What argparse makes of a word that is "--".
            raise UsageError(f"{param.name.upper()} is missing")
        if param.piped and value == "-":
            value = _piped() or ""
        elif param.piped and value is None and param.is_positional and not sys.stdin.isatty():
            value = _piped()
        _check_text(param.name, value)
        arguments[param.name] = value
    if getattr(parsed, "prompt", None) not in (None, "-") and not sys.stdin.isatty():
        parts = [part for part in (parsed.prompt, _piped()) if part]
        arguments["message"] = "\n\n".join(parts)
    return arguments


def _check_text(name: str, value: str | Sequence[str] | int | None) -> None:
    """Refuse words that are not in the terminal's encoding: neither store nor file takes them."""
    words = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise UsageError(f"{name.upper()} is not valid UTF-8 text: {shown(word)}") from error


def _piped() -> str | None:
    """What was piped in; None where it is nothing."""
    raw = sys.stdin.buffer.read(MAX_PIPED_BYTES + 1)
    if len(raw) > MAX_PIPED_BYTES:
        raise TooLargeError(f"standard input has more than {MAX_PIPED_BYTES:,} bytes")
    try:
        return raw.decode() or None
    except UnicodeDecodeError as error:
        raise UsageError(f"standard input is not UTF-8 text (byte {error.start})") from error


def _print_completion(parser: argparse.ArgumentParser, shell: str) -> int:
    import shtab

    print(shtab.complete(parser, shell))
    return 0


def _close(app: App, output: Output, told: int) -> None:
    try:
        sys.stdout.flush()
    finally:
        try:
            app.close()
        except MemoroError as error:
            output.notices((f"{error.what}; {error.fix}" if error.fix else error.what,))
        _tell(app, output, told)
