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
from memoro.errors import Reason, Refusal


def examine(services: Services, arguments: Mapping[str, Any], caller: Caller) -> Result:
    """Look at everything, and with `--restore` put a backup in the store's place first."""
    if arguments.get("restore") is not None:
        backup, replaced = services.doctor().restore(
            None if arguments["restore"] == "newest" else arguments["restore"]
        )
        told = f" The store that stood there is kept as {replaced}." if replaced else ""
        return Done({"backup": backup, "replaced": replaced}, Text(f"Restored {backup}.{told}"))
    if arguments.get("repair"):
        return _repair(services, yes=bool(arguments.get("yes")))
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


def _repair(services: Services, *, yes: bool) -> Result:
    """Say what is wrong and what will be done about it, ask, and do it."""
    doctor = services.doctor()
    wrong, steps = doctor.plan_repair()
    if not wrong:
        return Done({"wrong": "", "done": []}, Text("The store is sound: nothing to repair."))
    plan = "\n".join([f"{wrong}. A repair will", *(f"  - {step}" for step in steps)])
    if not yes:
        answer = services.terminal().confirm(f"{plan}\nRepair it?")
        if answer is None:
            return Refusal(
                Reason.CONFLICT,
                f"{wrong}; nothing was changed",
                "memoro doctor --repair --yes",
                ("a repair will", *steps),
            )
        if not answer:
            return Refusal(Reason.CANCELLED, "nothing was changed")
    done = doctor.repair()
    return Done({"wrong": wrong, "done": list(done)}, Text("\n".join([wrong, *done])))


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
                Param(
                    "repair",
                    "rebuild a damaged or missing store: what will be done is told first",
                    "flag",
                    required=False,
                ),
                Param("yes", "with --repair: don't ask", "flag", required=False),
            ),
        ),
    ),
)
