"""A server of embeddings over loopback, in OpenAI's format, for tests.

    with EmbeddingServer(384) as server:
        ...  # a client for server.url
        server.restart(768)  # another model, on the same port

A vector counts the words of a text, each at a place that its hash gives, so that texts with words
in common are near each other. Words that mean the same (`SAME`) count as one.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, cast

SAME = {"automobile": "car", "vehicle": "car", "physician": "doctor"}


class Plain(NamedTuple):
    """An answer as it is sent, in place of vectors."""

    code: int
    body: str


Spoil = Callable[[dict[str, Any]], dict[str, Any] | Plain]
"""Makes another answer of a right one."""


class EmbeddingServer:
    """The server; use it as a context manager. `asked` are the texts of each request so far."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.asked: list[list[str]] = []
        self.spoil: Spoil | None = None
        self._gate = threading.Event()
        self._gate.set()
        self._start(0)

    @property
    def url(self) -> str:
        """The address, with `/v1`."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def texts(self) -> list[str]:
        """Every text that was asked for."""
        return [one for texts in self.asked for one in texts]

    def hold(self) -> None:
        """Let requests of more than one text wait until `release`."""
        self._gate.clear()

    def release(self) -> None:
        """Let go what waits."""
        self._gate.set()

    def restart(self, width: int) -> None:
        """Begin anew on the same port, with vectors of another width."""
        self.close()
        self.width = width
        self._start(self.port)

    def close(self) -> None:
        """Stop; whoever asks from now on is refused."""
        self.release()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def answer(self, texts: list[str]) -> dict[str, Any] | Plain:
        """The answer for these texts."""
        self.asked.append(texts)
        if len(texts) > 1:
            self._gate.wait(30)
        data = [
            {"object": "embedding", "index": place, "embedding": vector(text, self.width)}
            for place, text in enumerate(texts)
        ]
        tokens = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        made = {"object": "list", "model": "bag", "data": data, "usage": usage}
        return self.spoil(made) if self.spoil else made

    def _start(self, port: int) -> None:
        self._http = _Http(self, port)
        self.port: int = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def __enter__(self) -> EmbeddingServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._thread.is_alive():
            self.close()


def vector(text: str, width: int) -> list[float]:
    """The vector of a text: of unit length, the same in every process."""
    counts = [0.0] * width
    for match in re.finditer(r"\w+", text.casefold()):
        word = SAME.get(match[0], match[0])
        digest = hashlib.sha256(word.encode()).digest()
        counts[int.from_bytes(digest[:8], "big") % width] += 1
    length = sum(one * one for one in counts) ** 0.5 or 1.0
    return [one / length for one in counts]


class _Http(ThreadingHTTPServer):
    allow_reuse_address = True

    def __init__(self, owner: EmbeddingServer, port: int) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        given = json.loads(self.rfile.read(length))["input"]
        texts = [given] if isinstance(given, str) else given
        made = cast("_Http", self.server).owner.answer(texts)
        plain = made if isinstance(made, Plain) else Plain(200, json.dumps(made))
        body = plain.body.encode()
        self.send_response(plain.code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
