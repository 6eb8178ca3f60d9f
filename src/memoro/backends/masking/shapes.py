"""Keys and tokens that can be told by their shape alone: a maker's prefix, then random characters.

What everybody has is here, so that it rests on our own tests, and what the library in
`formats.py` does not know. A prefix that no word ends in needs no space before it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memoro.backends.masking.spans import Span, is_filling, is_scrambled

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Shape(NamedTuple):
    """`marks`: without one of them there is none, which is quick to see; `wordy`: words with
    hyphens can look like it, so something in it has to be scrambled."""

    kind: str
    marks: str
    pattern: str
    wordy: bool = False


_MANY_DIGITS = 6
_CLASSES = {
    "<a>": "[A-Za-z0-9]",
    "<h>": "[A-Fa-f0-9]",
    "<u>": "[A-Za-z0-9_-]",
    "<start>": "(?<![A-Za-z0-9_])",
    "<run>": "(?<![A-Za-z0-9_-])",
}
# A quantifier without an upper end stands last in its pattern, or behind a start of its own:
# nothing is read twice.
_SHAPES = (
    _Shape(
        "AWS access key",
        "AKIA ASIA ABIA ACCA A3T",
        r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}",
    ),
    _Shape("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_<a>{16,}"),
    _Shape("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{20,}", wordy=True),
    _Shape(
        "GitLab token",
        "glpat- gldt- glft- glsoat- glrt- glptt- glimt- glagent- gloas- glffct-",
        r"gl(?:pat|dt|ft|soat|rt|ptt|imt|agent|oas|ffct)-<u>{16,}(?:\.<a>{2,12}){0,2}",
    ),
    _Shape("GitLab token", "glcbt-", r"glcbt-(?:<h>{1,4}_)?<u>{16,}"),
    _Shape("GitLab token", "GR1348941", r"GR1348941<u>{16,}"),
    _Shape("Anthropic key", "sk-ant-", r"sk-ant-<u>{20,}", wordy=True),
    _Shape(
        "OpenAI key",
        "sk-proj- sk-svcacct- sk-service- sk-admin- sk-None-",
        r"sk-(?:proj|svcacct|service|admin|None)-<u>{20,}",
        wordy=True,
    ),
    _Shape("API key", "sk-", r"<start>sk-<u>{20,}", wordy=True),
    _Shape("Google key", "AIza", r"AIza<u>{30,}"),
    _Shape("Google key", "GOCSPX-", r"GOCSPX-<u>{20,}", wordy=True),
    _Shape("Google key", "ya29.", r"ya29\.[A-Za-z0-9_.-]{20,}", wordy=True),
    _Shape("Google key", "1//0", r"<start>1//0<u>{40,}", wordy=True),
    _Shape("Hugging Face token", "hf_ api_org_", r"(?:hf|api_org)_<a>{30,}"),
    _Shape("npm token", "npm_", r"npm_<a>{30,}"),
    _Shape("PyPI token", "pypi-", r"pypi-<u>{50,}", wordy=True),
    _Shape("Slack token", "xox", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}", wordy=True),
    _Shape("Slack token", "xapp-", r"xapp-\d-[A-Za-z0-9-]{20,}", wordy=True),
    _Shape("Telegram token", ":", r"(?<!\d)\d{8,10}:<u>{35}(?!<u>)"),
    _Shape("SendGrid key", "SG.", r"SG\.<u>{16,32}\.<u>{32,64}"),
    _Shape("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_<h>{32,}"),
    _Shape("Databricks token", "dapi", r"dapi<h>{32}(?:-\d)?"),
    _Shape("age key", "AGE-SECRET-KEY-1 age-secret-key-1", r"(?i:AGE-SECRET-KEY-1<a>{40,})"),
    _Shape("Stripe key", "k_live_ k_test_", r"(?:sk|rk)_(?:live|test)_<a>{10,}"),
    _Shape("Stripe key", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    _Shape("Twilio key", "SK", r"<start>SK<h>{32}(?!<h>)"),
    _Shape("Mailgun key", "key-", r"<start>key-<h>{32}(?!<h>)"),
    _Shape("Square token", "sq0csp- sq0atp-", r"sq0(?:csp|atp)-<u>{20,}", wordy=True),
    _Shape("Shopify token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_<h>{32}"),
    _Shape("Discord token", ".", r"<run>[MNO]<u>{23,27}\.<u>{6}\.<u>{27,40}(?!<u>)"),
    _Shape("Notion token", "ntn_", r"ntn_<a>{40,}"),
    _Shape(
        "Figma token", "figd_ figo_ figu_ figdr_ figoh_", r"fig[dou][a-z]?_<u>{30,}", wordy=True
    ),
    _Shape("Terraform token", ".atlasv1.", r"<start><a>{14}\.atlasv1\.<u>{60,}"),
    _Shape("Grafana token", "glc_", r"glc_[A-Za-z0-9+/=]{32,}"),
    _Shape("PlanetScale token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}"),
    _Shape("Supabase key", "sb_secret_", r"sb_secret_<u>{20,}", wordy=True),
    _Shape("Atlassian token", "ATBB ATCTT3", r"ATBB<a>{28,}|ATCTT3<u>{50,}"),
    _Shape("Dropbox token", "sl.", r"<start>sl\.(?:u\.)?<u>{100,}"),
    _Shape("Clojars token", "CLOJARS_", r"CLOJARS_<a>{60}"),
    _Shape("Fly token", "fo1_", r"fo1_<u>{40,}", wordy=True),
    _Shape("Tailscale key", "tskey-", r"tskey-[a-z]{2,10}-[A-Za-z0-9-]{20,}", wordy=True),
    _Shape("Cloudflare token", "cfut_ cfat_ cfkt_", r"cf[auk]t_<u>{40,}", wordy=True),
    _Shape("Cloudflare token", "v1.0-", r"v1\.0-<h>{24}-<h>{146}"),
    _Shape(
        "1Password key",
        "A3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    _Shape("Airtable token", "pat", r"<start>pat<a>{14}\.<h>{64}"),
    _Shape("Asana token", "/", r"(?<!\d)\d/\d{16}:<h>{32}"),
    _Shape("Artifactory token", "AKCp cmVmdGtu", r"AKCp<a>{60,}|cmVmdGtu<a>{40,}"),
    _Shape("Alibaba key", "LTAI", r"<start>LTAI<a>{12,}", wordy=True),
    _Shape("Tencent key", "AKID", r"<start>AKID<a>{32}"),
    _Shape("Facebook token", "EAA", r"<start>EAA[A-Z]<a>{80,}"),
    _Shape("CircleCI token", "CCIPAT_", r"CCIPAT_<a>{22}_<h>{40}"),
    _Shape("Contentful token", "CFPAT-", r"CFPAT-<u>{40,}", wordy=True),
    _Shape("Heroku key", "HRKU-", r"HRKU-<u>{40,}", wordy=True),
    _Shape("EasyPost key", "EZAK EZTK", r"<start>EZ[AT]K<a>{50,}"),
    _Shape("Duffel token", "duffel_", r"duffel_(?:live|test)_<u>{40,}", wordy=True),
    _Shape("Flutterwave key", "FLWSECK", r"FLWSECK(?:_TEST)?-<u>{12,}", wordy=True),
    _Shape("Adobe secret", "p8e-", r"<start>p8e-<a>{32}"),
    _Shape("Typeform token", "tfp_", r"<start>tfp_<u>{40,}", wordy=True),
    _Shape("Prefect key", "pnu_ pnb_", r"<start>pn[ub]_<a>{36}"),
    _Shape("ReadMe key", "rdme_", r"<start>rdme_<a>{60,}"),
    _Shape("Brevo key", "xkeysib-", r"xkeysib-<h>{64}-<a>{16}"),
    _Shape("Shippo token", "shippo_", r"shippo_(?:live|test)_<h>{40}"),
    _Shape("Firecrawl key", "fc-", r"<start>fc-<h>{32}(?!<h>)"),
    _Shape("Weights & Biases key", "wandb_v1_", r"wandb_v1_<u>{40,}", wordy=True),
    # What a JWT says starts with `{"`. Its header may be anything, also nothing that is in use.
    _Shape("JWT", ".eyJ .eyA", r"<run><u>{2,}\.ey[JA]<u>{4,}(?:\.<u>{2,}){0,3}"),
    _Shape("JWT", "eyJ eyA", r"<run>ey[JA]<u>{10,}\.<u>*(?:\.<u>{8,}){3}"),
)

KINDS = frozenset(shape.kind for shape in _SHAPES)


def find_shapes(text: str) -> Iterator[Span]:
    """The keys and tokens in the text that have a shape of their own."""
    for shape in _SHAPES:
        if any(mark in text for mark in shape.marks.split()):
            for match in _expression(shape.pattern).finditer(text):
                if _is_real(match[0], shape):
                    yield Span(match.start(), match.end(), shape.kind)


def _is_real(text: str, shape: _Shape) -> bool:
    if is_filling(text):
        return False
    return not shape.wordy or is_scrambled(text) or sum(map(str.isdigit, text)) >= _MANY_DIGITS


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub("<[a-z]+>", lambda name: _CLASSES[name[0]], pattern))
