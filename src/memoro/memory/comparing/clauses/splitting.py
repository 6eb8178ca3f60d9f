"""Clauses: the parts of a statement that each say one thing."""

from __future__ import annotations

from memoro.memory.comparing.clauses.verbs import (
    FLAGS,
    LOOKAHEAD,
    MOSTLY_VERBS,
    is_verb,
    may_be_noun,
)
from memoro.memory.comparing.lexicon.entries import (
    AND,
    BE,
    CONTENT,
    DROPPED,
    GERUND,
    NAMED_VALUE,
    PAST,
    PREPOSITION,
    RATHER_THAN,
    USER,
    WE,
    WHEN,
)
from memoro.memory.comparing.lexicon.listing import listed
from memoro.memory.comparing.tokens.token import HAN, MARK, WORD
from memoro.memory.comparing.words.word import COLON, PAUSE, STOP, Word

_LABELS = listed(
    """
    lesson note tip rule remind reminder fact important remember preference info licao nota
    dica regra lembrete fato importante info aviso todo decision decisao 教训 注意 提示 规则
    """
)
_HEADINGS = frozenset({"command", "cmd", "script", "comando", "url", "link", "命令"})
"""What may be followed by a colon and a command, whose verb is none of the statement."""


def split(words: list[Word]) -> list[list[Word]]:
    """The clauses of a statement: at full stops, and where "and" or a comma starts a new verb."""
    found: list[list[Word]] = []
    clause: list[Word] = []
    has_verb = leading = False
    for at, word in enumerate(words):
        if word.role == STOP:
            found.append(clause)
            clause, has_verb, leading = [], False, False
            continue
        if not clause:
            leading = word.role in (PREPOSITION, WHEN, RATHER_THAN)
        if word.role in (PAUSE, AND) and leading:
            leading = word.role != PAUSE
            has_verb = False
        elif word.role in (PAUSE, AND) and has_verb and _starts_clause(words, at + 1):
            found.append(clause)
            clause, has_verb = [], False
            continue
        elif word.role == COLON:
            word = _colon(words, at, clause, has_verb)
            has_verb = has_verb or word.role == BE
        elif not has_verb:
            has_verb = is_verb(words, at)
        clause.append(word)
    found.append(clause)
    return [_without_label(one) for one in found if any(w.role != PAUSE for w in one)]


def _starts_clause(words: list[Word], at: int) -> bool:
    """Whether what follows has its own verb, so that it is more than another item of a list."""
    seen = False
    for place in range(at, min(len(words), at + LOOKAHEAD)):
        word = words[place]
        if word.role in FLAGS or (word.role in (DROPPED, AND) and not seen):
            continue
        if word.role in (PAUSE, STOP, WHEN, RATHER_THAN, COLON):
            return False
        if word.role == PREPOSITION and not (word.kind == HAN or (seen and word.key == "of")):
            return False
        if word.role[0] == "V" or word.role == BE:
            if _is_listed_noun(words, place) or (word.role == GERUND and not seen):
                return False
            if is_verb(words[at : place + LOOKAHEAD], place - at):
                return True
        seen = seen or word.role in (CONTENT, NAMED_VALUE, USER, WE) or word.role[0] == "V"
        if word.role == AND:
            return False
    return False


def _is_listed_noun(words: list[Word], at: int) -> bool:
    """ "runs tests and deploys": no object follows, so that it is a second noun."""
    after = words[at + 1] if at + 1 < len(words) else None
    ends = after is None or after.role in (PAUSE, STOP, AND, PREPOSITION)
    mostly_verb = words[at].key in MOSTLY_VERBS or words[at].role == PAST
    return may_be_noun(words[at]) and ends and not mostly_verb


def _colon(words: list[Word], at: int, clause: list[Word], has_verb: bool) -> Word:
    """A colon after a heading is a copula ("Port: 5432"), after a label or a verb a pause."""
    rest = words[at + 1 : at + 1 + LOOKAHEAD]
    end = next((n for n, word in enumerate(rest) if word.role == STOP), len(rest))
    rest = rest[:end]
    heading = [
        word for word in clause if word.role in (CONTENT, NAMED_VALUE) or word.role[0] == "V"
    ]
    if (
        heading
        and (heading[-1].key in _HEADINGS or heading[-1].role == NAMED_VALUE)
        and not has_verb
    ):
        return Word("be", BE, WORD, ":")
    if has_verb or any(is_verb(rest, n) for n in range(len(rest))):
        return Word(COLON if not has_verb else ",", COLON if not has_verb else PAUSE, MARK, ":")
    return Word("be", BE, WORD, ":")


def _without_label(clause: list[Word]) -> list[Word]:
    """A clause without "Lesson:" before it; any other heading is kept as what it is about."""
    colon = next((at for at, word in enumerate(clause) if word.role == COLON), None)
    if colon is None:
        return clause
    heading, rest = clause[:colon], clause[colon + 1 :]
    if len(heading) <= 2 and any(word.key in _LABELS for word in heading):
        return rest
    if any(word.role == PREPOSITION for word in heading):
        return [*heading, Word(",", PAUSE, MARK, ","), *rest]
    about = [word for word in heading if word.role in (CONTENT, NAMED_VALUE)]
    return [
        Word("for", PREPOSITION, WORD, "for"), *about, Word(",", PAUSE, MARK, ","), *rest,
    ]  # fmt: skip
