"""What a statement names that can be looked up, and whether it says that it is so."""

from __future__ import annotations

import re
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoro.memory.claims import Claim, claims
from memoro.memory.mentions.ranges import fit


def named(text: str) -> list[str]:
    """The claims in one word each: kind, what, and of which tool."""
    return [f"{one.kind} {one.what} {one.subject}".rstrip() for one in claims(text)]


def stance(text: str) -> list[str]:
    """What is said of each claim."""
    return ["?" if not one.sure else "no" if one.denied else "yes" for one in claims(text)]


# --- files --------------------------------------------------------------------------------


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("The entry point is src/app.py.", ["src/app.py"]),
        ("Config lives in `config/app.toml`", ["config/app.toml"]),
        ("./run.sh starts it, ~/notes/todo.md tells why", ["./run.sh", "~/notes/todo.md"]),
        ("see ../shared/lib.py", ["../shared/lib.py"]),
        ("/etc/hosts has an entry", ["/etc/hosts"]),
        ("It is in /work/site/src/app.py", ["/work/site/src/app.py"]),
        ("docker-compose.yml starts the database", ["docker-compose.yml"]),
        ("See README and the Makefile, also LICENSE", ["README", "Makefile", "LICENSE"]),
        ("The Dockerfile and .env.local count", ["Dockerfile", ".env.local"]),
        ("CI is .github/workflows/ci.yml", [".github/workflows/ci.yml"]),
        ("(see docs/guide.md)", ["docs/guide.md"]),
        ("[the guide](docs/guide.md) tells", ["docs/guide.md"]),
        ('**src/a.py**, "src/b.py"; src/c.py!', ["src/a.py", "src/b.py", "src/c.py"]),
        ("src/app.py:42 and src/b.py#L7 and src/b.py::test_x", ["src/app.py", "src/b.py"]),
        ("src/app.py's main function", ["src/app.py"]),
        ("start it --config=conf/app.toml", ["conf/app.toml"]),
        ("app/[id]/page.tsx is a route", ["app/[id]/page.tsx"]),
        ("sources are in src/ and tests in `tests/unit`", ["src/", "tests/unit"]),
        ("they live in tests/unit", ["tests/unit"]),
        ("src/api/v1 has the routes", ["src/api/v1"]),
        ("read @docs/guide.md first", ["docs/guide.md"]),
        ("倉庫/mark.txt and été/naïve.py", ["倉庫/mark.txt", "été/naïve.py"]),
        ("入口是src/main.go。配置在config/app.toml里", ["src/main.go", "config/app.toml"]),
        ("__init__.py, src/pkg/__init__.py", ["__init__.py", "src/pkg/__init__.py"]),
        ("node_modules/.bin/tsc is used", ["node_modules/.bin/tsc"]),
        ("src/path/join.py joins them", ["src/path/join.py"]),
    ],
)
def test_paths_and_names_of_files(text: str, paths: list[str]) -> None:
    assert named(text) == [f"file {path}" for path in paths]


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    "text",
    [
        "and/or, client/server, read/write, he/she, I/O, TCP/IP, CI/CD, km/h, w/o",
        "1/2 of them, 24/7, on 2024/05/01 or 01/05/2024 or 2024-05-01, at 12:30",
        "e.g. this, i.e. that, etc. and so on, U.S. rules, Ph.D. students",
        "write to a.b@example.com or x@y.org",
        "React/Node.js with Vue.js, D3.js and ASP.NET",
        "console.log is forbidden, use logger.log; process.env is read",
        "call response.json() and import os.path",
        "the test/production parity, docs/tests are outdated",
        "owner/repo and vercel/next.js and @scope/pkg",
        "GET /api/v1/users, /openapi.json, the command /help and POST /login",
        "application/json and text/html",
        "src/**/*.py and tests/*.py, ./... and src/.../x.py",
        "$HOME/.config/x.toml, ${DIR}/y.py, <path>/z.py, path/to/file.py, foo/bar.py",
        r"C:\Users\x\file.txt",
        "github.com/org/repo/blob/main/x.py",
        "rsync host:/srv/x.txt",
        "the file named Foo, a readme, my license",
        "see . or .. or / or ~ or ~/",
        "branches start with feat/ or fix/",
        "x" * 500 + ".py",
    ],
)
def test_prose_names_no_file(text: str) -> None:
    assert [one for one in named(text) if one.startswith("file ")] == []


