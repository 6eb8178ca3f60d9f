"""From a model's configured name to a client that talks to it.

Cheap to import; the model libraries load when a model is connected.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import urlsplit

from memoro.backends.discovery import DEFAULT_ADDRESSES, is_loopback
from memoro.backends.secrets import key_fix, key_variable
from memoro.errors import ModelNotConfiguredError
from memoro.session.model import ModelClient

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider

    from memoro.backends.model_errors import Endpoint

OPENAI_URL = "https://api.openai.com/v1"
ANTHROPIC_URL = "https://api.anthropic.com"
_SERVERS = dict(DEFAULT_ADDRESSES)
_NO_KEY = "no-key"
_CONNECT_SECONDS = 10.0
# OpenAI's newer models refuse `max_tokens`; other servers don't all know its successor.
_OPENAI_FAMILY = ("gpt-4", "gpt-5", "gpt-6", "o1", "o3", "o4")


class ModelOptions(NamedTuple):
    """How to reach a model.

    `name` is `provider:model`. `timeout_seconds` is the longest silence between bytes of an
    answer; connecting takes 10 s at most. `tools` is `auto` (offered until the server says that it
    has none), `on` or `off`. `context_tokens` sizes the context of a `local:` model, 0 for what it
    was trained with.
    """

    name: str
    api_key: str | None = None
    base_url: str | None = None
    timeout_seconds: float = 120.0
    tools: Literal["auto", "on", "off"] = "auto"
    context_tokens: int = 0
    max_output_tokens: int | None = None


def connect(options: ModelOptions) -> ModelClient:
    """A client for the configured model. Nothing is sent yet, but it blocks while the model
    libraries load (about a second), and while a `local:` model does; call it in a thread where
    that matters.

    Raises:
        ModelNotConfiguredError: the model, its key or a package is missing.
        ModelBrokenError: a `local:` model can't be loaded.
    """
    provider, colon, model = options.name.partition(":")
    if not options.name:
        fix = "memoro config set model openai:MODEL  or: memoro config set model local:smollm2"
        raise ModelNotConfiguredError("no model is set (setting: model)", fix)
    if not (provider and colon and model):
        what = f"the setting model is {options.name!r}, but a model is written PROVIDER:MODEL"
        raise ModelNotConfiguredError(what, f"memoro config set model openai:{model or provider}")
    options = options._replace(api_key=_clean_key(options, provider))
    if provider == "local":
        return _local(options, model)
    if provider in _SERVERS:
        return _compatible(options, provider, model, options.base_url or _SERVERS[provider])
    if provider == "openai":
        if not options.api_key and not options.base_url:
            raise _no_key(options, provider)
        return _compatible(options, provider, model, options.base_url or OPENAI_URL)
    if provider == "anthropic":
        return _anthropic(options, model)
    return _other(options, provider)


def _clean_key(options: ModelOptions, provider: str) -> str | None:
    key = (options.api_key or "").strip()
    if not (key.isascii() and key.isprintable()):
        what = f"the key for {options.name} has characters that no key has"
        raise ModelNotConfiguredError(what, key_fix(provider))
    return key or None


def _no_key(options: ModelOptions, provider: str) -> ModelNotConfiguredError:
    what = f"{options.name} needs a key, and {key_variable(provider)} is not set"
    return ModelNotConfiguredError(what, key_fix(provider))


def _local(options: ModelOptions, model: str) -> ModelClient:
    from memoro.backends.local_model import start_local_model

    server = start_local_model(model, options.context_tokens)
    if options.tools == "auto" and not server.supports_tools():
        options = options._replace(tools="off")
    options = options._replace(api_key=server.api_key)

    async def stop() -> None:
        server.stop()

    try:
        return _compatible(options, "local", model, server.base_url, stop)
    except BaseException:
        server.stop()
        raise


def _compatible(
    options: ModelOptions,
    provider: str,
    model: str,
    base_url: str,
    also_close: Callable[[], Awaitable[None]] | None = None,
) -> ModelClient:
    """Any server that speaks Chat Completions, OpenAI's own included."""
    endpoint = _endpoint(options, provider, base_url)
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    http = _http_client(endpoint)
    # A key is always given: without one the SDK takes OPENAI_API_KEY to whatever server this is.
    key = options.api_key or _NO_KEY
    sdk = AsyncOpenAI(base_url=base_url, api_key=key, http_client=http, max_retries=0)
    own = urlsplit(base_url).hostname == "api.openai.com"
    profile = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=own or model.startswith(_OPENAI_FAMILY),
        openai_chat_streaming_requires_finish_reason=True,
    )
    host: Provider[AsyncOpenAI] = (
        OpenAIProvider(openai_client=sdk)
        if own
        else OpenAICompatibleProvider(provider, openai_client=sdk)
    )
    chat = OpenAIChatModel(model, provider=host, profile=profile)

    async def close() -> None:
        await http.aclose()
        if also_close is not None:
            await also_close()

    return _client(options, chat, endpoint, close)


