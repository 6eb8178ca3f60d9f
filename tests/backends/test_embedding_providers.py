"""The embedders of providers, against a scripted server over loopback."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoro.backends.embedding.connecting import EmbedOptions, connect_embedder
from memoro.backends.embedding.limits import LONGEST_TEXT, MOST_BYTES, batches, shortened
from memoro.backends.embedding.provided import Answer, ProvidedEmbedder
from memoro.errors import (
    ModelBrokenError,
    ModelBusyError,
    ModelError,
    ModelNotConfiguredError,
    ModelRefusedError,
    ModelUnreachableError,
    SettingsError,
)
from memoro.memory.recall.vectors import quantised
from memoro.settings import Settings

KEY = "sk-test-0123456789abcdef"
JSON = {"Content-Type": "application/json"}


class Received(NamedTuple):
    path: str
    headers: Mapping[str, str]
    body: Any


class Plain(NamedTuple):
    code: int
    body: str
    headers: Mapping[str, str] = JSON


class Silent(NamedTuple):
    """No whole answer before the client or the test ends; with `drip` a byte now and then."""

    drip: bool


class CutOff(NamedTuple):
    body: str


Response = Plain | Silent | CutOff


def vector(text: str, width: int) -> list[float]:
    """What the server makes of a text: other numbers for other texts."""
    return [float(sum(map(ord, text)) % (place + 7)) + 1.0 for place in range(width)]


class Server:
    """Answers as OpenAI and Voyage do, and as Google does; scripted responses come first."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.width = 8
        self.script: deque[Response] = deque()
        self.over = threading.Event()
        self._http = _Http(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._http.server_address[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/v1"

    def respond(self, request: Received) -> Response:
        self.requests.append(request)
        if self.script:
            return self.script.popleft()
        if "requests" in request.body:
            texts = [one["content"]["parts"][0]["text"] for one in request.body["requests"]]
            answer: Any = {"embeddings": [{"values": vector(one, self.width)} for one in texts]}
        else:
            answer = openai_answer([vector(one, self.width) for one in request.body["input"]])
        return Plain(200, json.dumps(answer))

    def close(self) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def openai_answer(vectors: Sequence[object]) -> Mapping[str, object]:
    data = [{"index": place, "embedding": one} for place, one in enumerate(vectors)]
    return {"object": "list", "data": data, "usage": {"prompt_tokens": 5, "total_tokens": 5}}


class _Http(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self, owner: Server) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        owner = cast("_Http", self.server).owner
        response = owner.respond(Received(self.path, headers, body))
        if isinstance(response, Silent):
            self._stay_silent(owner, response)
        elif isinstance(response, CutOff):
            self._send(Plain(200, response.body, {"Content-Length": "100000"}))
        else:
            length = {"Content-Length": str(len(response.body.encode()))}
            self._send(response._replace(headers={**response.headers, **length}))

    def _send(self, response: Plain) -> None:
        self.send_response(response.code)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(response.body.encode())

    def _stay_silent(self, owner: Server, response: Silent) -> None:
        if response.drip:
            self._send(Plain(200, "[", {"Content-Length": "100000"}))
        while not owner.over.wait(0.05):
            if response.drip:
                self.wfile.write(b" ")


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    try:
        yield running
    finally:
        running.close()


class Clock:
    """Seconds that a test moves on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def options(server: Server, provider: str = "openai", **changes: Any) -> EmbedOptions:
    given = EmbedOptions(provider, "test-model", server.url, KEY, timeout_seconds=20.0)
    return given._replace(**changes)


def connected(given: EmbedOptions, clock: Callable[[], float] = time.monotonic) -> ProvidedEmbedder:
    embedder = connect_embedder(given, clock)
    assert isinstance(embedder, ProvidedEmbedder)
    return embedder


def failure(embedder: ProvidedEmbedder, texts: Sequence[str] = ("tea",)) -> ModelError:
    with pytest.raises(ModelError) as caught:
        embedder.embed(texts, "query")
    told = f"{caught.value.what} {caught.value.fix}"
    assert "\n" not in told
    assert KEY not in told
    # Nothing that quotes the key hangs behind it.
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    return caught.value


# --- What is asked, and what comes ---


@pytest.mark.requirement("R02")
@pytest.mark.parametrize("provider", ["openai", "voyage", "google"])
def test_texts_become_rows_in_their_order(server: Server, provider: str) -> None:
    embedder = connected(options(server, provider))
    texts = ["tea", "coffee with milk", "água ☕"]
    assert embedder.embed(texts, "passage") == [quantised(vector(one, 8)) for one in texts]
    assert embedder.identity == f"{provider}:test-model:8@{server.host}"
    assert len(server.requests) == 1
    assert not embedder.is_local
    assert embedder.reads_all_scripts


@pytest.mark.requirement("R02")
@pytest.mark.parametrize(
    ("provider", "model", "path", "header", "query", "passage"),
    [
        (
            "openai",
            "text-embedding-3-small",
            "/v1/embeddings",
            ("authorization", f"Bearer {KEY}"),
            {"input": ["tea"]},
            {"input": ["tea"]},
        ),
        (
            "voyage",
            "voyage-4",
            "/v1/embeddings",
            ("authorization", f"Bearer {KEY}"),
            {"input": ["tea"], "input_type": "query"},
            {"input": ["tea"], "input_type": "document"},
        ),
        (
            "google",
            "gemini-embedding-2",
            "/v1/models/gemini-embedding-2:batchEmbedContents",
            ("x-goog-api-key", KEY),
            {"content": {"parts": [{"text": "task: search result | query: tea"}]}},
            {"content": {"parts": [{"text": "title: none | text: tea"}]}},
        ),
    ],
)
def test_each_provider_is_asked_for_its_own_model_in_its_own_way(
    server: Server,
    provider: str,
    model: str,
    path: str,
    header: tuple[str, str],
    query: Mapping[str, Any],
    passage: Mapping[str, Any],
) -> None:
    embedder = connected(options(server, provider, model=""))
    embedder.embed(["tea"], "query")
    embedder.embed(["tea"], "passage")
    for request, wanted in zip(server.requests, (query, passage), strict=True):
        assert request.path == path
        assert request.headers[header[0]] == header[1]
        if provider == "google":
            assert request.body == {"requests": [{"model": f"models/{model}", **wanted}]}
        else:
            assert request.body == {"model": model, **wanted}


def test_googles_older_models_are_told_the_task_beside_the_text(server: Server) -> None:
    embedder = connected(options(server, "google", model="gemini-embedding-001"))
    embedder.embed(["tea"], "query")
    embedder.embed(["tea"], "passage")
    asked = [request.body["requests"][0] for request in server.requests]
    assert [one["taskType"] for one in asked] == ["RETRIEVAL_QUERY", "RETRIEVAL_DOCUMENT"]
    assert all(one["content"] == {"parts": [{"text": "tea"}]} for one in asked)


def test_vectors_are_put_in_the_order_of_their_numbers(server: Server) -> None:
    data = [{"index": 1, "embedding": [0.0, 1.0]}, {"index": 0, "embedding": [1.0, 0.0]}]
    server.script.append(Plain(200, json.dumps({"data": data})))
    rows = connected(options(server)).embed(["first", "second"], "passage")
    assert rows == [quantised([1.0, 0.0]), quantised([0.0, 1.0])]


def test_without_a_key_none_is_sent_to_an_address_of_ones_own(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of somebody else")
    connected(options(server, api_key=None)).embed(["tea"], "query")
    assert "authorization" not in server.requests[0].headers


def test_what_stays_on_this_machine_passes_no_proxy(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert connected(options(server)).embed(["tea"], "query") == [quantised(vector("tea", 8))]


def test_a_text_without_words_has_no_row_and_is_not_sent(server: Server) -> None:
    embedder = connected(options(server))
    assert embedder.embed(["", " \n", "\t"], "passage") == [b"", b"", b""]
    assert embedder.embed([], "passage") == []
    assert server.requests == []
    rows = embedder.embed(["", "tea", " "], "passage")
    assert rows == [b"", quantised(vector("tea", 8)), b""]
    assert server.requests[0].body["input"] == ["tea"]


def test_a_vector_of_zeros_is_none(server: Server) -> None:
    server.script.append(Plain(200, json.dumps(openai_answer([[0.0, 0.0], [0, 3]]))))
    embedder = connected(options(server))
    assert embedder.embed(["a", "b"], "passage") == [b"", quantised([0.0, 3.0])]


def test_tokens_are_counted_as_the_provider_counts_them(server: Server) -> None:
    embedder = connected(options(server))
    assert embedder.spent == 0
    embedder.embed(["tea"], "query")
    embedder.embed(["tea"], "query")
    assert embedder.spent == 10
    server.script.append(Plain(200, json.dumps({"data": [{"embedding": [1.0] * 8}]})))
    embedder.embed(["tea"], "query")
    assert embedder.spent == 10
    server.script.append(Plain(429, "{}"))
    failure(embedder)
    assert embedder.spent == 10


# --- How much at once ---


def test_many_texts_go_in_several_requests(server: Server) -> None:
    texts = [f"text {number}" for number in range(200)]
    rows = connected(options(server)).embed(texts, "passage")
    assert rows == [quantised(vector(one, 8)) for one in texts]
    assert [len(request.body["input"]) for request in server.requests] == [96, 96, 8]


def test_long_texts_go_in_several_requests_and_not_whole(server: Server) -> None:
    texts = ["ü" * 300_000, *["tea " * 2_000] * 30]
    assert len(connected(options(server)).embed(texts, "passage")) == 31
    sent = [request.body["input"] for request in server.requests]
    assert [len(one) for one in sent] == [25, 6]
    assert sent[0][0] == "ü" * (LONGEST_TEXT // 2)


@given(st.text(st.characters(codec=None), max_size=40), st.integers(LONGEST_TEXT - 50, 9_000))
def test_a_long_text_is_cut_between_characters(text: str, filling: int) -> None:
    readable = text.encode("utf-8", "replace").decode()
    cut = shortened("x" * filling + text)
    whole = "x" * filling + readable
    assert whole.startswith(cut)
    length = len(cut.encode())
    assert length <= LONGEST_TEXT
    assert cut == whole or LONGEST_TEXT - length < 4


@given(st.lists(st.tuples(st.sampled_from(["x", "é", " ", ""]), st.integers(0, 12_000))))
def test_groups_hold_every_text_with_words_once_and_in_order(
    drawn: list[tuple[str, int]],
) -> None:
    texts = [letter * times for letter, times in drawn]
    groups = list(batches(texts))
    places = [place for group in groups for place, _ in group]
    assert places == [place for place, text in enumerate(texts) if text.strip()]
    assert all(sum(len(text.encode()) for _, text in group) <= MOST_BYTES for group in groups)


# --- Identity ---


@pytest.mark.requirement("R02")
def test_identity_costs_one_word_where_nothing_was_embedded(server: Server) -> None:
    embedder = connected(options(server))
    assert server.requests == []
    assert embedder.identity == embedder.identity == f"openai:test-model:8@{server.host}"
    assert [request.body["input"] for request in server.requests] == [["width"]]


@pytest.mark.requirement("R02", "Z11")
def test_a_server_that_changes_its_width_has_another_identity(server: Server) -> None:
    server.width = 384
    embedder = connected(options(server))
    (row,) = embedder.embed(["tea"], "passage")
    before = embedder.identity
    assert len(row) == 384
    server.width = 768
    error = failure(embedder)
    assert isinstance(error, ModelBrokenError)
    assert "768" in error.what
    assert "384" in error.what
    assert embedder.identity == f"openai:test-model:768@{server.host}" != before
    assert [len(row) for row in embedder.embed(["tea"], "query")] == [768]
    assert connected(options(server)).identity == embedder.identity


@pytest.mark.requirement("R02", "Z11")
def test_a_width_that_changes_between_two_requests_gives_no_rows_at_all(server: Server) -> None:
    server.script.append(Plain(200, json.dumps(openai_answer([[1.0] * 4] * 96))))
    with pytest.raises(ModelBrokenError):
        connected(options(server)).embed(["tea"] * 100, "passage")


@pytest.mark.requirement("Z11")
def test_without_a_server_identity_is_an_error_and_no_guess(server: Server) -> None:
    server.script.append(Plain(500, "{}"))
    embedder = connected(options(server))
    with pytest.raises(ModelBrokenError):
        _ = embedder.identity
    assert embedder.identity == f"openai:test-model:8@{server.host}"


def test_the_providers_own_address_is_not_in_the_identity() -> None:
    def two_numbers(texts: Sequence[str], purpose: str, seconds: float) -> Answer:
        return Answer([[1.0, 2.0]])

    embedder = ProvidedEmbedder("openai:m", two_numbers, seconds=1.0)
    assert embedder.identity == "openai:m:2"


# --- What goes wrong ---


@pytest.mark.requirement("Z11")
@pytest.mark.parametrize(
    ("code", "kind", "fix"),
    [
        (400, ModelRefusedError, "embed_model"),
        (401, ModelRefusedError, "OPENAI_API_KEY"),
        (403, ModelRefusedError, "OPENAI_API_KEY"),
        (404, ModelRefusedError, "embed_model"),
        (413, ModelRefusedError, "embed_model"),
        (307, ModelRefusedError, "embed_base_url"),
        (408, ModelUnreachableError, "later"),
        (429, ModelBusyError, "30 s"),
        (500, ModelBrokenError, "later"),
        (502, ModelUnreachableError, "later"),
        (503, ModelBusyError, "30 s"),
        (504, ModelUnreachableError, "later"),
        (529, ModelBusyError, "30 s"),
    ],
)
def test_a_status_is_one_error_and_one_request(
    server: Server, code: int, kind: type[ModelError], fix: str
) -> None:
    body = json.dumps({"error": {"message": f"no\ngood, {KEY} and so on"}})
    elsewhere = {"Location": f"{server.url}/elsewhere"}
    server.script.append(Plain(code, body, elsewhere))
    error = failure(connected(options(server)))
    assert type(error) is kind
    assert error.what.startswith(f"openai:test-model at {server.host} ")
    assert fix in (error.fix or "")
    assert code == 307 or "no good, [key] and so on" in error.what
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("", "status 500"),
        ("<html>hotel network", "an HTML page"),
        ('{"detail": [{"msg": "x"}]}', "status 500"),
        ('{"detail": "no such model"}', "no such model"),
        ('[{"error": {"message": "in a list"}}]', "in a list"),
        ('{"error":' * 900 + "1" + "}" * 900, "status 500"),
        ("[" * 100_000, "[[["),
        (json.dumps({"message": "long " * 1000}), "long long"),
    ],
)
def test_error_bodies_of_any_shape_are_told_in_one_line(
    server: Server, body: str, told: str
) -> None:
    server.script.append(Plain(500, body))
    error = failure(connected(options(server)))
    assert told in error.what
    assert len(error.what) < 400


def test_google_says_400_for_a_bad_key(server: Server) -> None:
    told = {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}
    server.script.append(Plain(400, json.dumps(told)))
    error = failure(connected(options(server, "google")))
    assert isinstance(error, ModelRefusedError)
    assert "GOOGLE_API_KEY" in (error.fix or "")


@pytest.mark.requirement("Z11")
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param('{"data": [{"embedding": [NaN, 1.0]}]}', id="nan"),
        pytest.param('{"data": [{"embedding": [Infinity, 1.0]}]}', id="infinity"),
        pytest.param('{"data": [{"embedding": [1e999, 1.0]}]}', id="too large"),
        pytest.param('{"data": [{"embedding": [1' + "0" * 400 + ", 1]}]}", id="no float"),
        pytest.param('{"data": [{"embedding": [1' + "0" * 5000 + ", 1]}]}", id="no number"),
        pytest.param('{"data": [{"embedding": []}]}', id="empty"),
        pytest.param('{"data": [{"embedding": ["1", "2"]}]}', id="texts"),
        pytest.param('{"data": [{"embedding": [true, false]}]}', id="booleans"),
        pytest.param('{"data": [{"embedding": [[1.0]]}]}', id="nested"),
        pytest.param('{"data": [{"embedding": "AACAPw=="}]}', id="base64"),
        pytest.param('{"data": [{"embedding": null}]}', id="null"),
        pytest.param('{"data": []}', id="fewer"),
        pytest.param(json.dumps(openai_answer([[1.0], [2.0]])), id="more"),
        pytest.param('{"data": [{"index": 3, "embedding": [1.0]}]}', id="another number"),
        pytest.param('{"data": [{"index": "0", "embedding": [1.0]}]}', id="number as text"),
        pytest.param('{"data": [5]}', id="no entries"),
        pytest.param('{"data": {"embedding": [1.0]}}', id="no list"),
        pytest.param('{"choices": "none"}', id="another answer"),
        pytest.param("[]", id="a list"),
        pytest.param("null", id="nothing"),
        pytest.param('"text"', id="a text"),
        pytest.param("<html>hotel network</html>", id="a page"),
        pytest.param('{"data": [{"embedd', id="cut"),
        pytest.param("", id="no body"),
    ],
)
def test_what_is_no_answer_is_said_to_be_none(server: Server, answer: str) -> None:
    server.script.append(Plain(200, answer))
    embedder = connected(options(server))
    error = failure(embedder)
    assert isinstance(error, ModelBrokenError)
    # One bad answer is no reason to stop asking.
    assert embedder.embed(["tea"], "query") == [quantised(vector("tea", 8))]


def test_widths_that_differ_in_one_answer_are_refused(server: Server) -> None:
    server.script.append(Plain(200, json.dumps(openai_answer([[1.0, 2.0], [1.0, 2.0, 3.0]]))))
    embedder = connected(options(server))
    error = failure(embedder, ["a", "b"])
    assert isinstance(error, ModelBrokenError)
    assert "2 and 3" in error.what
    assert embedder.identity == f"openai:test-model:8@{server.host}"


def test_an_answer_that_is_cut_off_is_broken(server: Server) -> None:
    server.script.append(CutOff('{"data": ['))
    assert isinstance(failure(connected(options(server))), ModelBrokenError)


@pytest.mark.requirement("Z11")
@pytest.mark.parametrize("drip", [False, True], ids=["silent", "a byte now and then"])
def test_a_server_that_does_not_finish_is_waited_for_no_longer_than_said(
    server: Server, drip: bool
) -> None:
    server.script.append(Silent(drip))
    begun = time.monotonic()
    error = failure(connected(options(server, timeout_seconds=0.4)))
    assert time.monotonic() - begun < 4.0
    assert isinstance(error, ModelUnreachableError)
    assert "within 0.4 s" in error.what


def test_a_query_waits_no_more_than_five_seconds_and_passages_as_configured() -> None:
    waits: list[float] = []

    def ask(texts: Sequence[str], purpose: str, seconds: float) -> Answer:
        waits.append(seconds)
        return Answer([[1.0]])

    embedder = ProvidedEmbedder("x:y", ask, seconds=30.0)
    embedder.embed(["tea"], "query")
    embedder.embed(["tea"], "passage")
    assert waits == [5.0, 30.0]


def test_a_server_that_is_not_there_is_named_with_what_starts_it() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    url = f"http://someone:secret-word@127.0.0.1:{port}/v1"
    error = failure(connected(EmbedOptions("openai", "m", url, KEY)))
    assert isinstance(error, ModelUnreachableError)
    assert error.what == f"openai:m at 127.0.0.1:{port} can't be reached: Connection refused"
    assert error.fix is not None
    assert "start the server" in error.fix
    assert "secret-word" not in f"{error.what}{error.fix}"


def test_a_connection_that_is_not_secure_is_said_to_be_none(server: Server) -> None:
    error = failure(connected(options(server, base_url=f"https://{server.host}/v1")))
    assert isinstance(error, ModelUnreachableError)
    assert "can't be reached: no secure connection (" in error.what


def test_a_key_that_is_a_letter_is_not_taken_out_of_words(server: Server) -> None:
    server.script.append(Plain(500, '{"message": "unknown"}'))
    assert failure(connected(options(server, api_key="k"))).what.endswith("failed: unknown")


@pytest.mark.requirement("Z11")
@pytest.mark.parametrize(
    ("headers", "rest"),
    [({}, 30), ({"Retry-After": "7"}, 7), ({"Retry-After": "99999999999"}, 600)],
)
def test_a_busy_provider_is_left_alone_for_as_long_as_it_asks(
    server: Server, headers: Mapping[str, str], rest: int
) -> None:
    clock = Clock()
    embedder = connected(options(server), clock)
    server.script.append(Plain(429, '{"error": {"message": "slow down"}}', headers))
    first = failure(embedder)
    clock.now += rest - 1
    second = failure(embedder)
    assert (type(second), second.what, second.fix) == (type(first), first.what, first.fix)
    assert len(server.requests) == 1
    clock.now += 1
    assert embedder.embed(["tea"], "query") == [quantised(vector("tea", 8))]


def test_used_up_credit_is_not_asked_for_again_soon(server: Server) -> None:
    told = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
    server.script.append(Plain(429, json.dumps(told)))
    error = failure(connected(options(server)))
    assert isinstance(error, ModelBusyError)
    assert error.fix == f"check the plan and the credit at {server.host}"


# --- What is missing ---


@pytest.mark.requirement("R02")
@pytest.mark.parametrize(
    ("given", "what", "fix"),
    [
        (EmbedOptions("openai"), "OPENAI_API_KEY is not set", "export OPENAI_API_KEY=…"),
        (EmbedOptions("voyage", api_key="  "), "VOYAGE_API_KEY is not set", "set-key voyage"),
        (EmbedOptions("google"), "GOOGLE_API_KEY is not set", "set-key google"),
        (EmbedOptions("openai", api_key="k\u00e9y"), "characters", "OPENAI_API_KEY"),
        (EmbedOptions("openai", api_key="k\ny"), "characters", "OPENAI_API_KEY"),
        (EmbedOptions("openai", base_url="localhost:1/v1"), "http(s)", "embed_base_url"),
        (EmbedOptions("openai", base_url="http://[::1"), "http(s)", "embed_base_url"),
        (EmbedOptions("openai", base_url="http://h:port/"), "http(s)", "embed_base_url"),
        (EmbedOptions("openai", base_url="file:///etc"), "http(s)", "embed_base_url"),
        (EmbedOptions("nobody"), "'nobody'", "embed_provider static"),
    ],
)
def test_what_is_missing_is_named_with_the_line_that_sets_it(
    given: EmbedOptions, what: str, fix: str
) -> None:
    with pytest.raises(ModelNotConfiguredError) as caught:
        connect_embedder(given)
    assert what in caught.value.what
    assert fix in (caught.value.fix or "")
    assert (
        given.api_key is None
        or given.api_key.strip() not in caught.value.what
        or (not given.api_key.strip())
    )


@pytest.mark.parametrize(
    ("provider", "package", "extra"),
    [
        ("onnx", "onnxruntime", "onnx"),
        ("onnx", "tokenizers", "onnx"),
        ("bedrock", "boto3", "bedrock"),
    ],
)
def test_a_missing_package_is_named_with_the_line_that_installs_it(
    provider: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for present in ("onnxruntime", "tokenizers"):
        monkeypatch.setitem(sys.modules, present, cast("Any", json))
    monkeypatch.setitem(sys.modules, package, cast("Any", None))
    with pytest.raises(ModelNotConfiguredError) as caught:
        connect_embedder(EmbedOptions(provider, "/nowhere"))
    assert caught.value.fix == f"pip install 'memoro[{extra}]'"


@pytest.mark.requirement("R02")
def test_off_is_none() -> None:
    assert connect_embedder(EmbedOptions("off")) is None


@pytest.mark.requirement("R02")
def test_the_bundled_embedder_is_the_default() -> None:
    embedder = connect_embedder(EmbedOptions())
    assert embedder is not None
    assert embedder.is_local


def test_connecting_loads_nothing_heavy() -> None:
    program = """
import sys
from memoro.backends.embedding.connecting import EmbedOptions, connect_embedder
connect_embedder(EmbedOptions("openai", api_key="k"))
heavy = ("httpx2", "pydantic", "pydantic_ai", "openai", "numpy", "boto3", "asyncio", "ssl")
print([name for name in heavy if name in sys.modules])
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.stdout.strip(), ended.stderr) == ("[]", "")


# --- Settings ---


@pytest.mark.requirement("R02")
def test_the_embedder_is_set_by_variables(tmp_path: Path) -> None:
    home = {"MEMORO_HOME": str(tmp_path)}
    assert Settings(home).text("embed_provider") == "static"
    assert Settings(home).text("embed_model") == Settings(home).text("embed_base_url") == ""
    chosen = Settings(
        {
            **home,
            "MEMORO_EMBED_PROVIDER": "voyage",
            "MEMORO_EMBED_MODEL": "voyage-4-lite",
            "MEMORO_EMBED_BASE_URL": "http://127.0.0.1:1/v1",
        }
    )
    names = ("embed_provider", "embed_model", "embed_base_url")
    wanted = ["voyage", "voyage-4-lite", "http://127.0.0.1:1/v1"]
    assert [chosen.text(name) for name in names] == wanted


def test_a_provider_that_is_none_is_refused(tmp_path: Path) -> None:
    home = {"MEMORO_HOME": str(tmp_path), "MEMORO_EMBED_PROVIDER": "null"}
    with pytest.raises(SettingsError, match="MEMORO_EMBED_PROVIDER='null' is not one of static"):
        Settings(home).text("embed_provider")


# --- With packages that are not everywhere ---


@pytest.fixture
def onnx_folder(tmp_path: Path) -> Path:
    """A model that gives each of eight words a vector of its own, for three tokens of a text."""
    onnx = pytest.importorskip("onnx")
    tokenizers = pytest.importorskip("tokenizers")
    pytest.importorskip("onnxruntime")
    numpy = pytest.importorskip("numpy")
    helper, kinds = onnx.helper, onnx.TensorProto
    table = numpy.random.default_rng(7).normal(size=(8, 16)).astype(numpy.float32)
    inputs = [
        helper.make_tensor_value_info(name, kinds.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("hidden", kinds.FLOAT, ["batch", "length", 16])
    weights = onnx.numpy_helper.from_array(table, "table")
    node = helper.make_node("Gather", ["table", "input_ids"], ["hidden"])
    graph = helper.make_graph([node], "tiny", inputs, [output], [weights])
    opset = helper.make_opsetid("", 17)
    folder = tmp_path / "tiny"
    folder.mkdir()
    model = helper.make_model(graph, opset_imports=[opset], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    words = {"[UNK]": 0, "tea": 1, "is": 2, "warm": 3, "query:": 4, "milk": 5, "cold": 6, "茶": 7}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(folder / "tokenizer.json"))
    (tmp_path / "table.json").write_text(json.dumps(table.tolist()))
    return folder


def mean(folder: Path, *places: int) -> bytes:
    table = json.loads((folder.parent / "table.json").read_text())
    columns = zip(*(table[place] for place in places), strict=True)
    return quantised([sum(column) / len(places) for column in columns])


def near(one: bytes, other: bytes) -> bool:
    pairs = zip(memoryview(one).cast("b"), memoryview(other).cast("b"), strict=True)
    return all(abs(a - b) <= 1 for a, b in pairs)


def test_an_onnx_model_gives_the_mean_of_its_tokens(onnx_folder: Path) -> None:
    embedder = connected(EmbedOptions("onnx", str(onnx_folder)))
    long, short, empty = embedder.embed(["tea is warm", "milk", " "], "passage")
    assert near(long, mean(onnx_folder, 1, 2, 3))
    assert near(short, mean(onnx_folder, 5))
    assert empty == b""
    assert embedder.identity.startswith("onnx:tiny-")
    assert embedder.identity.endswith(":16")
    assert embedder.reads_all_scripts  # one of its eight entries is Chinese
    many = embedder.embed(["milk", "tea"] * 20, "query")
    assert near(many[38], short) and near(many[39], mean(onnx_folder, 1))


def test_an_onnx_model_says_what_a_query_begins_with(onnx_folder: Path) -> None:
    before = connected(EmbedOptions("onnx", str(onnx_folder))).identity
    prompts = {"prompts": {"query": "query: ", "document": ""}}
    (onnx_folder / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    embedder = connected(EmbedOptions("onnx", str(onnx_folder)))
    assert near(embedder.embed(["tea"], "query")[0], mean(onnx_folder, 4, 1))
    assert near(embedder.embed(["tea"], "passage")[0], mean(onnx_folder, 1))
    assert embedder.identity != before


def test_an_onnx_model_that_is_broken_or_missing_is_named(onnx_folder: Path) -> None:
    (onnx_folder / "model.onnx").write_bytes(b"no model")
    error = failure(connected(EmbedOptions("onnx", str(onnx_folder))))
    assert isinstance(error, ModelBrokenError)
    assert str(onnx_folder) in error.what
    (onnx_folder / "tokenizer.json").unlink()
    with pytest.raises(ModelNotConfiguredError, match=r"no tokenizer\.json"):
        connect_embedder(EmbedOptions("onnx", str(onnx_folder)))
    with pytest.raises(ModelNotConfiguredError, match="from the root"):
        connect_embedder(EmbedOptions("onnx", "models/tiny"))


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("boto3")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDTEST")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")


def bedrock(server: Server, **changes: Any) -> ProvidedEmbedder:
    given = options(server, "bedrock", model="", api_key=None, base_url=f"http://{server.host}")
    return connected(given._replace(**changes))


@pytest.mark.usefixtures("aws")
def test_bedrock_is_asked_for_one_text_at_a_time(server: Server) -> None:
    numbers = json.dumps({"embedding": [3.0, 4.0], "inputTextTokenCount": 2})
    counted = {**JSON, "x-amzn-bedrock-input-token-count": "2"}
    server.script.extend([Plain(200, numbers, counted)] * 3)
    embedder = bedrock(server)
    assert embedder.embed(["a", "b", "c"], "passage") == [quantised([3.0, 4.0])] * 3
    assert sorted(request.body["inputText"] for request in server.requests) == ["a", "b", "c"]
    assert "amazon.titan-embed-text-v2" in server.requests[0].path
    assert embedder.spent == 6
    assert embedder.identity == f"bedrock:amazon.titan-embed-text-v2:0:2@{server.host}"


@pytest.mark.usefixtures("aws")
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (400, ModelRefusedError),
        (403, ModelRefusedError),
        (429, ModelBusyError),
        (500, ModelBrokenError),
    ],
)
def test_bedrocks_statuses_are_one_error_and_one_request(
    server: Server, code: int, kind: type[ModelError]
) -> None:
    server.script.append(Plain(code, '{"message": "not today"}'))
    error = failure(bedrock(server))
    assert type(error) is kind
    assert "not today" in error.what
    assert len(server.requests) == 1


@pytest.mark.usefixtures("aws")
def test_bedrock_says_what_is_not_set_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(failure(bedrock(server, model="no.such-model")), ModelNotConfiguredError)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    error = failure(bedrock(server))
    assert isinstance(error, ModelNotConfiguredError)
    assert "credentials" in error.what
    server.script.append(Plain(200, '{"else": 1}'))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDTEST")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    assert isinstance(failure(bedrock(server)), ModelBrokenError)
    server.script.append(Silent(drip=False))
    late = failure(bedrock(server, timeout_seconds=0.5))
    assert isinstance(late, ModelUnreachableError)
