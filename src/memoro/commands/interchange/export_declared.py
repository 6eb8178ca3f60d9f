"""`memoro export`, declared."""

from __future__ import annotations

from memoro.commands.registry import HUMANS, Command, Group, Param, later

_SUMMARY = "write all that is remembered as JSON Lines"

GROUP = Group(
    "export",
    _SUMMARY,
    (
        Command(
            "export",
            "",
            _SUMMARY,
            later("memoro.commands.interchange.exporting", "export_memory"),
            "read",
            (
                Param("kind", "of this kind; may be given again", required=False, many=True),
                Param("since", "what changed since then", required=False, metavar="DATE"),
                Param(
                    "out",
                    "the file, packed if named .gz; else it is printed",
                    required=False,
                    metavar="FILE",
                ),
                Param("force", "replace the file", "flag", required=False),
                Param(
                    "redact", "leave out what is sensitive, mask secrets", "flag", required=False
                ),
                Param(
                    "project",
                    "of this project; global: of none",
                    required=False,
                    metavar="NAME",
                ),
            ),
            HUMANS,
        ),
    ),
)
