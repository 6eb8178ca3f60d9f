"""The language of a statement, and its lexicon."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.chinese import CHINESE
from memoro.memory.comparing.lexicon.english import ENGLISH
from memoro.memory.comparing.lexicon.entries import Lexicon
from memoro.memory.comparing.lexicon.listing import listed
from memoro.memory.comparing.lexicon.portuguese import PORTUGUESE
from memoro.memory.comparing.tokens.token import HAN, WORD, Token

LEXICONS: dict[str, Lexicon] = {"en": ENGLISH, "pt": PORTUGUESE, "zh": CHINESE}
_ONLY_ENGLISH = listed(
    """
    the is are of to and with for user uses lives works from by on not does doesn't an was has
    have prefers likes wants it's i my that now should must when after before never always in
    at runs be will his her their we our this which needs owns they
    """
)
_ONLY_PORTUGUESE = listed(
    """
    o um uma de da dos das em na nas com para que nao usuario usuaria utilizador utilizadora
    prefere gosta usa mora trabalha quer sao foram foi esta pelo pela ao aos à mais sempre
    nunca agora é está eu meu minha seu sua tem fica por num numa sem ou mas quando depois
    antes vive fala moro trabalho uso gosto prefiro tenho vivo nos
    """
)
_TELLING = 80
"""So many tokens tell the language of a text."""
_PORTUGUESE_LETTERS = frozenset("ãõçáâêéíóôúà")


def language_of(tokens: list[Token]) -> str:
    """The language that most of the telling words belong to; English where none does."""
    english = portuguese = han = 0
    for token in tokens[:_TELLING]:
        if token.kind == HAN:
            han += 2
        elif token.kind == WORD:
            key = token.key
            english += 2 * (key in _ONLY_ENGLISH) + (key in ENGLISH.words)
            portuguese += 2 * (key in _ONLY_PORTUGUESE) + (key in PORTUGUESE.words)
            if not token.text.isascii() and _PORTUGUESE_LETTERS & set(token.text.lower()):
                portuguese += 2
    if han and han >= max(english, portuguese):
        return "zh"
    return "pt" if portuguese > english else "en"
