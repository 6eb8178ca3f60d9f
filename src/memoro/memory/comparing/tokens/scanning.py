"""Scanning: the words, numbers, identifiers and marks of a text."""

from __future__ import annotations

import re

from memoro.memory.comparing.lexicon.listing import listed
from memoro.memory.comparing.normal import without_invisible
from memoro.memory.comparing.tokens.folding import folded
from memoro.memory.comparing.tokens.numerals import as_number, read_whole
from memoro.memory.comparing.tokens.token import ASSIGNED, CODE, HAN, MARK, NUMBER, WORD, Token

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_PLAIN = str.maketrans(
    {
        **{code: chr(plain) for code, plain in _WIDE.items()},
        **{"’": "'", "‘": "'", "ʼ": "'", "`": " ", "´": "'", "“": " ", "”": " ", '"': " "},
        **{"「": " ", "」": " ", "『": " ", "』": " ", "《": " ", "》": " ", "«": " ", "»": " "},
        **{
            "，": " , ",
            "、": " , ",
            "；": " ; ",
            "：": " : ",
            "。": " . ",
            "！": " ! ",
            "？": " ? ",
        },
        **{"—": " , ", "–": "-", "‐": "-", "‑": "-", "−": "-", "→": " : ", "⇒": " : ", "…": " . "},
        **{"（": " , ", "）": " , ", "(": " , ", ")": " , ", "*": " "},
    }
)
_ARROW = re.compile(r"(?<!\S)(?:[-=]>|--|-|=)(?!\S)")
_LONGEST_SPAN = 200
_OPENING, _CLOSING = "'[<{", ".,;:!?'\"]>"
_MARKS = {",": ",", ";": ";", ":": ":", ".": ".", "!": ".", "?": "."}
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_SPLIT = re.compile(r"[^,;!?:\[\]{}<>|&~^\"]+|[,;!?:]")
_MONEY = re.compile(r"((?:US|R|A|C)?[$€£¥])(\d[\d.,]{0,20})([kKmM]?)")
_ORDINAL = re.compile(r"(\d{1,4})(?:st|nd|rd|th|º|ª|°)", re.I)
_WITH_UNIT = re.compile(r"([-+]?\d[\d.,]{0,20})([a-zµ%°][a-z/%°]{0,11})", re.I)
_HYPHENED_UNIT = re.compile(r"(\d[\d.,]{0,20})-([a-z]{1,12})", re.I)
_NAMED_NUMBER = re.compile(r"([a-z]{4,20})-?(\d{1,4}(?:\.\d+){0,3})", re.I)
_ASSIGNMENT = re.compile(r"([\w.-]{1,80})=([^=\s]{1,200})")
_CODE = re.compile(r"[./\\_@#+$%=]|\d")


def scan(text: str) -> list[Token]:
    """The tokens of a text, in order; quotes, emphasis and emoji are none."""
    plain = without_invisible(text)
    tokens: list[Token] = []
    if "`" in plain:
        _scan_spans(plain, tokens)
    else:
        _scan_plain(plain, tokens)
    return [token for token in tokens if token.key]


def _scan_spans(text: str, tokens: list[Token]) -> None:
    """Text with `code`: a span of several words is one token, as its words are no sentence's."""
    for number, part in enumerate(text.split("`")):
        if number % 2 and len(part.split()) > 1 and len(part) < _LONGEST_SPAN:
            code = " ".join(part.split())
            tokens.append(Token(code, code, CODE))
        else:
            _scan_plain(part, tokens)


def _scan_plain(text: str, tokens: list[Token]) -> None:
    plain = text.translate(_PLAIN)
    for chunk in _ARROW.sub(" : ", plain).split():
        if chunk.isascii() and chunk.isalpha():
            tokens.append(Token(chunk, chunk.lower(), WORD))
        else:
            _scan_chunk(chunk, tokens)


_ABBREVIATIONS = listed(
    """
    dr. mr. mrs. ms. prof. st. sr. sra. jr. dra. e.g. i.e. vs. approx. no. nr. eng. av. etc.
    """
)


_SIGNS = frozenset("$€£¥%°")


def _scan_chunk(chunk: str, tokens: list[Token]) -> None:
    if chunk[-1] == "." and chunk.lower() in _ABBREVIATIONS:
        chunk = chunk.rstrip(".")
    core = chunk.lstrip(_OPENING)
    if core and core[0] in ",.;:" and len(core) > 1 and not core[1].isalpha():
        tokens.append(Token(core[0], _MARKS[core[0]], MARK))
        core = core[1:]
    bare = core.rstrip(_CLOSING)
    if bare[:1] in _MARKS and bare[:2] not in ("./", "..", ".") and len(bare) == 1:
        bare = ""
    if bare:
        _scan_core(bare, tokens)
    tokens.extend(Token(c, _MARKS[c], MARK) for c in core[len(bare) :][:3] if c in _MARKS)


