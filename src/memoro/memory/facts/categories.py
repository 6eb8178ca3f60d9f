"""The categories of learned facts, and which one a statement's words speak for."""

from __future__ import annotations

import re
import unicodedata

CATEGORIES = (
    "architecture",
    "pattern",
    "preference",
    "gotcha",
    "project",
    "personal",
    "lesson",
    "general",
)

_WORDS = {
    "gotcha": "beware gotcha caveat careful pitfall workaround breaks flaky hangs crashes bug"
    " cuidado armadilha quebra trava falha pegadinha",
    "lesson": "lesson learned learnt turned mistake retrospective licao aprendemos aprendi"
    " aprendeu",
    "preference": "prefers prefer prefere prefiro preferred likes like dislikes dislike loves hates"
    " favourite favorite enjoys wants gosta gosto odeia adora favorito favorita quer",
    "personal": "lives live moved born birthday married wife husband son daughter allergic"
    " vegetarian vegan speaks mora moro mudou nasceu aniversario casado casada filho filha esposa"
    " marido alergico alergica fala",
    "pattern": "convention conventions always never pattern style naming idiom convencao sempre"
    " nunca padrao estilo",
    "architecture": "architecture service services microservice database schema queue cache layer"
    " module api endpoint gateway cluster server frontend backend arquitetura servico banco fila"
    " camada modulo servidor",
    "project": "project repository repo branch release deadline sprint milestone ci build deploy"
    " ticket roadmap projeto repositorio prazo entrega versao implantacao",
}
_OF_PERSONS = frozenset({"preference", "personal"})
_PERSONS = frozenset(
    {"i", "my", "user", "he", "she", "eu", "meu", "minha", "usuario", "usuaria", "ele", "ela"}
)
_BY_WORD = {word: name for name, words in _WORDS.items() for word in words.split()}


def category_of(text: str) -> str:
    """The category that most of a statement's words speak for, "general" where none does; whole
    words, English and Portuguese. The order above settles a draw."""
    plain = "".join(
        char
        for char in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(char)
    )
    words = re.findall(r"\w+", plain)
    personal = _is_of_a_person(words)
    votes: dict[str, int] = {}
    for word in set(words):
        name = _BY_WORD.get(word)
        if name is not None and (personal or name not in _OF_PERSONS):
            votes[name] = votes.get(name, 0) + 1
    return max(_WORDS, key=lambda name: votes.get(name, 0)) if votes else "general"


def _is_of_a_person(words: list[str]) -> bool:
    """Whether a statement speaks of a person: it begins with one, or with what one does. A
    configuration can "live" somewhere, too."""
    start = words[:2] if words[:1] and words[0] in ("the", "o", "a") else words[:1]
    return any(word in _PERSONS or _BY_WORD.get(word) in _OF_PERSONS for word in start)
