"""Words: tokens with their role in the sentence and the form by which they are compared."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.english import ENGLISH
from memoro.memory.comparing.lexicon.entries import (
    BE,
    CONTENT,
    DROPPED,
    LONGEST_PHRASE,
    NAMED_VALUE,
    PLANNED,
    USER,
    VERB,
    Entry,
    Lexicon,
)
from memoro.memory.comparing.lexicon.kinds import KINDS
from memoro.memory.comparing.lexicon.stems import english_stem, portuguese_stem
from memoro.memory.comparing.lexicon.synonyms import SAME_NAMES
from memoro.memory.comparing.tokens.figures import with_figures
from memoro.memory.comparing.tokens.token import CODE, HAN, MARK, WORD, Token, joined
from memoro.memory.comparing.words.han import cut_han
from memoro.memory.comparing.words.languages import LEXICONS, language_of
from memoro.memory.comparing.words.word import COLON, NAME, PAUSE, POSSESSIVE, STOP, Word

_IS_AFTER = frozenset({"it", "that", "he", "she", "there", "what", "who", "here", "everything"})


def read_words(tokens: list[Token]) -> tuple[str, list[Word]]:
    """The language of the tokens (en, pt or zh) and their words."""
    language = language_of(tokens)
    if language == "zh":
        tokens = cut_han(tokens)
    tokens = with_figures(tokens, language)
    lexicon = LEXICONS[language]
    words: list[Word] = []
    at, size = 0, len(tokens)
    while at < size:
        token = tokens[at]
        if token.kind == WORD or token.kind == HAN:
            used = _read_word(tokens, at, language, lexicon, words)
        else:
            words.append(_other(token))
            used = 1
        at += used
    return language, words


def _read_word(
    tokens: list[Token], at: int, language: str, lexicon: Lexicon, words: list[Word]
) -> int:
    token = tokens[at]
    if token.key in lexicon.phrases:
        size = _phrase(tokens, at, lexicon, words)
        if size:
            return size
    if token.key[0] == "'" and language == "en":
        words.append(_clitic(token, words))
        return 1
    if token.key == "'s" or _is_label(tokens, at):
        words.append(Word(token.key, CONTENT, NAME, token.text))
        return 1
    words.extend(_looked_up(token, at == 0 or words[-1].role == STOP, language, lexicon))
    return 1


def _phrase(tokens: list[Token], at: int, lexicon: Lexicon, words: list[Word]) -> int:
    """Add the longest phrase that starts here; how many tokens it has."""
    following = tuple(token.key for token in tokens[at + 1 : at + 1 + LONGEST_PHRASE])
    for rest, entry in lexicon.phrases[tokens[at].key]:
        size = len(rest)
        if following[:size] == rest:
            text = joined(tokens, at, size + 1)
            words.append(Word(entry.canon, entry.role, tokens[at].kind, text))
            return size + 1
    return 0


def _clitic(token: Token, words: list[Word]) -> Word:
    before = words[-1] if words else None
    if token.key in ("'re", "'m") or (
        token.key == "'s" and before is not None and before.text.lower() in _IS_AFTER
    ):
        return Word("be", BE, WORD, "is")
    if token.key == "'ll":
        return Word("will", PLANNED, WORD, "will")
    if token.key == "'ve":
        return Word("have", VERB, WORD, "have")
    return Word(POSSESSIVE, POSSESSIVE if token.key == "'s" else DROPPED, WORD, token.text)


def _is_label(tokens: list[Token], at: int) -> bool:
    """Whether a capital letter is a name ("service A", "A depends on B") and no article."""
    text = tokens[at].text
    if len(text) != 1 or not text.isupper() or text == "I":
        return False
    if at > 0 and tokens[at - 1].kind != MARK:
        return True
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if text not in "AEO" or after is None or after.kind != WORD:
        return True
    entry = ENGLISH.words.get(after.key)
    return entry is not None and entry.role[0] in "VB" and after.key not in ENGLISH.also_nouns


def _looked_up(token: Token, first: bool, language: str, lexicon: Lexicon) -> list[Word]:
    key, text = token.key, token.text
    entry = lexicon.words.get(key)
    capital = text[0].isupper()
    if entry is None and language != "zh" and key[-1] == "s" and len(key) > 2:
        entry = lexicon.words.get(key[:-1])
        entry = entry if entry is not None and entry.role in ".A" else None
    if entry is not None and not (capital and not first and _is_name_like(key, entry)):
        return [Word(entry.canon, entry.role, token.kind, text)]
    if token.kind == HAN:
        return [Word(key, CONTENT, NAME, text)]
    if "-" in key and key.replace("-", "").isalpha():
        return _parts(token, language, lexicon)
    if token.kind == WORD and key in SAME_NAMES:
        return [Word(SAME_NAMES[key], CONTENT, NAME, text)]
    kind = NAME if capital else WORD
    return [Word(stem(key, language), CONTENT, kind, text)]


def _is_name_like(key: str, entry: Entry) -> bool:
    """Whether a word with a capital inside of a sentence is a name rather than that word."""
    if entry.role in (CONTENT, "A", USER):
        return False
    return entry.role[0] == VERB or key in ("will", "may", "no", "do", "as", "so")


def _parts(token: Token, language: str, lexicon: Lexicon) -> list[Word]:
    """A hyphenated word as its words ("dark-mode" is "dark mode"), unless it is an identifier."""
    parts = token.key.split("-")
    entries = [lexicon.words.get(part) for part in parts]
    plain = all(
        len(part) > 1 and (entry is None or entry.role in ".AVVpVgVi")
        for part, entry in zip(parts, entries, strict=True)
    )
    if language == "pt" and len(parts) == 2 and parts[1] in ("se", "me", "nos", "lhe", "o", "a"):
        return _looked_up(Token(token.text, parts[0], WORD), True, language, lexicon)
    if not plain or (len(parts) > 3 and not any(entries)):
        return [Word(token.key, CONTENT, CODE, token.text)]
    texts = token.text.split("-")
    return [
        Word(
            entry.canon
            if entry and entry.role in (CONTENT, NAMED_VALUE)
            else SAME_NAMES.get(part) or stem(part, language),
            CONTENT,
            WORD,
            text,
        )
        for part, entry, text in zip(parts, entries, texts, strict=True)
    ]


def stem(key: str, language: str) -> str:
    """The form by which a word is compared that no lexicon has."""
    if key in KINDS or not key.isalpha():
        return SAME_NAMES.get(key, key)
    return portuguese_stem(key) if language == "pt" else english_stem(key)


def _other(token: Token) -> Word:
    if token.kind == MARK:
        role = {",": PAUSE, ":": COLON}.get(token.key, STOP)
        return Word(token.key, role, MARK, token.text)
    if token.kind == CODE:
        return Word(SAME_NAMES.get(token.key, token.key), CONTENT, CODE, token.text)
    return Word(token.key, CONTENT, token.kind, token.text)
