"""How a command is declared, and what it gives back."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memoro.errors import Refusal
from memoro.memory.records import GLOBAL

if TYPE_CHECKING:
    from memoro.commands.services import Services


Surface = Literal["cli", "slash", "tool", "mcp"]
"""Where a command may appear."""

HUMANS: frozenset[Surface] = frozenset({"cli", "slash"})
HUMANS_AND_MODELS: frozenset[Surface] = frozenset({"cli", "slash", "tool"})
MODELS: frozenset[Surface] = frozenset({"tool"})


Effect = Literal["read", "write"]
"""Whether a command changes anything that is kept. Read-only tool sets hold readers alone."""


class Param(NamedTuple):
    """One parameter of a command.

    A `required` one is positional on the command line, any other an option `--name`. `many`
    takes several words or values. `surfaces` narrows where it is offered: what is set by the
    surroundings (a run's project) is offered to humans only. A `piped` one is read from standard
    input where it is "-", or positional and left out.
    """

    name: str
    help: str
    type: Literal["text", "int", "flag"] = "text"
    required: bool = True
    many: bool = False
    choices: tuple[str, ...] = ()
    surfaces: frozenset[Surface] = HUMANS_AND_MODELS
    positional: bool | None = None
    piped: bool = False
    metavar: str = ""

    @property
    def is_positional(self) -> bool:
        """Whether the command line takes it by its place."""
        return self.required if self.positional is None else self.positional


class Caller(NamedTuple):
    """Who calls, set by us: the surface, and for a model the run and message it is answering.

    `scope` is the only scope that a model's call may touch. `tool_call` is its line in the tool
    log. `on_text` takes an answer as it streams.
    """

    surface: Surface = "cli"
    writer: str = "command line"
    scope: str = GLOBAL
    run: str | None = None
    message: str | None = None
    tool_call: int | None = None
    on_text: Callable[[str], None] | None = None


class Table(NamedTuple):
    """Rows under headings; `empty` is said where there are none, `footer` after them."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    empty: str
    footer: str = ""


class Text(NamedTuple):
    """Plain text of one or more lines."""

    text: str


class Answer(NamedTuple):
    """A model's answer, which may have been streamed already, and the session's ID for the last
    line."""

    text: str
    session: str


class Lines(NamedTuple):
    """Lines for programs, each with its end, printed as they come, and as they are."""

    texts: Iterator[str]


View = Table | Text | Answer | Lines


class Done(NamedTuple):
    """A command carried out: `data` for programs (as JSON), `view` for people, and `notices`,
    a line each, that go beside them. `ok` is False where what was looked at is not in order."""

    data: Any
    view: View
    notices: tuple[str, ...] = ()
    ok: bool = True


Result = Done | Refusal
Handler = Callable[["Services", Mapping[str, Any], Caller], "Result | Awaitable[Result]"]


class Command(NamedTuple):
    """A command: `group` and `name` are what is typed ("memory remember", "memory profile set").

    The default surfaces are humans only; exposure to a model is written out, and then `tool` names
    the model tool that it is an action of, where that is not the group's first one.
    """

    group: str
    name: str
    summary: str
    handler: Handler
    effect: Effect
    params: tuple[Param, ...] = ()
    surfaces: frozenset[Surface] = HUMANS
    tool: str = ""

    @property
    def words(self) -> str:
        """The command as it is typed."""
        return f"{self.group} {self.name}".strip()


class Tool(NamedTuple):
    """A model tool that exposed commands of a group form: each is an action of it. `help` names the
    prompt that tells the model what it is for."""

    name: str
    summary: str
    help: str


class Group(NamedTuple):
    """Commands under one word, and the model tools that they form.

    `dated` names the command that takes a word which is no command, and starts with a digit or
    holds a space ("2026-05-02", "last week").
    """

    name: str
    summary: str
    commands: tuple[Command, ...]
    tools: tuple[Tool, ...] = ()
    dated: str = ""


def later(module: str, name: str) -> Handler:
    """A handler that is loaded when it is first called, so that its group costs other commands
    nothing."""

    def handler(
        services: "Services", arguments: Mapping[str, Any], caller: Caller
    ) -> "Result | Awaitable[Result]":
        from importlib import import_module

        found: Handler = getattr(import_module(module), name)
        return found(services, arguments, caller)

    return handler


PROJECT = Param(
    "project", "the project whose memory is meant", required=False, surfaces=HUMANS, metavar="NAME"
)
ALL = Param("all", "of every project and folder", "flag", required=False, surfaces=HUMANS)
LIMIT = Param("limit", "show that many", "int", required=False)
AS_OF = Param(
    "as_of", "as it stood then; relative dates count from it", required=False, metavar="DATE"
)
FROM = Param("from", "the first day, or any date expression", required=False, metavar="DATE")
TO = Param("to", "the last day, or any date expression", required=False, metavar="DATE")

LEARNED_TOOL = "learned_memory"
"""The model tool of what is learned."""
