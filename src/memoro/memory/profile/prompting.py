"""A profile as it stands in a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from memoro.memory.profile.directives import HARD
from memoro.memory.profile.fields import MILESTONES, NAMED, SCALARS
from memoro.memory.profile.viewing import Entry, Profile

MILESTONES_SHOWN = 8
PRIVACY = (
    "What is marked [sensitive] is for fitting answers to the user only: never put it into code,"
    " examples or generated files."
)

_LABELS = {
    "expertise_level": "Expertise",
    "preferred_language": "Preferred language",
    "communication_style": "Communication style",
    "timezone": "Time zone",
}


def prompt_text(profile: Profile) -> str:
    """The profile as lines of text; empty where there is none.

    What binds comes first, so that where lines have to go, the last ones can. No value can pose
    as another line: each is one line, and stands behind a label or a dash.
    """
    milestones = profile.milestones[-MILESTONES_SHOWN:]
    shown = profile._replace(idle=(), milestones=milestones)
    if not shown.entries:
        return ""
    hard = [one for one in shown.directives if one.severity == HARD]
    soft = [one for one in shown.directives if one.severity != HARD]
    lines = [
        *([PRIVACY] if any(one.sensitive for one in shown.entries) else []),
        *(f"{_label(one.field)}: {_value(one)}" for one in shown.scalars),
        *_listed("Hard rules, never to be broken", hard),
        *_listed("How the user prefers it, unless the task needs otherwise", soft),
        *_joined("Goals", shown.goals),
        *_joined("Skills", shown.skills),
        *_joined("Certifications", shown.certifications),
        *_joined("Interests", shown.interests),
        *_listed("Positions the user takes", shown.stances),
        *_joined("Environment", shown.environment),
        *_listed("Preferences", shown.preferences),
        *_listed("Milestones", shown.milestones),
        *_stale(shown),
    ]
    return "\n".join(lines)


def _label(field: str) -> str:
    return _LABELS.get(field) or field.capitalize()


def _listed(heading: str, entries: Sequence[Entry]) -> list[str]:
    return [f"{heading}:", *(f"- {_value(one)}" for one in entries)] if entries else []


def _joined(heading: str, entries: Sequence[Entry]) -> list[str]:
    return [f"{heading}: {'; '.join(map(_value, entries))}"] if entries else []


def _value(entry: Entry) -> str:
    mark = " [sensitive]" if entry.sensitive else ""
    # Stored by older programs, it may have lines of its own.
    text = " ".join(entry.text.split())
    if entry.field in NAMED and entry.name:
        return f"{' '.join(entry.name.split())}{mark}: {text}"
    if entry.field == MILESTONES and entry.date:
        return f"{entry.date}: {text}{mark}"
    reason = f" (because: {' '.join(entry.reason.split())})" if entry.reason else ""
    return f"{text}{reason}{mark}"


def _stale(profile: Profile) -> list[str]:
    stale = [one for one in profile.entries if one.stale]
    if not stale:
        return []
    names: list[str] = []
    for group in profile:
        old = [one for one in group if one.stale]
        if old and old[0].field not in SCALARS and len(old) == len(group):
            names.append(old[0].field)
        else:
            names += [_stale_name(one) for one in old]
    return [f"Not confirmed for 120 days, possibly out of date: {', '.join(names)}"]


def _stale_name(entry: Entry) -> str:
    if entry.field in SCALARS:
        return _label(entry.field).lower()
    return f"{entry.field} ({entry.name or ' '.join(entry.text.split())})"
