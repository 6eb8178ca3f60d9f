"""What one tool would load, as far as its documentation and its source say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoro.bootstrap.loaders import chatcli, claude_code, codex, cursor, gemini
from memoro.bootstrap.loaders.ground import Ground, ground_of
from memoro.bootstrap.loaders.results import Config, Homes, Loaded, Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LOADERS: dict[Tool, Callable[[Ground], Loaded]] = {
    "claude-code": claude_code.load,
    "codex": codex.load,
    "gemini": gemini.load,
    "cursor": cursor.load,
    "chatcli": chatcli.load,
}
_DEFAULTS = Config()


def emulate(
    tool: Tool,
    cwd: str,
    homes: Homes,
    in_play: Sequence[str] = (),
    config: Config = _DEFAULTS,
) -> Loaded:
    """List the instruction files that a tool started here would load, in its order.

    Nothing raises: what can't be read is left out and is a warning. No file outside of the
    workspace and the tools' folders is opened; where a tool would, its note says so.

    Args:
        tool: which one.
        cwd: the folder that it is started in.
        homes: the person's folders.
        in_play: files that the work is about, absolute or from `cwd`; rules and nested files that
            the tool loads for them count as matched.
        config: what the tool's own settings change.
    """
    return _LOADERS[tool](ground_of(cwd, homes, in_play, config))
