"""The commands that erase and mask, declared."""

from __future__ import annotations

from memoro.commands.registry import PROJECT, Command, Param, later

ERASING: tuple[Command, ...] = (
    Command(
        "memory",
        "purge",
        "erase a project, a conversation or everything from every file, and look for it",
        later("memoro.commands.erasing.purging", "purge_memory"),
        "write",
        (
            PROJECT,
            Param("session", "a conversation, and what was learned from it", required=False),
            Param("all", "everything", "flag", required=False),
            Param(
                "everywhere",
                "its notes too, and with --project its conversations",
                "flag",
                required=False,
            ),
            Param("yes", "don't ask", "flag", required=False),
        ),
    ),
    Command(
        "memory",
        "sweep",
        "mask what today's rules for secrets would not let in any more",
        later("memoro.commands.erasing.sweeping", "sweep_memory"),
        "write",
        (
            Param(
                "everywhere",
                "secrets in messages, tool records and notes, too",
                "flag",
                required=False,
            ),
            Param("dry_run", "say what would be masked", "flag", required=False),
            Param("yes", "don't ask", "flag", required=False),
        ),
    ),
)
