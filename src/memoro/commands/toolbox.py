"""The tools of one run, rendered from the declared commands, and checked again when called."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from memoro.commands.registry import (
    Answer,
    Caller,
    Command,
    Done,
    Group,
    Lines,
    Param,
    Table,
    Tool,
    View,
)
from memoro.commands.services import Services
from memoro.errors import Refusal
from memoro.memory.records import shown
from memoro.session.model import ToolCall, ToolSpec
from memoro.session.transcript import RunKind
from memoro.session.turn import ToolResult

Access = Literal["full", "read-only"]

_JSON_TYPES = {"text": ("string", str), "int": ("integer", int), "flag": ("boolean", bool)}


def access_of(kind: RunKind) -> Access:
    """What a run of that kind may do: nobody watches a scheduled one, so it only reads."""
    return "read-only" if kind == "scheduled" else "full"


def exposed(group: Group, tool: Tool, access: Access) -> list[Command]:
    """The commands of a group that a model may call through one of its tools."""
    return [
        command
        for command in group.commands
        if "tool" in command.surfaces
        and (command.tool or group.tools[0].name) == tool.name
        and (access == "full" or command.effect == "read")
    ]


def render_tools(group: Group, access: Access) -> list[ToolSpec]:
    """The tools of a group of which anything may be called: `action` picks the command; a
    parameter that an action has no use for is null."""
    specs: list[ToolSpec] = []
    for tool in group.tools:
        commands = exposed(group, tool, access)
        if commands:
            specs.append(_rendered(tool, commands))
    return specs


def _rendered(tool: Tool, commands: Sequence[Command]) -> ToolSpec:
    properties: dict[str, Any] = {
        "action": {"type": "string", "enum": [command.name for command in commands]}
    }
    for command in commands:
        for param in _params(command):
            properties.setdefault(param.name, _property(param, commands))
    summary = "; ".join(f"{command.name}: {command.summary}" for command in commands)
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return ToolSpec(tool.name, f"{tool.summary[0].upper()}{tool.summary[1:]}. {summary}.", schema)


class RunTools:
    """The tools of one run: `memoro.session.turn.Toolbox`.

    `caller` carries what a model can't supply: the scope, the run and the message.
    """

    def __init__(
        self, groups: Sequence[Group], services: Services, caller: Caller, access: Access
    ) -> None:
        self._services = services
        self._caller = caller
        self._access: Access = access
        self._tools: dict[str, tuple[Group, Tool]] = {}
        self._specs: list[ToolSpec] = []
        for group in groups:
            specs = render_tools(group, access)
            self._specs += specs
            names = {spec.name for spec in specs}
            self._tools |= {tool.name: (group, tool) for tool in group.tools if tool.name in names}

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """See `memoro.session.turn.Toolbox`."""
        return self._specs

    @property
    def prompts(self) -> list[str]:
        """The names of the prompts that tell a model of these tools."""
        return [tool.help for _, tool in self._tools.values()]

    def call(self, call: ToolCall, row: int) -> ToolResult:
        """See `memoro.session.turn.Toolbox`."""
        checked = self._checked(call)
        if isinstance(checked, str):
            return ToolResult("refused", f"refused, nothing was changed: {checked}")
        command, arguments = checked
        result = command.handler(self._services, arguments, self._caller._replace(tool_call=row))
        if isinstance(result, Refusal):
            return ToolResult("refused", f"refused: {result.what}")
        assert isinstance(result, Done), "a tool's handler is not asynchronous"
        return ToolResult("done", "\n".join((_told(result.view), *result.notices)))

    def _checked(self, call: ToolCall) -> tuple[Command, Mapping[str, Any]] | str:
        found = self._tools.get(call.name)
        if found is None:
            return f"there is no tool {call.name!r} in this run"
        arguments = _parsed(call.arguments)
        if arguments is None:
            return "the arguments are not a JSON object"
        commands = {command.name: command for command in exposed(*found, self._access)}
        action = arguments.pop("action", None)
        command = commands.get(action) if isinstance(action, str) else None
        if command is None:
            return f"action must be one of {', '.join(commands)}"
        known = {param.name for one in commands.values() for param in _params(one)}
        unknown = sorted(set(arguments) - known)
        if unknown:
            return f"unknown argument {', '.join(map(shown, unknown))}"
        wrong = _wrong_argument(command, known, arguments)
        if wrong is not None:
            return wrong
        return command, {name: value for name, value in arguments.items() if value is not None}


def _params(command: Command) -> list[Param]:
    return [param for param in command.params if "tool" in param.surfaces]


def _property(param: Param, commands: Sequence[Command]) -> dict[str, Any]:
    everywhere = all(
        any(one.name == param.name and one.required for one in _params(command))
        for command in commands
    )
    kind = _JSON_TYPES[param.type][0]
    return {"type": kind if everywhere else [kind, "null"], "description": param.help}


def _wrong_argument(command: Command, known: set[str], arguments: Mapping[str, Any]) -> str | None:
    used = {param.name: param for param in _params(command)}
    for name in sorted(known):
        if name not in arguments:
            return f"the argument {name} is missing (null where {command.name} has no use for it)"
        value, param = arguments[name], used.get(name)
        if param is None:
            if value is not None:
                return f"{name} must be null for {command.name}"
        elif value is None:
            if param.required:
                return f"{name} must not be null for {command.name}"
        elif not _is_a(value, param):
            return f"{name} must be of type {_JSON_TYPES[param.type][0]}"
        elif isinstance(value, str) and not _is_text(value):
            return f"{name} is not valid UTF-8 text"
    return None


def _is_a(value: object, param: Param) -> bool:
    wanted = _JSON_TYPES[param.type][1]
    return isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))


def _is_text(value: str) -> bool:
    # JSON can spell half of a surrogate pair, which no file or database can hold.
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _parsed(arguments: str) -> dict[str, Any] | None:
    try:
        parsed = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def _told(view: View) -> str:
    if isinstance(view, Table):
        if not view.rows:
            return view.empty
        return "\n".join(" | ".join(row) for row in [view.columns, *view.rows])
    if isinstance(view, Lines):
        return "".join(view.texts)
    return view.text if not isinstance(view, Answer) else ""
