"""How each provider is asked for embeddings over HTTP, and how it answers.

One request and its answer are all there is to it, so the providers' packages, which take seconds to
load, are not needed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from memoro.backends.embedding.failures import Endpoint, Failure, broken
from memoro.backends.embedding.provided import Answer, Ask
from memoro.backends.embedding.sending import Sender
from memoro.memory.recall.embedding import Purpose

# The one model of Google's that is told in words what a text is for.
_TOLD_IN_WORDS = "gemini-embedding-2"


class _Dialect(NamedTuple):
    """`read` takes a parsed answer apart, and may raise whatever comes of a wrong shape."""

    url: str
    headers: Mapping[str, str]
    body: Callable[[Sequence[str], Purpose], Mapping[str, Any]]
    read: Callable[[Any], Answer]


def http_ask(endpoint: Endpoint) -> Ask:
    """Requests in the dialect of the endpoint's provider."""
    dialect = _DIALECTS[endpoint.provider](endpoint)
    sender = Sender(endpoint, dialect.headers)

    def ask(texts: Sequence[str], purpose: Purpose, seconds: float) -> Answer | Failure:
        answer = sender.post(dialect.url, dialect.body(texts, purpose), seconds)
        if isinstance(answer, Failure):
            return answer
        try:
            return dialect.read(answer)
        except (LookupError, TypeError, ValueError, AttributeError):
            return broken(endpoint, "the answer has another shape than an answer with vectors")

    return ask


def _openai(endpoint: Endpoint) -> _Dialect:
    def body(texts: Sequence[str], purpose: Purpose) -> Mapping[str, Any]:
        return {"model": endpoint.model, "input": texts}

    return _Dialect(f"{endpoint.url}/embeddings", _bearer(endpoint), body, _read_data)


def _voyage(endpoint: Endpoint) -> _Dialect:
    def body(texts: Sequence[str], purpose: Purpose) -> Mapping[str, Any]:
        use = "query" if purpose == "query" else "document"
        return {"model": endpoint.model, "input": texts, "input_type": use}

    return _Dialect(f"{endpoint.url}/embeddings", _bearer(endpoint), body, _read_data)


def _google(endpoint: Endpoint) -> _Dialect:
    model = f"models/{endpoint.model.removeprefix('models/')}"

    def request(text: str, purpose: Purpose) -> Mapping[str, Any]:
        if model.endswith(f"/{_TOLD_IN_WORDS}"):
            prefix = "task: search result | query: "
            prefix = prefix if purpose == "query" else "title: none | text: "
            return {"model": model, "content": {"parts": [{"text": prefix + text}]}}
        task = "RETRIEVAL_QUERY" if purpose == "query" else "RETRIEVAL_DOCUMENT"
        return {"model": model, "content": {"parts": [{"text": text}]}, "taskType": task}

    def body(texts: Sequence[str], purpose: Purpose) -> Mapping[str, Any]:
        return {"requests": [request(text, purpose) for text in texts]}

    headers = {"x-goog-api-key": endpoint.api_key} if endpoint.api_key else {}
    url = f"{endpoint.url}/{quote(model)}:batchEmbedContents"
    return _Dialect(url, headers, body, _read_values)


_DIALECTS = {"openai": _openai, "voyage": _voyage, "google": _google}


def _bearer(endpoint: Endpoint) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}


def _read_data(answer: Any) -> Answer:
    entries = list(answer["data"])
    # Some number the vectors, and may send them in any order.
    places = [entry.get("index", place) for place, entry in enumerate(entries)]
    if sorted(places) != list(range(len(entries))):
        raise ValueError
    vectors: list[Any] = [None] * len(entries)
    for place, entry in zip(places, entries, strict=True):
        vectors[place] = entry["embedding"]
    return Answer(vectors, _tokens(answer.get("usage"), "total_tokens", "prompt_tokens"))


def _read_values(answer: Any) -> Answer:
    vectors = [entry["values"] for entry in answer["embeddings"]]
    counted = answer.get("usageMetadata")
    return Answer(vectors, _tokens(counted, "totalTokenCount", "promptTokenCount"))


def _tokens(counted: Any, *names: str) -> int:
    """What was counted, under the first of these names; some providers count nothing."""
    if not isinstance(counted, Mapping):
        return 0
    for name in names:
        if type(number := counted.get(name)) is int and number > 0:
            return number
    return 0