# --- branches -----------------------------------------------------------------------------


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("text", "branches"),
    [
        ("the branch release/2.1 is frozen", ["release/2.1"]),
        ("Hotfixes go to the branch `main`.", ["main"]),
        ("Use branch `my fix` or branch 'odd-one'", ["odd-one"]),
        ("the release branch is release/2.1", ["release/2.1"]),
        ("work is on a branch called quick", ["quick"]),
        ("branches main, develop and release/2", ["main", "develop", "release/2"]),
        ("the develop branch, the `spike` branch, the v2 branch", ["develop", "spike", "v2"]),
        ("merge into main", ["main"]),
        ("merge it into develop after the review", ["develop"]),
        ("PRs target develop", ["develop"]),
        ("Releases are cut from main.", ["main"]),
        ("Work happens on feature/login-form", ["feature/login-form"]),
        ("git checkout develop", ["develop"]),
        ("it tracks origin/main", ["origin/main"]),
        ("O branch release/2.1 está congelado", ["release/2.1"]),
    ],
)
def test_branches(text: str, branches: list[str]) -> None:
    assert named(text) == [f"branch {name}" for name in branches]


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The default branch is main", "main"),
        ("the default branch is called `trunk`", "trunk"),
        ("default branch: production", "production"),
        ("A branch padrão é main", "main"),
    ],
)
def test_the_default_branch(text: str, name: str) -> None:
    assert claims(text) == (Claim("branch", name, "default"),)


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    "text",
    [
        "branch coverage is 80 %, branch protection is on, branch names matter",
        "The branch is stale; the branch is up-to-date; the default branch is protected",
        "a branch per ticket, one branch for each, branch and merge, branch merge/rebase",
        "a dev branch, a feature branch, the feature-flag branch, the main branch office",
        "push the image to production, deploy to staging, switch to dev mode",
        "push to main memory, on the main thread, from main menu",
        "the third branch, branch 3, 2 branches, branches are named fix-123",
    ],
)
def test_prose_names_no_branch(text: str) -> None:
    assert named(text) == []


# --- versions -----------------------------------------------------------------------------


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("The service is built with Go 1.23.", ["1.23 go"]),
        ("O serviço usa Go 1.23.", ["1.23 go"]),
        ("requires Python >= 3.11", [">=3.11 python"]),
        ("Python 3.11+ is required", [">=3.11 python"]),
        ("at least Python 3.10", [">=3.10 python"]),
        ("Python 3.10 or newer", [">=3.10 python"]),
        ("Python 3.12 no mínimo", [">=3.12 python"]),
        ("We use Postgres 16 and react 18.2", ["16 postgres", "18.2 react"]),
        ("PostgreSQL 15, Node.js 20, Next.js 14", ["15 postgres", "20 node", "14 next"]),
        ("Node version is 20", ["20 node"]),
        ("The Go version is 1.23", ["1.23 go"]),
        ("version 3.12 of Python", ["3.12 python"]),
        ("Django is pinned to 4.2.11", ["4.2.11 django"]),
        ("Terraform v1.6.0", ["1.6.0 terraform"]),
        ("Spring Boot 3.2, Ruby on Rails 7", ["3.2 spring-boot", "7 rails"]),
        (".NET 8 and C# 12", ["8 dotnet", "12 c#"]),
        ("react@18.2.0 and python3.11", ["18.2.0 react", "3.11 python"]),
        ("numpy==1.26.4", ["1.26.4 numpy"]),
        ("pydantic >=2.5,<3", [">=2.5 pydantic"]),
        ("postgres:16-alpine and redis:7", ["16 postgres", "7 redis"]),
        ('"react": "^18.2.0"', ["18.2.0 react"]),
        ("@types/node@20.1.0", ["20.1.0 @types/node"]),
        ("memoro 0.3.0 is out", ["0.3.0 memoro"]),
    ],
)
def test_versions(text: str, versions: list[str]) -> None:
    assert named(text) == [f"version {one}" for one in versions]


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    "text",
    [
        "In May 2024 it cost 3.50, at 3.30 pm",
        "section 3.2, figure 1.2, step 4, page 12, chapter 4.5",
        "temperature 0.7, the threshold is 0.34, a timeout of 2.5 s, weight 1.5",
        "Redis is 3x faster, Postgres 2 replicas, Kafka 3 nodes",
        "Go 2 steps back and go 1.5 km north",
        "node 12 is down",
        "He is 42 and lives at 12.5, about 3.14, ratio 16:9, John 3:16",
        "ISO 8601, RFC 2616, Python 2024, version 2.0",
        "R$ 3.50 or 1.5% or 2,500.00",
        "on 2024-05-01 at 10.30",
    ],
)
def test_other_numbers_are_no_versions(text: str) -> None:
    assert named(text) == []


