"""The commands of the plain files beside the store, declared."""

from __future__ import annotations

from memoro.commands.registry import PROJECT, Command, Param, later

FILES: tuple[Command, ...] = (
    Command(
        "memory",
        "edit",
        "change memory in your editor, a record a line",
        later("memoro.commands.mirroring", "edit_records"),
        "write",
        (
            Param(
                "kind",
                "facts (the default), saved, profile, topics, projects, episodes, daily or notes",
                required=False,
                positional=True,
            ),
            PROJECT,
        ),
    ),
    Command(
        "memory",
        "merge",
        "take what was edited in the plain files",
        later("memoro.commands.mirroring", "merge_files"),
        "write",
        (
            Param(
                "file",
                "instead: files that lie anywhere, as a copy that was mended; none deletes",
                required=False,
                many=True,
                positional=True,
            ),
            Param(
                "allow_deletions",
                "also where most of a file's records were deleted at once",
                "flag",
                required=False,
            ),
        ),
    ),
    Command(
        "memory",
        "mirror",
        "write the plain files",
        later("memoro.commands.mirroring", "write_files"),
        "write",
        (Param("all", "all of them, not just what has changed", "flag", required=False),),
    ),
)
