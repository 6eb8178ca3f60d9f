"""The models of a process: the one that answers, as the settings name it, and what it is told of a
place where none is set.

The functions that have the names of fields of `memoro.commands.services.Services` are these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoro.errors import ModelNotConfiguredError
from memoro.settings import local_servers

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.backends.models import ModelOptions
    from memoro.session.model import ModelClient

_LOOPBACK_PROVIDERS = ("ollama", "lmstudio", "llamacpp")
_HINT = "memoro config set model openai:gpt-5-mini"


def connect(app: App) -> ModelClient:
    """Reach the configured model.

    Raises:
        ModelNotConfiguredError: a setting or key is missing.
    """
    options = model_options(app)
    if options is None:
        raise no_model(app)
    from memoro.backends.models import connect as connected

    return connected(options)


def offers_tools(app: App) -> bool:
    """Whether the configured model is given tools."""
    options = model_options(app)
    if options is None:
        return True
    from memoro.backends.reaching import offers_tools as offered

    return offered(options)


def model_options(app: App) -> ModelOptions | None:
    """How the configured model is reached; None where none is configured."""
    settings = app.settings
    name = settings.text("model")
    if not name:
        return None
    from memoro.backends.models import ModelOptions

    provider = name.partition(":")[0]
    tools = settings.text("tools")
    assert tools in ("auto", "on", "off"), "settings check their choices"
    return ModelOptions(
        name=name,
        api_key=key_of(app, provider),
        base_url=_address(app, provider) or None,
        timeout_seconds=float(settings.number("model_timeout")),
        tools=tools,
        context_tokens=settings.number("local_context"),
        max_output_tokens=settings.number("max_output_tokens") or None,
    )


def key_of(app: App, provider: str) -> str | None:
    """The key of a provider, from the settings or else the keyring; None where it needs none."""
    if provider == "local" or provider in _LOOPBACK_PROVIDERS:
        return None
    key = app.settings.key(provider)
    if key is None:
        from memoro.backends.secrets import read_key

        key = read_key(provider)
    return key


def no_model(app: App) -> ModelNotConfiguredError:
    """What is said where a model is needed and none is configured."""
    found = _local_models(app)
    what = "no model is configured: the setting MEMORO_MODEL (model in config.toml) is missing"
    if found:
        return ModelNotConfiguredError(
            f"{what}; running on this machine: {', '.join(found[:5])}",
            f"memoro config set model {found[0]}",
        )
    return ModelNotConfiguredError(what, _HINT)


def _local_models(app: App) -> list[str]:
    """The models that local servers offer, as settings of `model`."""
    from memoro.backends.discovery import find_local_servers

    addresses = local_servers(app.settings.text("local_servers"))
    servers = find_local_servers(addresses) if addresses else find_local_servers()
    return [f"{server.provider}:{model}" for server in servers for model in server.models]


def _address(app: App, provider: str) -> str:
    if provider in ("openai", "anthropic"):
        return app.settings.text(f"{provider}_base_url")
    return dict(local_servers(app.settings.text("local_servers"))).get(provider, "")
