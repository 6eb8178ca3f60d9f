"""A scripted model server, and command lines against it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chat.chats import Chats
from model_server import ModelServer
from running import Memoro


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A scripted model server."""
    with ModelServer() as started:
        yield started


@pytest.fixture
def chats(
    memoro: Memoro,
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Chats:
    """Command lines against the scripted server."""
    return Chats(memoro, server, monkeypatch, capsys)
