"""Results as text: standard output is data, standard error is talk."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable
from datetime import datetime
from typing import Any, TextIO

from memoro.commands.registry import Answer, Done, Effect, Lines, Table
from memoro.errors import MemoroError, Reason, Refusal

EXIT_CODES = {
    Reason.FAILED: 1,
    Reason.USAGE: 2,
    Reason.NOT_FOUND: 3,
    Reason.CONFLICT: 4,
    Reason.LOCKED: 5,
    Reason.MODEL: 6,
    Reason.TOO_LARGE: 7,
    Reason.CANCELLED: 130,
}


_COMMANDING = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}
"""Control characters that JSON allows as they are, and that terminals obey."""


class Output:
    """Where results go: `styled` on a terminal that takes colours, `as_json`, or `quiet`."""

    def __init__(self, *, as_json: bool, quiet: bool, plain: bool) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.terminal: bool = sys.stdout.isatty()
        self.styled: bool = self.terminal and not plain
        self._streamed = False

    def stream(self) -> Callable[[str], None] | None:
        """What takes an answer as it comes; None where it is printed whole at the end."""
        if self.as_json or not self.terminal:
            return None

        def take(piece: str) -> None:
            self._streamed = True
            sys.stdout.write(safe(piece))
            sys.stdout.flush()

        return take

    def done(self, result: Done, effect: Effect) -> int:
        """Print a result; gives the exit code."""
        if isinstance(result.view, Answer) and not self.as_json:
            # The session's ID stands on the last line, after what there is to tell.
            self._answer(result.view, result.notices)
            return 0
        if isinstance(result.view, Lines):
            sys.stdout.writelines(result.view.texts)
        elif self.as_json:
            print(_json(result.data))
        elif isinstance(result.view, Table):
            self._table(result.view)
            # What the footer has said already need not be said again.
            result = result._replace(
                notices=tuple(one for one in result.notices if one != result.view.footer)
            )
        elif not self.quiet or effect == "read":
            print(self._shown(result.view.text))
        self.notices(result.notices)
        return 0 if result.ok else 1

    def notices(self, notices: tuple[str, ...]) -> None:
        """Print what goes beside a result, a line each."""
        for notice in () if self.quiet else dict.fromkeys(notices):
            say(f"memoro: {safe(notice)}")

    def refused(self, refusal: Refusal | MemoroError) -> int:
        """Say what happened, to what, and the line that mends it; gives the exit code."""
        if self._streamed:
            print()
        say(f"memoro: {safe(refusal.what)}")
        self.notices(refusal.notices)
        kept = refusal.kept if isinstance(refusal, MemoroError) else None
        for line in (kept, refusal.fix):
            if line:
                say(f"  {safe(line)}")
        return EXIT_CODES[refusal.reason]

    def _answer(self, answer: Answer, notices: tuple[str, ...]) -> None:
        if not self._streamed:
            print(self._shown(answer.text), end="")
        print(flush=True)
        self.notices(notices)
        if not self.quiet:
            print(f"\n{answer.session}" if self.terminal else answer.session)

    def _table(self, table: Table) -> None:
        if not table.rows:
            if not self.quiet and table.empty:
                say(safe(table.empty))
        elif self.styled:
            _rich_table(table)
        else:
            rows = [table.columns, *table.rows] if self.terminal else table.rows
            for row in rows:
                print("\t".join(self._cell(cell) for cell in row))
        if table.footer:
            print(self._shown(table.footer))

    def _cell(self, text: str) -> str:
        line = text.replace("\\", "\\\\") if any(char in text for char in "\n\t\r") else text
        return self._shown(line.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r"))

    def _shown(self, text: str) -> str:
        return safe(text) if self.terminal else text


def safe(text: str) -> str:
    """A text that can't command the terminal: control characters are shown, not obeyed."""
    return "".join(
        char if (char >= " " and not "\x7f" <= char <= "\x9f") or char in "\n\t" else _visible(char)
        for char in text
    )


def _visible(char: str) -> str:
    return "" if char == "\r" else f"\\x{ord(char):02x}"


def say(line: str) -> None:
    """Print a line of talk. A command does not fail because nobody hears it."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere, or Python would complain while it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _json(data: Any) -> str:
    import json

    # Anything but UTF-8 output would replace characters by escapes that JSON does not know.
    plain = codecs.lookup(sys.stdout.encoding or "ascii").name != "utf-8"
    text = json.dumps(data, default=_as_json, ensure_ascii=plain, indent=2)
    return text.translate(_COMMANDING)


def _as_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _rich_table(table: Table) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

    shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in table.columns:
        # An ID that is broken into two lines can't be copied.
        shown.add_column(column, overflow="fold", no_wrap=column == "id")
    for row in table.rows:
        shown.add_row(*(RichText(safe(cell)) for cell in row))
    Console().print(shown)