# --- addresses ----------------------------------------------------------------------------


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("The dev server runs at http://localhost:5173.", ["http://localhost:5173"]),
        ("(see https://docs.example/a/b.html).", ["https://docs.example/a/b.html"]),
        ("https://en.example/wiki/Foo_(bar)", ["https://en.example/wiki/Foo_(bar)"]),
        ("https://user:secret@example.com:8443/x?y=1", ["https://example.com:8443/x?y=1"]),
        ("postgres://app:secret@db.local:5432/app", ["postgres://db.local:5432/app"]),
        ("API: 127.0.0.1:8000, NAS 10.0.0.5", ["127.0.0.1:8000", "10.0.0.5"]),
        ("ssh root@10.0.0.5", ["10.0.0.5"]),
        ("the network 10.1.2.0/24", ["10.1.2.0/24"]),
        ("db.internal:5433 and localhost:6379", ["db.internal:5433", "localhost:6379"]),
        ("it connects to kafka:9092", ["kafka:9092"]),
        ("[::1]:8080 answers", ["[::1]:8080"]),
    ],
)
def test_addresses(text: str, addresses: list[str]) -> None:
    assert named(text) == [f"address {one}" for one in addresses]


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    "text",
    [
        "step:12, line:1200, note:2024, at 12:30, ratio 16:9",
        "a@b.com, git@host.example:org/repo.git, user@host.example",
        "localhost:99999, 300.1.1.1, version 1.2.3.4, 1.2.3.4.5",
        "http:// and ://x",
    ],
)
def test_what_only_looks_like_an_address(text: str) -> None:
    assert named(text) == []


