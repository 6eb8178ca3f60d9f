"""A scripted model server over loopback HTTP, for tests: OpenAI's and Anthropic's dialect.

    with ModelServer() as server:
        server.script(text("Hello"), tool_call("remember", '{"text": "x"}'), status(429))
        ...  # a client for f"{server.url}/v1" (OpenAI) or server.url (Anthropic)
        assert server.requests[0].body["messages"][-1]["content"] == "Hi"

Responses are consumed in order by POST requests; when they run out, `server.default` answers, and
without one a 500 that says so. A callable in the script gets the `Received` request and returns a
response, so that a test can look or act at that moment. Nothing here sleeps: `hang` and `Steps`
wait for events, and closing the server releases them.

As a process of its own: `python model_server.py "an answer" …` prints its URL and serves until its
standard input ends; the last answer repeats.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, cast

from model_dialects import DIALECTS, Answer, Call, Dialect, Steps


class Received(NamedTuple):
    """A request as it came in; header names are in lower case, `body` is parsed JSON or None."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any

    @property
    def streamed(self) -> bool:
        return bool(self.body and self.body.get("stream"))


class Plain(NamedTuple):
    """A raw HTTP answer."""

    code: int
    body: str
    headers: Mapping[str, str]


class Hang(NamedTuple):
    """No answer until `release` is set; then the connection is closed.

    `started` is set when the request has arrived, `closed` when the client has gone or the hang
    is over.
    """

    started: threading.Event
    release: threading.Event
    closed: threading.Event


class Nothing(NamedTuple):
    """The connection is closed without a byte of answer."""


Response = Answer | Plain | Hang | Nothing
Scripted = Response | Callable[[Received], Response]


def text(
    content: str,
    *,
    chunks: Sequence[str] | None = None,
    usage: tuple[int, int, int] = (11, 7, 0),
    finish: str | None = None,
    reasoning: str = "",
    calls: Sequence[Call] = (),
    steps: Steps | None = None,
) -> Answer:
    """An answer in words; `usage` is input, output and cached tokens (input includes cached).

    `chunks` are the pieces when streamed (words, unless given); `finish` an OpenAI finish reason.
    """
    pieces = tuple(chunks) if chunks is not None else _words(content)
    return Answer(pieces, tuple(calls), usage, finish, reasoning, steps=steps)


def tool_call(name: str, arguments: str, call_id: str = "call_1") -> Answer:
    """An answer that calls one tool."""
    return Answer(calls=(Call(name, arguments, call_id),))


def tool_calls(*calls: Call, content: str = "") -> Answer:
    """An answer that calls several tools at once, with words before them if wanted."""
    return Answer(pieces=_words(content), calls=calls)


def status(
    code: int, message: str = "", *, body: str | None = None, headers: Mapping[str, str] = {}
) -> Plain:
    """An HTTP error; `message` goes into an error object as both dialects have it."""
    if body is None:
        error = {"message": message or f"scripted {code}", "type": "scripted", "code": None}
        body = json.dumps({"type": "error", "error": error})
    return Plain(code, body, {"Content-Type": "application/json", **headers})


def nonsense(kind: str = "html") -> Plain:
    """A 200 that is no answer: `html`, `json` (of a wrong shape) or `broken` (JSON cut short)."""
    bodies = {
        "html": ("text/html", "<html><body>Welcome to the hotel network</body></html>"),
        "json": ("application/json", '{"greeting": "hello", "choices": "none"}'),
        "broken": ("application/json", '{"id": "x", "choices": [{"mess'),
    }
    kind_type, body = bodies[kind]
    return Plain(200, body, {"Content-Type": kind_type})


def half_stream(*pieces: str) -> Answer:
    """Some pieces, then the connection is cut."""
    return Answer(pieces, ending="cut")


def endless(*pieces: str) -> Answer:
    """Some pieces and a clean end of the transfer, without a finish reason."""
    return Answer(pieces, ending="no_reason")


def hang() -> Hang:
    """Keep the client waiting."""
    return Hang(threading.Event(), threading.Event(), threading.Event())


def nothing() -> Nothing:
    """Accept the request, then close without an answer."""
    return Nothing()


