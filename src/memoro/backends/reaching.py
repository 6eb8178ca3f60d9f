"""What can be said of a model without a request to it: whether it is there, and takes tools."""

from __future__ import annotations

from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

from memoro.backends.discovery import DEFAULT_ADDRESSES, is_loopback
from memoro.backends.models import ANTHROPIC_URL, OPENAI_URL, ModelOptions, connect
from memoro.errors import MemoroError, ModelRefusedError, ModelUnreachableError

_SECONDS = 5.0
_MODELS_URLS = {**dict(DEFAULT_ADDRESSES), "openai": OPENAI_URL, "anthropic": f"{ANTHROPIC_URL}/v1"}


def offers_tools(options: ModelOptions) -> bool:
    """Whether tools would be offered to the model. A `local:` one is loaded to ask it.

    Raises:
        ModelNotConfiguredError, ModelBrokenError: a `local:` model can't be loaded.
    """
    if options.tools != "auto" or not options.name.startswith("local:"):
        return options.tools != "off"
    from memoro.backends.local_model import start_local_model

    model = start_local_model(options.name.removeprefix("local:"), options.context_tokens)
    try:
        return model.supports_tools()
    finally:
        model.stop()


def reach(options: ModelOptions) -> MemoroError | None:
    """What stands in the way of the model; None where nothing does.

    Asks for the provider's list of models, which costs nothing; loads a `local:` model.
    """
    provider = options.name.partition(":")[0]
    try:
        if provider == "local":
            offers_tools(options._replace(tools="auto"))
            return None
        address = _address(options, provider)
        if address is None:
            connect(options)
            return None
        return _asked(options, provider, address)
    except MemoroError as error:
        return error


def _address(options: ModelOptions, provider: str) -> str | None:
    if provider in ("openai", "anthropic") and not (options.api_key or options.base_url):
        return None
    if provider == "anthropic" and options.base_url:
        return f"{options.base_url.rstrip('/')}/v1"
    return options.base_url or _MODELS_URLS.get(provider)


def _asked(options: ModelOptions, provider: str, address: str) -> MemoroError | None:
    key = options.api_key or "none"
    headers = {"Authorization": f"Bearer {key}"}
    if provider == "anthropic":
        headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}
    url = f"{address.rstrip('/')}/models"
    # A proxy of the environment is for what leaves the machine.
    opener = build_opener(ProxyHandler({})) if is_loopback(address) else build_opener()
    try:
        opener.open(Request(url, headers=headers), timeout=_SECONDS).close()
    except HTTPError as error:
        if error.code in (401, 403):
            return ModelRefusedError(
                f"{address} refused the key of {provider} ({error.code})",
                f"check it, then: memoro config set-key {provider}",
            )
        # The endpoint answers; not every one has a list of models.
        return None
    except (URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        return ModelUnreachableError(
            f"{address} does not answer: {reason}", "check the address and the network"
        )
    return None
