"""The languages, programs and packages whose versions are spoken of, under one name each."""

from __future__ import annotations

from memoro.memory.mentions.vocabulary import words

_ALIASES = {
    "node.js": "node",
    "nodejs": "node",
    "golang": "go",
    "py": "python",
    "python3": "python",
    "cpython": "python",
    "postgresql": "postgres",
    "pg": "postgres",
    "mongo": "mongodb",
    "k8s": "kubernetes",
    "js": "javascript",
    "ts": "typescript",
    "reactjs": "react",
    "react.js": "react",
    "vuejs": "vue",
    "vue.js": "vue",
    "next.js": "next",
    "nextjs": "next",
    "nuxt.js": "nuxt",
    "nuxtjs": "nuxt",
    "express.js": "express",
    "angular.js": "angularjs",
    "jdk": "java",
    "openjdk": "java",
    "jre": "java",
    "tailwindcss": "tailwind",
    "scikit-learn": "sklearn",
    ".net": "dotnet",
    "rustc": "rust",
    "docker-compose": "compose",
}

_COUNTED = words(
    """
    python node java kotlin scala php ruby perl postgres mysql mariadb redis mongodb sqlite
    typescript react vue angular svelte next nuxt django laravel symfony rails ubuntu debian fedora
    alpine centos rhel macos windows android ios kubernetes docker terraform ansible kafka
    elasticsearch opensearch rabbitmq dotnet webpack vite eslint jest tailwind bootstrap pydantic
    sqlalchemy numpy pandas tensorflow cuda gcc clang gradle npm yarn pnpm deno electron flutter
    xcode unity godot prisma express graphql memcached cassandra valkey vitest playwright cypress
    airflow celery c++ c#
    """
)
"""Those of which a whole number is a version: "Postgres 16", and not "Go 2 steps back"."""

_DOTTED = words(
    """
    go rust swift dart julia elixir erlang zig haskell ocaml lua r flask fastapi click requests
    nginx helm spring bun cmake bazel maven pip poetry uv ruff pytest mypy httpx jquery prometheus
    grafana traefik istio vault consul nomad
    """
)
"""Those of which only a number with a dot is."""

_PAIRS = {
    ("spring", "boot"): "spring-boot",
    ("tailwind", "css"): "tailwind",
    ("sql", "server"): "sql-server",
    ("visual", "studio"): "visual-studio",
    ("on", "rails"): "rails",
    ("java", "se"): "java",
    ("react", "native"): "react-native",
    ("docker", "compose"): "compose",
    ("github", "actions"): "github-actions",
    ("mac", "os"): "macos",
    ("net", "core"): "dotnet",
    ("asp.net", "core"): "aspnetcore",
}

_WITH_YEARS = frozenset(("windows", "sql-server", "visual-studio"))

NO_NAMES = words(
    """
    a an the this that these those of in on at to for from with without by as and or but than then
    is are was were be been being has have had do does did not no nor if when while where which who
    it its we our you your they their i my he she his her there here now only just still also even
    about around over under below above between until since before after during per via up down out
    off into onto against within version versions v ver release released releases requires require
    required requiring uses use used using needs need needed supports support supported runs run
    running ran targets target targeting pinned pin pins locked bumped bump upgraded upgrade
    upgrading updated update moved move migrated migrate switched switch went at least most minimum
    maximum min max average total sum roughly approximately nearly almost exactly equal equals
    equal-to new old newer older latest earlier later previous next current o os um uma de da do das
    dos em no na nos nas para por com sem que e ou se mais menos usa usam usamos usar versão versões
    requer exige precisa roda rodamos desde antes depois até section chapter figure fig table step
    part page line item row column number num issue ticket pr level stage phase task story question
    answer day week month year quarter sprint milestone score rate ratio factor weight threshold
    timeout limit size width height length depth weights temperature price cost probability
    confidence alpha beta gamma delta epsilon lambda value values scale speed delay interval budget
    accuracy precision recall loss margin offset index port id code status error build commit rev
    first initial final future stable patch license licence fonts seção capítulo figura tabela passo
    linha página usd eur gbp brl r$ us$ kg ms gb mb kb tb
    """
)
"""Words before a number that are no program's name, in English and Portuguese: function words and
verbs, what a number measures or counts, parts of texts, units."""


def canonical(name: str, before: str = "") -> str:
    """The one name of a tool; `before` is the word before it, for names of two words."""
    low = name.lower().strip("`'\"")
    pair = _PAIRS.get((before.lower(), low))
    return pair or _ALIASES.get(low, low)


def is_counted(tool: str, number: int) -> bool:
    """Whether a whole number behind a tool's name is its version."""
    year = 1900 <= number <= 2100
    known = tool in _COUNTED or tool in _PAIRS.values()
    return tool in _WITH_YEARS if year else known and 0 < number < 1000


def is_known(tool: str) -> bool:
    """Whether this is a tool that everybody knows."""
    return tool in _COUNTED or tool in _DOTTED or tool in _PAIRS.values()
