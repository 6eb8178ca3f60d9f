"""From the embedder's settings to an embedder.

Cheap to import; what an embedder needs loads when it is connected, and nothing is sent until texts
are embedded or its identity is asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from memoro.backends.secrets import key_fix, key_variable
from memoro.errors import ModelNotConfiguredError
from memoro.memory.recall.embedding import Embedder

if TYPE_CHECKING:
    from memoro.backends.embedding.failures import Endpoint
    from memoro.backends.embedding.provided import Ask

DEFAULT_MODELS: Mapping[str, str] = {
    "openai": "text-embedding-3-small",
    "voyage": "voyage-4",
    "google": "gemini-embedding-2",
    "bedrock": "amazon.titan-embed-text-v2:0",
}
"""The model of each provider where none is set."""

KEY_NAMES: Mapping[str, tuple[str, ...]] = {
    "openai": ("openai",),
    "voyage": ("voyage",),
    "google": ("google", "gemini"),
}
"""Under which names a provider's key is looked for, the first that has one. Bedrock is not here:
its package reads AWS's own variables and files."""

_ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "voyage": "https://api.voyageai.com/v1",
    "google": "https://generativelanguage.googleapis.com/v1beta",
}


class EmbedOptions(NamedTuple):
    """How texts become vectors.

    `provider` is `static`, `off`, or whom texts are sent to. `model` is the provider's name for it,
    for `onnx` its folder; empty for the provider's usual one. `base_url` is an address other than
    the provider's own. `timeout_seconds` is the longest wait for one request; a query waits 5 s at
    most.
    """

    provider: str = "static"
    model: str = ""
    base_url: str | None = None
    api_key: str | None = None
    timeout_seconds: float = 30.0


def connect_embedder(
    options: EmbedOptions, clock: Callable[[], float] = time.monotonic
) -> Embedder | None:
    """An embedder as configured; None for `off`, where words alone decide.

    Args:
        options: how it is reached.
        clock: seconds that only ever grow; they measure how long a failing provider is left alone.

    Raises:
        ModelNotConfiguredError: a key, an address, a file or a package is missing.
    """
    if options.provider == "off":
        return None
    if options.provider == "static":
        from memoro.backends.embedding.static import StaticEmbedder

        return StaticEmbedder()
    if options.provider == "onnx":
        return _onnx(options, clock)
    if options.provider == "bedrock":
        return _bedrock(options, clock)
    if options.provider in _ADDRESSES:
        return _over_http(options, clock)
    what = f"there is no embedder {options.provider!r} (setting: embed_provider)"
    raise ModelNotConfiguredError(what, "memoro config set embed_provider static")


def _onnx(options: EmbedOptions, clock: Callable[[], float]) -> Embedder:
    from memoro.backends.embedding.onnx_model import OnnxModel
    from memoro.backends.embedding.provided import ProvidedEmbedder

    model = OnnxModel(options.model)
    return ProvidedEmbedder(
        f"onnx:{model.name}",
        model.ask,
        seconds=options.timeout_seconds,
        reads_all_scripts=lambda: model.reads_all_scripts,
        clock=clock,
    )


def _bedrock(options: EmbedOptions, clock: Callable[[], float]) -> Embedder:
    from memoro.backends.embedding.bedrock import bedrock_ask

    endpoint = _endpoint(options, "https://bedrock-runtime.amazonaws.com")
    endpoint = endpoint._replace(key_fix="check AWS's credentials: aws sts get-caller-identity")
    return _provided(options, endpoint, bedrock_ask(endpoint, options.base_url), clock)


def _over_http(options: EmbedOptions, clock: Callable[[], float]) -> Embedder:
    from memoro.backends.embedding.dialects import http_ask

    if not (options.api_key or "").strip() and not options.base_url:
        variable = key_variable(options.provider)
        what = f"embeddings of {options.provider} need a key, and {variable} is not set"
        raise ModelNotConfiguredError(what, key_fix(options.provider))
    endpoint = _endpoint(options, _ADDRESSES[options.provider])
    return _provided(options, endpoint, http_ask(endpoint), clock)


def _provided(
    options: EmbedOptions, endpoint: Endpoint, ask: Ask, clock: Callable[[], float]
) -> Embedder:
    from memoro.backends.embedding.provided import ProvidedEmbedder

    own = urlsplit(_ADDRESSES.get(options.provider, "")).hostname
    elsewhere = options.base_url and urlsplit(endpoint.url).hostname != own
    place = endpoint.host if elsewhere else ""
    return ProvidedEmbedder(
        endpoint.name, ask, place=place, seconds=options.timeout_seconds, clock=clock
    )


def _endpoint(options: EmbedOptions, own: str) -> Endpoint:
    from memoro.backends.embedding.failures import Endpoint

    url = (options.base_url or own).rstrip("/")
    model = options.model or DEFAULT_MODELS[options.provider]
    name = f"{options.provider}:{model}"
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        host = parts.netloc.rpartition("@")[2]
        usable = usable and parts.port != 0
    except ValueError:
        usable, host = False, ""
    if not usable:
        what = f"the address for embeddings of {name} is not an http(s) address"
        raise ModelNotConfiguredError(what, "memoro config set embed_base_url https://HOST/v1")
    fix = f"check {key_variable(options.provider)}:  {key_fix(options.provider)}"
    return Endpoint(name, options.provider, model, url, host, _clean_key(options), fix)


def _clean_key(options: EmbedOptions) -> str | None:
    key = (options.api_key or "").strip()
    if not (key.isascii() and key.isprintable()):
        what = f"the key for embeddings of {options.provider} has characters that no key has"
        raise ModelNotConfiguredError(what, key_fix(options.provider))
    return key or None
