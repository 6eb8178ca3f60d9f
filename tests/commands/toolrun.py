"""The tools of a run, called as a model would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memoro.app import App
from memoro.commands.prompting import run_tools
from memoro.commands.services import Services
from memoro.commands.toolbox import RunTools
from memoro.memory.records import GLOBAL, NOTE, SAVED_FACT, project_scope
from memoro.session.model import ToolCall
from memoro.session.transcript import RunKind
from memoro.session.turn import ToolResult

WEB = project_scope("web")
NULLS = dict.fromkeys(("title", "text", "id", "offset", "query"))


class Run:
    """A run's tools over a store of its own, called as a model would."""

    def __init__(self, home: Path, **environ: str) -> None:
        self.app = App({"MEMORO_HOME": str(home), "HOME": str(home), "PATH": "", **environ})
        self.services: Services = self.app.services(writes=True)
        self.tools = self.begin()

    def begin(self, scope: str = GLOBAL, kind: RunKind = "chat", run: str = "r_1") -> RunTools:
        self.tools = run_tools(self.services, scope, kind, run, f"m_of_{run}")
        return self.tools

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        given = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return self.tools.call(ToolCall("call_1", tool, given), 1)

    def memory(self, action: str, key: str, value: str | None) -> ToolResult:
        return self.call("memory", {"action": action, "key": key, "value": value})

    def notes(self, action: str, **given: Any) -> ToolResult:
        return self.call("notes", {"action": action, **NULLS, **given})

    def facts(self, scope: str = GLOBAL) -> dict[str | None, str]:
        return {one.key: one.text for one in self.services.store.select(SAVED_FACT.name, scope)}

    def state(self) -> Any:
        store = self.services.store
        return (store.select(SAVED_FACT.name), store.select(NOTE.name), store.changes())

    def refused(self, tool: str, arguments: dict[str, Any] | str) -> str:
        """What the model is told of a call that is refused and changes nothing."""
        before = self.state()
        result = self.call(tool, arguments)
        assert result.outcome == "refused", result
        assert result.text.startswith("refused")
        assert self.state() == before
        result.text.encode()
        return result.text
