"""`memoro config`: settings and keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoro.commands.registry import (
    Caller,
    Command,
    Done,
    Group,
    Param,
    Result,
    Table,
    Text,
)
from memoro.commands.services import Services
from memoro.errors import Reason, Refusal


def list_settings(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show every setting, its value, and where that comes from."""
    found = services.configuration().settings()
    return Done(
        [one._asdict() for one in found],
        Table(
            ("setting", "value", "from", "what it is"),
            [(one.name, one.value or "-", one.source, f"{one.help} ({one.env})") for one in found],
            "",
        ),
    )


def get_setting(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Show one setting."""
    name = arguments["name"]
    for one in services.configuration().settings():
        if one.name == name:
            return Done(one._asdict(), Text(one.value))
    return Refusal(Reason.NOT_FOUND, f"there is no setting {name!r}", "memoro config list")


def set_setting(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Keep a setting in the configuration file."""
    name, value = arguments["name"], arguments["value"]
    path = services.configuration().set(name, value)
    notices = tuple(
        f"{one.env} is set and counts before the file"
        for one in services.configuration().settings()
        if one.name == name and one.source == one.env
    )
    return Done(
        {"name": name, "value": value, "file": path},
        Text(f"Set {name} = {value} in {path}."),
        notices,
    )


def unset_setting(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Take a setting out of the configuration file."""
    name = arguments["name"]
    if not services.configuration().unset(name):
        return Refusal(Reason.NOT_FOUND, f"the configuration file does not set {name!r}")
    return Done({"name": name}, Text(f"{name} has its default again."))


def set_key(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Keep a provider's key in the system keyring. It is asked for or piped in, never an argument:
    those can be read by other users of the machine."""
    provider = arguments["provider"]
    key = services.terminal().secret(f"{provider} key: ").strip()
    if not key:
        return Refusal(Reason.USAGE, "the key is empty; nothing was stored")
    services.configuration().store_key(provider, key)
    return Done({"provider": provider}, Text(f"Stored the key of {provider} in the keyring."))


def delete_key(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Take a provider's key out of the keyring."""
    provider = arguments["provider"]
    if not services.configuration().delete_key(provider):
        return Refusal(Reason.NOT_FOUND, f"the keyring holds no key of {provider}")
    return Done({"provider": provider}, Text(f"Deleted the key of {provider}."))


_NAME = Param("name", "the setting, for example model")
_PROVIDER = Param("provider", "for example openai or anthropic")

GROUP = Group(
    "config",
    "settings and keys",
    (
        Command("config", "list", "show every setting", list_settings, "read"),
        Command("config", "get", "show one setting", get_setting, "read", (_NAME,)),
        Command(
            "config",
            "set",
            "keep a setting",
            set_setting,
            "write",
            (_NAME, Param("value", "its value")),
        ),
        Command("config", "unset", "back to the default", unset_setting, "write", (_NAME,)),
        Command(
            "config",
            "set-key",
            "keep a provider's key in the system keyring",
            set_key,
            "write",
            (_PROVIDER,),
        ),
        Command(
            "config",
            "delete-key",
            "take a key out of the keyring",
            delete_key,
            "write",
            (_PROVIDER,),
        ),
    ),
)
