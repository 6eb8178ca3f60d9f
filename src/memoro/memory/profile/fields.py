"""The fields of a profile, and the keys that they are set by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from memoro.errors import Reason, Refusal
from memoro.memory.profile.vocabulary import words
from memoro.memory.profile.wording import fold
from memoro.memory.records import shown

SCALARS = (
    "name",
    "role",
    "expertise_level",
    "preferred_language",
    "communication_style",
    "company",
    "location",
    "timezone",
)
GOALS, CERTIFICATIONS, MILESTONES = "goals", "certifications", "milestones"
DIRECTIVES, STANCES = "directives", "stances"
ENVIRONMENT, PREFERENCES = "environment", "preferences"
LISTS = (
    GOALS,
    CERTIFICATIONS,
    "skills",
    "interests",
    DIRECTIVES,
    STANCES,
    MILESTONES,
    ENVIRONMENT,
    PREFERENCES,
)
"""Fields of many items, in the order in which they change: a finished goal goes on to another, and
what is removed from the preferences may stand in the environment."""
NAMED = frozenset({PREFERENCES, ENVIRONMENT})
"""Fields whose items have a name of their own: `env_shell`, `theme`."""
FIELDS = (*SCALARS, *LISTS)
MAX_KEY_CHARACTERS = 128

Op = Literal["put", "replace", "remove", "done", "mark", "unmark"]

_OPS: Mapping[str, Op] = {
    "add": "put",
    "set": "replace",
    "replace": "replace",
    "remove": "remove",
    "delete": "remove",
    "del": "remove",
    "done": "done",
}
_TAKING_AWAY = frozenset({"remove", "done"})
_ALIASES: Mapping[str, str] = {
    alias: field
    for field, aliases in {
        "name": "full_name fullname first_name nome nome_completo",
        "role": "job job_title occupation profession cargo funcao profissao papel",
        "expertise_level": "expertise level experience_level nivel nivel_de_experiencia"
        " nivel_experiencia senioridade seniority",
        "preferred_language": "language lang idioma lingua idioma_preferido lingua_preferida",
        "communication_style": "comm_style style communication estilo estilo_de_comunicacao"
        " tone tom",
        "company": "employer organization organisation org workplace empresa empregador"
        " organizacao",
        "location": "localizacao place_of_residence lives_in",
        "timezone": "tz time_zone fuso fuso_horario",
        GOALS: "goal objective objectives objetivo objetivos meta metas",
        CERTIFICATIONS: "certification cert certs certificate certificates certificacao"
        " certificacoes certificado certificados",
        "skills": "skill habilidade habilidades competencia competencias",
        "interests": "interest hobby hobbies interesse interesses",
        DIRECTIVES: "directive rule rules diretriz diretrizes diretiva diretivas regra regras",
        STANCES: "stance opinion opinions opiniao opinioes posicionamento posicionamentos",
        MILESTONES: "milestone achievement achievements marco marcos conquista conquistas",
        PREFERENCES: "preference pref prefs preferencia preferencias",
        ENVIRONMENT: "env ambiente",
    }.items()
    for alias in (field, *aliases.split())
}
PARTS: Mapping[str, str] = {
    "city": "city",
    "cidade": "city",
    "country": "country",
    "pais": "country",
}
"""Keys for a part of the location."""
_MARKS: Mapping[str, Op] = {
    "sensitive_mark": "mark",
    "mark_sensitive": "mark",
    "sensitive_unmark": "unmark",
    "unmark_sensitive": "unmark",
}
_MACHINE = words("os shell terminal editor ide hardware")
_OF_A_MACHINE = ("mac_", "os_", "hw_", "machine_", "env_")
_NOT_OF_A_MACHINE = ("machine_learning",)
_CAMEL = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS = re.compile(r"[\s_‐‑–—-]+")
_ALLOWED = frozenset("_.+#/&@'")
_EMPHASIS = '*`"“”«»•- \t'


class Target(NamedTuple):
    """What a key means: an operation on a field, or on the item of that `name` in it, or on that
    part of it. Marks have no field: their value says what is marked. `said` is the key as given."""

    field: str
    op: Op
    name: str = ""
    said: str = ""


def fold_key(key: str) -> str:
    """A key as it is compared: without case and accents, with "_" between words. Empty: no key."""
    return _SEPARATORS.sub("_", fold(key.strip(_EMPHASIS))).strip("_")


def key_words(key: str) -> list[str]:
    """The words of a key, folded: split at spaces, dashes, "_", and where camelCase goes up."""
    return [word for word in re.split(r"[\W_]+", fold(_CAMEL.sub("_", key))) if word]


def item_name(name: str) -> tuple[str, str]:
    """The field and the folded name that a free key belongs to: what tells of the machine is
    environment, all else a preference."""
    folded = fold_key(name)
    if folded in _MACHINE:
        return ENVIRONMENT, folded
    if folded.startswith(_OF_A_MACHINE) and not folded.startswith(_NOT_OF_A_MACHINE):
        return ENVIRONMENT, folded.removeprefix("env_")
    return PREFERENCES, folded


def target(key: str) -> Target | Refusal:
    """What a key means: a field or an alias of one, each with `_add`, `_set`, `_replace`,
    `_remove`, `_done`, `_delete`, `_del` after or before it; `env_NAME`; a mark; a preference."""
    refusal = check_name(key)
    if refusal is not None:
        return refusal
    for folded in (fold_key(key), fold_key(_CAMEL.sub("_", key))):
        known = _known(folded)
        if known is not None:
            return known._replace(said=key)
    return _free(key)


def _known(key: str) -> Target | None:
    if key in _MARKS:
        return Target("", _MARKS[key])
    plain: tuple[str, Op] = (key, "put")
    for base, op in (plain, *_operations(key)):
        if base in _ALIASES:
            return Target(_ALIASES[base], op)
        if base in PARTS:
            return Target("location", op, PARTS[base])
    return None


def _operations(key: str) -> Iterator[tuple[str, Op]]:
    """The readings of a key as something done to another."""
    for word, op in _OPS.items():
        if key.endswith(f"_{word}"):
            yield key.removesuffix(f"_{word}"), op
        if key.startswith(f"{word}_"):
            yield key.removeprefix(f"{word}_"), op


def _free(key: str) -> Target | Refusal:
    folded, op = fold_key(key), "put"
    base, _, last = folded.rpartition("_")
    if base and _OPS.get(last) in _TAKING_AWAY:
        folded, op = base, "remove"
    for prefix in ("environment_", "ambiente_"):
        if folded.startswith(prefix):
            folded = "env_" + folded.removeprefix(prefix)
    field, name = item_name(folded)
    if not name:
        return _no_name(key)
    # The spelling tells the words of a key apart, which the folded one does not.
    return Target(field, op, name, name if op == "remove" else key)


def check_name(key: str) -> Refusal | None:
    """Refuse what can't be the name of a field or of an item."""
    try:
        key.encode()
    except UnicodeEncodeError:
        return Refusal(Reason.USAGE, "a field's name is not valid UTF-8 text")
    if len(key) > MAX_KEY_CHARACTERS:
        return Refusal(
            Reason.TOO_LARGE,
            f"the field's name {shown(key, 20)} has {len(key)} characters; at most"
            f" {MAX_KEY_CHARACTERS} are allowed",
        )
    folded = fold_key(key)
    if not any(char.isalnum() for char in folded) or not all(map(_is_of_a_name, folded)):
        return _no_name(key)
    return None


def _is_of_a_name(char: str) -> bool:
    return char.isalnum() or char in _ALLOWED or unicodedata.category(char)[0] == "M"


def _no_name(key: str) -> Refusal:
    return Refusal(
        Reason.USAGE,
        f"{shown(key)} is not the name of a field",
        "for example: company=ACME, goals_add=Learn Rust, env_shell=zsh",
    )