def _scan_core(core: str, tokens: list[Token]) -> None:
    if not core.isascii() and _HAN.search(core):
        _scan_han(core, tokens)
        return
    token = read_whole(core)
    if token is not None:
        tokens.append(token)
    elif (assigned := _ASSIGNMENT.fullmatch(core)) is not None:
        name, value = assigned.groups()
        tokens.append(Token(f"{name}=", f"{name}=", ASSIGNED))
        tokens.append(read_whole(value) or Token(value, value, CODE))
    elif any(c in core for c in ",;!?:[]{}<>|&~^"):
        for piece in _SPLIT.findall(core):
            if piece in _MARKS:
                tokens.append(Token(piece, _MARKS[piece], MARK))
            else:
                _scan_word(piece, tokens)
    else:
        _scan_word(core, tokens)


def _scan_han(core: str, tokens: list[Token]) -> None:
    at = 0
    for match in _HAN.finditer(core):
        if match.start() > at:
            _scan_chunk(core[at : match.start()], tokens)
        tokens.append(Token(match.group(), match.group(), HAN))
        at = match.end()
    if at < len(core):
        _scan_chunk(core[at:], tokens)


def _scan_word(core: str, tokens: list[Token]) -> None:
    core = (
        core.strip("'.-")
        if core not in ("-", ".") and core[0] != "." and core[:2] != "--"
        else core
    )
    if core in _SIGNS:
        tokens.append(Token(core, core, WORD))
        return
    if not core or (len(core) < 3 and not any(c.isalnum() for c in core)):
        return
    if (money := _MONEY.fullmatch(core)) is not None:
        tokens += [
            as_number(money.group(2), money.group(3)),
            Token(money.group(1), money.group(1), WORD),
        ]
    elif core[0].isdigit() or core[-1].isdigit():
        _scan_figures(core, tokens)
    elif "'" in core:
        _scan_apostrophe(core, tokens)
    elif "-" in core and not _CODE.search(core) and core[0] != "-":
        tokens.append(Token(core, folded(core), WORD))
    elif _CODE.search(core):
        tokens.append(Token(core, _code_key(core), CODE))
    elif any(c.isalnum() for c in core):
        tokens.append(Token(core, folded(core), WORD))


def _code_key(core: str) -> str:
    """A code as it is compared: a path from here, and a folder, may be written in two ways."""
    if "/" not in core:
        return folded(core)
    return core.removeprefix("./").rstrip("/") or core


def _scan_figures(core: str, tokens: list[Token]) -> None:
    whole = read_whole(core)
    if whole is not None:
        tokens.append(whole)
    elif (ordinal := _ORDINAL.fullmatch(core)) is not None:
        tokens.append(Token(core, ordinal.group(1).lstrip("0") or "0", NUMBER))
    elif (unit := _WITH_UNIT.fullmatch(core) or _HYPHENED_UNIT.fullmatch(core)) is not None:
        number, name = unit.groups()
        if name in ("k", "K", "M"):
            tokens.append(as_number(number, name))
        else:
            tokens += [
                as_number(number, ""),
                Token(name, name if name == "M" else name.lower(), WORD),
            ]
    elif (named := _NAMED_NUMBER.fullmatch(core)) is not None and core[:4].isalpha():
        word, number = named.groups()
        if "-" in core:
            tokens.append(Token(core, folded(core), CODE))
        else:
            tokens += [Token(word, folded(word), WORD), as_number(number, "")]
    else:
        tokens.append(Token(core, _code_key(core), CODE))


def _scan_apostrophe(core: str, tokens: list[Token]) -> None:
    """Contractions, taken apart: "don't" is "do not", "Ana's" is "Ana" and a mark of possession."""
    word, _, ending = core.rpartition("'")
    ending = ending.lower()
    if ending == "t" and word[-1:].lower() == "n":
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(word[:-1].lower(), word[:-1])
        tokens += [Token(stem, stem.lower(), WORD), Token("not", "not", WORD)]
    elif ending in ("s", "re", "m", "ve", "ll", "d"):
        tokens += [Token(word, folded(word), WORD), Token("'" + ending, "'" + ending, WORD)]
    elif word and ending:
        tokens.append(Token(core, folded(core.replace("'", "")), WORD))
    else:
        tokens.append(Token(core, folded(core.strip("'")), WORD))