# --- what is said of them -----------------------------------------------------------------


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("src/old.py was removed", ["no"]),
        ("The old parser (src/old.py) was removed in March", ["no"]),
        ("src/a.py and src/b.py were deleted", ["no", "no"]),
        ("we deleted src/a.py, src/b.py and src/c.py", ["no", "no", "no"]),
        ("There is no Dockerfile", ["no"]),
        ("There is no Makefile; use the justfile", ["no", "yes"]),
        ("There is no Dockerfile, docker-compose.yml is used instead", ["no", "yes"]),
        ("The Dockerfile was removed and docker-compose.yml is used", ["no", "yes"]),
        ("We removed src/a.py and src/b.py is used instead", ["no", "yes"]),
        ("We don’t have a Dockerfile yet", ["no"]),
        ("src/old.py no longer exists", ["no"]),
        ("src/old.py doesn't exist", ["no"]),
        ("src/old.py is gone", ["no"]),
        ("config/app.toml is missing", ["no"]),
        ("there is no branch dev here", ["no"]),
        ("the branch dev was deleted", ["no"]),
        ("We no longer have a develop branch", ["no"]),
        ("We no longer use Python 3.9", ["no"]),
        ("Python 3.9 is no longer supported", ["no"]),
        ("It does not run on Python 3.9", ["no"]),
        ("We dropped support for Python 3.9", ["no"]),
        ("Project uses React 18, not React 17", ["yes", "no"]),
        ("Não existe Dockerfile", ["no"]),
        ("Não há Dockerfile no projeto", ["no"]),
        ("O arquivo config/app.toml foi removido", ["no"]),
        ("Não usamos mais Python 3.9", ["no"]),
    ],
)
def test_a_denial_is_told_from_a_claim(text: str, said: list[str]) -> None:
    assert stance(text) == said


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The config was moved to config/app.toml", ["yes"]),
        ("src/a.py was renamed to src/b.py", ["?", "yes"]),
        ("We migrated from Postgres 14 to Postgres 16", ["?", "yes"]),
        ("Postgres 15 was replaced by Postgres 16", ["?", "yes"]),
        ("Upgrade to Python 3.13 is planned", ["?"]),
        ("We should use Node 22", ["?"]),
        ("Create src/new.py for this", ["?"]),
        ("TODO: write docs/api.md", ["?"]),
        ("Delete src/old.py before the release", ["?"]),
        ("src/app.py was the entry point", ["?"]),
        ("src/app.py was added by Ana", ["yes"]),
        ("Previously, src/old.py handled it", ["?"]),
        ("If src/x.py is missing, run make", ["?"]),
        ("If there is no .env, the app fails", ["?"]),
        ("The build fails without config/app.toml", ["?"]),
        ("there was no Dockerfile", ["?"]),
        ("There is no Makefile target for the docs", ["?"]),
        ("The check was removed from src/app.py", ["?"]),
        ("The entry point is not src/app.py but src/main.py", ["?", "yes"]),
        ("Use src/new.py instead of src/old.py", ["yes", "?"]),
        ("Never edit src/gen.py by hand", ["yes"]),
        ("Don't delete src/keep.py", ["yes"]),
        ("Don't commit .env", ["?"]),
        ("Never push directly to main", ["yes"]),
        ("src/app.py has no type hints", ["yes"]),
        ("src/app.py needs no changes", ["yes"]),
        ("It writes report.html", ["?"]),
        ("see e.g. foo.py", ["?"]),
        ("Each package has a README.md", ["?"]),
        ("In the other repo, src/app.py is the entry", ["?"]),
        ("CPython's lib/os.py does it", ["?"]),
        ("Python 3.12 removed distutils", ["?"]),
        ("Since Python 3.11 it is in the standard library", ["?"]),
        ("In Python 3.12, distutils is gone", ["?"]),
        ("Python 3.12 is faster than Python 3.11", ["?", "?"]),
        ("Python 3.11, 3.12 and 3.13 are tested", ["?"]),
        ("Python 3.12 is required", ["yes"]),
        ("Staging runs Postgres 15", ["?"]),
        ("PostgreSQL 15 in production", ["?"]),
        ("My laptop has Node 18", ["?"]),
        ("On the server /etc/nginx/nginx.conf is used", ["?"]),
        ("In CI the tests run by scripts/ci.sh", ["yes"]),
        ("The branch feature/x was merged", ["?"]),
        ("A configuração fica no arquivo config/app.toml", ["yes"]),
        ("A versão está no Dockerfile", ["yes"]),
        ("Vamos migrar para Postgres 16", ["?"]),
        ("El archivo src/a.py ya no existe", ["?"]),
        ("Die Datei src/a.py wurde gelöscht", ["?"]),
        ("src/a.py n'existe pas", ["?"]),
        ("src/a.py 已删除", ["?"]),
        ("src/a.py не существует", ["?"]),
    ],
)
def test_only_what_is_plainly_said_of_here_and_now_is_sure(text: str, said: list[str]) -> None:
    assert stance(text) == said


@pytest.mark.requirement("Z06")
def test_a_thing_is_named_once_and_two_words_about_it_leave_it_open() -> None:
    assert claims("src/a.py, and src/a.py again") == (Claim("file", "src/a.py"),)
    assert claims("There is no src/a.py. The entry is src/a.py.") == (
        Claim("file", "src/a.py", denied=True, sure=False),
    )


@pytest.mark.requirement("Z06")
def test_several_kinds_in_their_order() -> None:
    text = "On branch `main`, src/app.py needs Go 1.23 and http://localhost:80/src/x.py"
    assert [one.kind for one in claims(text)] == ["branch", "file", "version", "address"]


# --- any text -----------------------------------------------------------------------------


VOCABULARY = """
src/app.py Dockerfile no not removed was branch main release/2.1 Go 1.23 Python >=3.11 and or , . ;
` ' " ( ) [ ] there is http://localhost:1 localhost:80 @ : / ~ \x00 \x01 é 在 não
"""
WORDS = st.sampled_from(VOCABULARY.split())


