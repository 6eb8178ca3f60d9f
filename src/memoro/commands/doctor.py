"""`memoro doctor`: is everything in order, and what to do where it is not."""

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


def examine(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Look at everything, and with `--restore` put a backup in the store's place first."""
    if arguments.get("restore") is not None:
        backup, replaced = services.doctor().restore(
            None if arguments["restore"] == "newest" else arguments["restore"]
        )
        told = f" The store that stood there is kept as {replaced}." if replaced else ""
        return Done({"backup": backup, "replaced": replaced}, Text(f"Restored {backup}.{told}"))
    checks = services.doctor().checks()
    return Done(
        [one._asdict() for one in checks],
        Table(
            ("", "check", "found", "what to do"),
            [("ok" if one.ok else "!!", one.name, one.told, one.fix) for one in checks],
            "",
        ),
        ok=all(one.ok for one in checks),
    )


GROUP = Group(
    "doctor",
    "check the installation, the store, the settings and the connection",
    (
        Command(
            "doctor",
            "",
            "check the installation, the store, the settings and the connection",
            examine,
            "write",
            (
                Param(
                    "restore",
                    'put this backup in the store\'s place; "newest" takes the newest sound one',
                    required=False,
                    metavar="BACKUP",
                ),
            ),
        ),
    ),
)
