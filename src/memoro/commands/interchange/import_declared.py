"""`memoro import`, declared."""

from __future__ import annotations

from memoro.commands.registry import HUMANS, PROJECT, Command, Group, Param, later

_SUMMARY = "bring in what another tool remembers"

GROUP = Group(
    "import",
    _SUMMARY,
    (
        Command(
            "import",
            "",
            _SUMMARY,
            later("memoro.commands.interchange.importing", "import_memory"),
            "write",
            (
                Param("path", "the file or folder"),
                Param(
                    "from",
                    "what it is, where that can't be seen: chatcli, claude-code, codex, mem0 …",
                    required=False,
                    metavar="KIND",
                ),
                Param("dry_run", "say what would come, and change nothing", "flag", required=False),
                Param(
                    "as_mine",
                    "of our own export: with the ranks that it has there",
                    "flag",
                    required=False,
                ),
                Param(
                    "bring_back",
                    "of our own export: also what was forgotten here, or says something else here",
                    "flag",
                    required=False,
                ),
                Param(
                    "partial",
                    "of our own export: what is there of one that is not whole",
                    "flag",
                    required=False,
                ),
                PROJECT,
            ),
            HUMANS,
        ),
    ),
)
