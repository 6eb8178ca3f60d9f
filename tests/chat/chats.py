"""A home, a scripted model server, and `memoro` run in this process, where the model libraries are
loaded once for all tests; signals and terminals are tested with the real process."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from memoro.surfaces.cli.main import main
from model_server import ModelServer
from running import Memoro, Ran


class Chats:
    """Runs command lines in this process against a scripted server."""

    def __init__(
        self,
        memoro: Memoro,
        server: ModelServer,
        patch: pytest.MonkeyPatch,
        captured: pytest.CaptureFixture[str],
    ) -> None:
        self.server = server
        self.process = memoro
        self.home = memoro.home
        self.folder = memoro.folder
        self.env = memoro.env
        self.env |= {
            "MEMORO_MODEL": "openai:test-model",
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "sk-test-0123456789",
        }
        self._patch = patch
        self._captured = captured

    def __call__(
        self,
        *words: str,
        stdin: str = "",
        env: Mapping[str, str | None] | None = None,
        cwd: Path | None = None,
    ) -> Ran:
        """Run `memoro WORDS`; a variable that `env` sets to None is unset."""
        with self._patch.context() as patch:
            for name in list(os.environ):
                patch.delenv(name)
            for name, value in {**self.env, **(env or {})}.items():
                if value is not None:
                    patch.setenv(name, value)
            time.tzset()
            patch.chdir(cwd or self.folder)
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
            self._captured.readouterr()
            try:
                code = main(list(words))
            except SystemExit as ended:
                code = ended.code if isinstance(ended.code, int) else 1
            out, err = self._captured.readouterr()
        time.tzset()
        return Ran(code, out, err)

    def ok(self, *words: str, **options: object) -> Ran:
        """Run a command that has to succeed."""
        ran = self(*words, **options)  # pyright: ignore[reportArgumentType]
        assert ran.code == 0, ran.err
        return ran

    def system(self, request: int = -1) -> str:
        """The system prompt of a request that the server got."""
        messages = self.server.posts[request].body["messages"]
        systems = [one["content"] for one in messages if one["role"] == "system"]
        assert len(systems) == 1
        return systems[0]

    def said(self, request: int = -1) -> list[tuple[str, str]]:
        """The conversation of a request, as pairs of role and text."""
        messages = self.server.posts[request].body["messages"]
        return [(one["role"], one.get("content") or "") for one in messages[1:]]

    def facts(self) -> dict[str, str]:
        """The global saved facts."""
        return {one["key"]: one["value"] for one in self.ok("memory", "list", "--json").json}