class ModelServer:
    """The server; use it as a context manager."""

    def __init__(self, *, models: Sequence[str] = ("test-model",)) -> None:
        self.requests: list[Received] = []
        """Every request so far, GET included."""
        self.models = tuple(models)
        self.default: Scripted | None = None
        """Answers when the script has run out."""
        self._script: deque[Scripted] = deque()
        self._hanging: list[Hang | Steps] = []
        self._lock = threading.Lock()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    @property
    def url(self) -> str:
        """The address without `/v1`."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def posts(self) -> list[Received]:
        """The requests that asked for an answer."""
        return [request for request in self.requests if request.method == "POST"]

    def script(self, *responses: Scripted) -> None:
        """Add responses to those that still wait."""
        with self._lock:
            self._script.extend(responses)

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release whatever hangs, stop, and wait for every thread."""
        for waiting in self._hanging:
            if isinstance(waiting, Steps):
                waiting.release_all()
            else:
                waiting.release.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def take(self, request: Received) -> Response:
        """The next response for a request, which is recorded."""
        with self._lock:
            self.requests.append(request)
            scripted = self._script.popleft() if self._script else self.default
        response = scripted(request) if callable(scripted) else scripted
        if response is None:
            return status(500, "the test's script has run out")
        if isinstance(response, Hang):
            self._hanging.append(response)
        elif isinstance(response, Answer) and response.steps is not None:
            self._hanging.append(response.steps)
        return response

    def note(self, request: Received) -> None:
        """Record a request that takes nothing from the script."""
        with self._lock:
            self.requests.append(request)


class _Http(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self, owner: ModelServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exception()
        if not isinstance(error, (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def owner(self) -> ModelServer:
        return cast("_Http", self.server).owner

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        owner = self.owner
        owner.note(self._received(None))
        if self.path.partition("?")[0] == "/v1/models":
            data = [{"id": name, "object": "model"} for name in owner.models]
            self._plain(Plain(200, json.dumps({"object": "list", "data": data}), _JSON))
        else:
            self._plain(status(404, f"no such path {self.path}"))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        request = self._received(json.loads(self.rfile.read(length) or b"null"))
        dialect = DIALECTS.get(self.path.partition("?")[0])
        if dialect is None:
            self.owner.note(request)
            self._plain(status(404, f"no such path {self.path}"))
            return
        response = self.owner.take(request)
        if isinstance(response, Plain):
            self._plain(response)
        elif isinstance(response, Answer):
            self._answer(response, request, dialect)
        else:
            if isinstance(response, Hang):
                self._hang(response)
            self._drop()

    def _received(self, body: Any) -> Received:
        headers = {name.lower(): value for name, value in self.headers.items()}
        return Received(self.command, self.path, headers, body)

    def _plain(self, response: Plain) -> None:
        payload = response.body.encode()
        self.send_response(response.code)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(payload)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(payload)
        self.close_connection = True

    def _hang(self, response: Hang) -> None:
        response.started.set()
        # A client that gives up closes its side, which ends the hang as well.
        self.connection.settimeout(0.02)
        while not response.release.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        response.closed.set()

    def _drop(self) -> None:
        self.close_connection = True

    def _answer(self, answer: Answer, request: Received, dialect: Dialect) -> None:
        if not request.streamed:
            body = json.dumps(dialect.whole(answer))
            if answer.ending == "cut":
                self._start("application/json", {"Content-Length": str(len(body))})
                self.wfile.write(body[: len(body) // 2].encode())
                self._drop()
            else:
                self._plain(Plain(200, body, _JSON))
            return
        self._start("text/event-stream", {"Transfer-Encoding": "chunked"})
        for event in dialect.events(answer):
            self._chunk(event)
        if answer.ending == "cut":
            self._drop()
        else:
            self.wfile.write(b"0\r\n\r\n")

    def _start(self, content_type: str, headers: Mapping[str, str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _chunk(self, event: str) -> None:
        data = event.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()


_JSON = {"Content-Type": "application/json"}


def _words(content: str) -> tuple[str, ...]:
    words = content.split(" ")
    return tuple(w + " " for w in words[:-1]) + ((words[-1],) if words[-1] else ())


def main(answers: Sequence[str]) -> None:
    with ModelServer() as server:
        server.script(*(text(answer) for answer in answers[:-1]))
        server.default = text(answers[-1] if answers else "Hello")
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
