"""Levels of expertise, by any of their names; two languages."""

from __future__ import annotations

import re

from memoro.memory.profile.vocabulary import words
from memoro.memory.profile.wording import fold

CHOICES = ("beginner", "intermediate", "expert")

_NAMES = {
    name: level
    for level, names in {
        "beginner": "beginner beginners novice newbie junior jr entry starter basic learner rookie"
        " trainee intern iniciante iniciantes novato novata principiante basico basica junior"
        " estagiario estagiaria aprendiz leigo leiga",
        "intermediate": "intermediate mid middle medium midlevel competent intermediario"
        " intermediaria intermedio intermedia medio media pleno plena",
        "expert": "expert experts advanced senior sr experienced specialist master principal staff"
        " guru pro avancado avancada especialista perito perita experiente mestre",
    }.items()
    for name in names.split()
}
_NOT = words("not no non never isn't hardly barely almost nearly nao nunca nem quase less than pre")


def level(text: str) -> str | None:
    """The level that a text names; None where it names none, or more than one."""
    words = re.findall(r"[^\W_]+(?:'[^\W_]+)?", fold(text))
    named = {_NAMES[word] for word in words if word in _NAMES}
    if len(named) != 1 or any(word in _NOT for word in words):
        return None
    return named.pop()