def _anthropic(options: ModelOptions, model: str) -> ModelClient:
    if not options.api_key:
        raise _no_key(options, "anthropic")
    # The SDK adds /v1 itself; people write it anyway.
    base_url = (options.base_url or ANTHROPIC_URL).rstrip("/").removesuffix("/v1")
    endpoint = _endpoint(options, "anthropic", base_url)
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    http = _http_client(endpoint)
    sdk = AsyncAnthropic(
        base_url=base_url, api_key=options.api_key, http_client=http, max_retries=0
    )
    chat = AnthropicModel(model, provider=AnthropicProvider(anthropic_client=sdk))
    return _client(
        options,
        chat,
        endpoint,
        http.aclose,
        system_in_parts=True,
        settings={"anthropic_cache_instructions": True},
    )


def _other(options: ModelOptions, provider: str) -> ModelClient:
    """What else the library knows, as far as its packages are installed."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import infer_provider_class

    def provide(name: str) -> Provider[Any]:
        given = {"api_key": options.api_key, "base_url": options.base_url}
        return infer_provider_class(name)(**{k: v for k, v in given.items() if v})

    try:
        chat = infer_model(options.name, provide)
    except ImportError as error:
        raise _no_package(options, provider, str(error)) from error
    except UserError as error:
        if not options.api_key and "API_KEY" in error.message:
            raise _no_key(options, provider) from error
        raise ModelNotConfiguredError(_first_line(options, error), key_fix(provider)) from error
    except (ValueError, TypeError) as error:
        fix = "memoro config set model openai:MODEL"
        raise ModelNotConfiguredError(_first_line(options, error), fix) from error
    endpoint = _endpoint(options, provider, chat.base_url or f"https://{provider}")

    async def close() -> None:
        if chat.provider is not None:
            async with chat:
                pass

    settings = {"max_retries": 0, "timeout": options.timeout_seconds}
    return _client(options, chat, endpoint, close, settings=settings)


def _no_package(options: ModelOptions, provider: str, told: str) -> ModelNotConfiguredError:
    found = re.search(r'pip install "?(pydantic-ai-slim\[[\w-]+\])', told)
    package = found[1] if found else f"pydantic-ai-slim[{provider}]"
    what = f"{options.name} needs a package that is not installed"
    return ModelNotConfiguredError(what, f"pip install '{package}'")


def _first_line(options: ModelOptions, error: Exception) -> str:
    told = " ".join(str(error).split())[:300]
    return f"{options.name} can't be used: {told}"


def _endpoint(options: ModelOptions, provider: str, base_url: str) -> Endpoint:
    from memoro.backends.model_errors import Endpoint

    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        what = f"the base URL of {options.name} is {base_url!r}, which is not an http(s) address"
        raise ModelNotConfiguredError(what, "memoro config set openai_base_url https://HOST/v1")
    return Endpoint(
        name=options.name,
        provider=provider,
        base_url=base_url,
        host=parts.netloc.rpartition("@")[2],
        api_key=options.api_key,
        connect_seconds=min(_CONNECT_SECONDS, options.timeout_seconds),
        timeout_seconds=options.timeout_seconds,
    )


def _http_client(endpoint: Endpoint) -> httpx2.AsyncClient:
    import httpx2

    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(endpoint.timeout_seconds, connect=endpoint.connect_seconds),
        # A proxy from the environment must not see, or break, what stays on this machine.
        trust_env=not is_loopback(endpoint.base_url),
        # Loading certificates takes a tenth of a second; plain http has no use for them.
        verify=endpoint.base_url.startswith("https:"),
    )


def _client(
    options: ModelOptions,
    chat: Model[Any],
    endpoint: Endpoint,
    close: Callable[[], Awaitable[None]],
    *,
    system_in_parts: bool = False,
    settings: dict[str, Any] | None = None,
) -> ModelClient:
    from pydantic_ai.settings import ModelSettings

    from memoro.backends.chat_client import ChatClient

    merged: dict[str, Any] = dict(settings or {})
    if options.max_output_tokens is not None:
        merged["max_tokens"] = options.max_output_tokens
    return ChatClient(
        chat,
        endpoint,
        tools=options.tools,
        settings=ModelSettings(**merged),
        system_in_parts=system_in_parts,
        close=close,
    )
