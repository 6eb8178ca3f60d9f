"""The makers' formats that the library knows, some 120: what we need not keep up with ourselves.

It sees text in this process only, and finds nothing but places in it; judging words is left to
our own rules. Its time is quadratic in some runs of characters, so it is given windows.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from memoro.backends.masking.plain import MASKED
from memoro.backends.masking.spans import Span, is_filling

if TYPE_CHECKING:
    from collections.abc import Iterator

# These judge by the words around, or take all that follows; we have rules of our own for that.
_OURS = frozenset({"generic-token", "bearer-token", "private-key", "connection-string"})
_WINDOW = 8192
_OVERLAP = 1024
_MOST_FINDINGS = _WINDOW
_WRITTEN = {
    name.lower(): name
    for name in (
        *("API", "AWS", "CLI", "DigitalOcean", "GitHub", "GitLab", "JWT", "OpenAI", "PyPI"),
        *("SendGrid", "Twilio", "Slack", "Stripe", "Google", "Telegram", "Databricks", "Shopify"),
        *("Anthropic", "Docker", "Vault", "Linear", "Pulumi", "Grafana", "Sentry", "Postman"),
    )
}


def find_formats(text: str) -> Iterator[Span]:
    """The keys and tokens in the text whose format the library knows."""
    from redact_secret import WholeInputLimits, scan

    limits = WholeInputLimits(max_input_bytes=_WINDOW * 4, max_findings=_MOST_FINDINGS)
    for start, end in _windows(text):
        for found in scan(text[start:end], limits=limits):
            span = Span(start + found.start, start + found.end, _kind(found.type))
            secret = text[span.start : span.end]
            if found.detector not in _OURS and MASKED not in secret and not is_filling(secret):
                yield span if span.kind in kinds() else span._replace(kind="token")


@cache
def kinds() -> frozenset[str]:
    """What the library calls its findings, as we write it."""
    from redact_secret import artifact_manifest

    detectors = artifact_manifest()["detectors"]
    return frozenset(_kind(name) for detector in detectors for name in detector["types"])


def _kind(name: str) -> str:
    return " ".join(_WRITTEN.get(word, word) for word in name.split("_"))


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Cut at the last line or word that ends within a window; where none does, they overlap."""
    start = 0
    while len(text) - start > _WINDOW:
        end = start + _WINDOW
        at_line = text.rfind("\n", start + _WINDOW // 2, end) + 1
        at_word = at_line or text.rfind(" ", start + _WINDOW // 2, end) + 1
        yield start, at_word or end
        start = at_word or end - _OVERLAP
    yield start, len(text)