@pytest.mark.requirement("Z06")
@given(st.lists(st.one_of(WORDS, st.text(max_size=5)), max_size=40))
def test_any_text_is_understood(parts: list[str]) -> None:
    for text in (" ".join(parts), "".join(parts)):
        for one in claims(text):
            assert one.what and not re.search(r"\s", one.what)
            assert claims(text) == claims(text)


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    "text",
    [
        "1 " * 20_000, "go 1.2 " * 5_000, "src/a.py and " * 3_000, "branch " * 5_000,
        "merge a b c " * 5_000, "x@" * 20_000, "`" * 20_000, "a" * 50_000, "(" * 20_000,
        "no " * 20_000, "a.b/" * 9_000, "1.1.1.1 " * 4_000, "http://" * 4_000, "\0 and " * 5_000,
        "a-" * 20_000 + ":80", "Go" + " " * 20_000 + "1.2", "在a" * 20_000, "was moved " * 3_000,
        "merge" + " a" * 20_000, "don't " * 5_000, "version " * 5_000 + "1.2", "- " * 20_000,
    ],
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    start = perf_counter()
    claims(text)
    assert perf_counter() - start < 2.0


# --- versions against what is asked for ---------------------------------------------------


@pytest.mark.requirement("Z06")
@pytest.mark.parametrize(
    ("named", "spec", "dialect", "expected"),
    [
        ("3.11", ">=3.11", "python", "yes"),
        ("3.12", ">=3.11", "python", "maybe"),
        ("3.10", ">=3.11", "python", "no"),
        ("3", ">=3.11", "python", "yes"),
        ("4", ">=3.11,<4", "python", "no"),
        ("3.12", ">=3.11,!=3.12.1,<4", "python", "maybe"),
        (">=3.11", ">=3.11", "python", "yes"),
        (">=3.11", ">= 3.11.0", "python", "yes"),
        (">=3.11", ">=3.12", "python", "no"),
        (">=3.11", ">=3.10", "python", "no"),
        (">=3.11", "3.12", "pin", "yes"),
        (">=3.11", "3.10", "pin", "no"),
        ("<4", ">=3.11,<4", "python", "yes"),
        (">2", "1.9", "pin", "no"),
        ("1.26", "==1.26.4", "python", "yes"),
        ("1.26.3", "==1.26.4", "python", "no"),
        ("1.26.4", "==1.26.*", "python", "maybe"),
        ("2.5", "~=2.5", "python", "yes"),
        ("2.6", "~=2.5", "python", "maybe"),
        ("3.0", "~=2.5", "python", "no"),
        ("18.2", "^18.2.0", "npm", "yes"),
        ("18", "^18.2.0", "npm", "yes"),
        ("18.3", "^18.2.0", "npm", "maybe"),
        ("17", "^18.2.0", "npm", "no"),
        ("19", "^18.2.0", "npm", "no"),
        ("0.3", "^0.2.3", "npm", "no"),
        ("1.4", "~1.4.2", "npm", "yes"),
        ("1.5", "~1.4.2", "npm", "no"),
        ("20", "20.x", "npm", "yes"),
        ("20", "18 || >=20", "npm", "maybe"),
        ("16", "18 || >=20", "npm", "no"),
        ("2", "1.2 - 2.3", "npm", "maybe"),
        ("3", "1.2 - 2.3", "npm", "no"),
        ("20", "*", "npm", "maybe"),
        ("20", "latest", "npm", "maybe"),
        ("20", "lts/iron", "pin", "maybe"),
        ("1.2", "git+https://x.example/y#v1.1.0", "npm", "maybe"),
        ("1.0", "1", "cargo", "yes"),
        ("1.9", "1.2", "cargo", "maybe"),
        ("2.0", "1.2", "cargo", "no"),
        ("1.23", "1.23.4", "least", "yes"),
        ("1.24", "1.23", "least", "maybe"),
        ("1.22", "1.23", "least", "no"),
        ("16", "16", "pin", "yes"),
        ("16.1", "16", "pin", "maybe"),
        ("15", "16", "pin", "no"),
        ("1.9", "v1.9.1", "pin", "yes"),
        ("3.1", "3.11", "pin", "no"),
        ("3.13", "3.13.0rc1", "pin", "yes"),
        ("20", "", "npm", "maybe"),
    ],
)
def test_a_version_against_what_is_asked_for(
    named: str, spec: str, dialect: str, expected: str
) -> None:
    assert fit(named, spec, dialect) == expected


@pytest.mark.requirement("Z06")
@given(st.text("0123456789.><=^~!*x-|, v", max_size=40), st.sampled_from(("pin", "npm", "cargo")))
def test_any_specification_is_understood(spec: str, dialect: str) -> None:
    assert fit("1.2", spec, dialect) in ("yes", "no", "maybe")
