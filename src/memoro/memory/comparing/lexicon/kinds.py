"""Kinds of values that rule each other out: two of one kind are two answers to one question."""

from __future__ import annotations

from memoro.memory.comparing.lexicon.listing import listed

_KINDS = """
indentation: tab space
quote: single double
theme: dark light
length: short detailed medium
editor: vim neovim emacs vscode sublime nano helix zed atom intellij pycharm webstorm goland eclipse
editor: xcode notepad++ kakoune kate gedit rider clion cursor micro textmate android-studio
shell: bash zsh fish powershell nushell tcsh ksh dash xonsh
terminal: alacritty kitty wezterm iterm iterm2 ghostty konsole tmux zellij windows-terminal hyper
operating-system: linux macos windows ubuntu debian fedora arch nixos freebsd openbsd centos rhel
operating-system: mint manjaro alpine android ios popos chromeos suse opensuse gentoo
database: postgres mysql mariadb sqlite oracle mongodb cassandra cockroachdb duckdb clickhouse
database: dynamodb firestore couchdb sql-server neo4j supabase planetscale elasticsearch influxdb
cache: redis memcached valkey dragonfly
programming: python javascript typescript go rust java kotlin scala ruby php c c++ c# perl lua swift
programming: haskell elixir erlang clojure ocaml f# r julia dart zig nim elm fortran cobol
programming: objective-c
programming: groovy bash coffeescript v crystal solidity matlab vb.net racket
package-manager: npm pnpm yarn bun pip uv poetry pipenv conda hatch rye pdm cargo maven gradle brew
build-tool: make just ninja bazel cmake webpack vite rollup esbuild parcel turbopack gulp grunt sbt
test-tool: pytest unittest nose jest vitest mocha jasmine ava junit testng rspec minitest cypress
test-tool: playwright selenium puppeteer karma
linter: ruff flake8 pylint eslint biome tslint rubocop golangci-lint clippy oxlint
formatter: black yapf prettier gofmt rustfmt clang-format autopep8 dprint
type-checker: mypy pyright basedpyright pyre pytype
web-framework: django flask fastapi rails ruby-on-rails express koa nestjs spring-boot laravel gin
web-framework: phoenix sinatra aiohttp starlette litestar actix axum fiber echo tornado
ui-framework: react vue angular svelte solid preact ember lit qwik next.js nuxt sveltekit remix
ui-framework: astro
mobile: flutter react-native ionic cordova xamarin maui capacitor expo nativescript
css: tailwind bootstrap bulma sass less styled-components
orm: sqlalchemy prisma typeorm sequelize hibernate drizzle peewee
cloud: aws gcp azure heroku digitalocean linode hetzner vercel netlify cloudflare fly.io render
cloud: oracle-cloud ovh scaleway railway
object-store: s3 r2 gcs minio b2
orchestrator: kubernetes nomad swarm ecs mesos
container: docker podman containerd
infrastructure: terraform pulumi ansible chef puppet cloudformation opentofu
ci: jenkins circleci github-actions gitlab-ci travis buildkite teamcity drone woodpecker
ci: bitbucket-pipelines azure-pipelines
code-host: github gitlab bitbucket gitea codeberg forgejo sourcehut
version-control: git mercurial subversion svn jujutsu perforce fossil
tracker: jira linear trello asana notion youtrack clickup shortcut basecamp monday.com
chat: slack discord zulip mattermost teams microsoft-teams telegram whatsapp signal irc
chat: 钉钉 飞书 微信
video: zoom google-meet jitsi webex skype
notes: obsidian evernote onenote logseq roam joplin bear
browser: firefox chrome safari edge brave opera vivaldi chromium arc
design: figma sketch penpot canva
queue: kafka rabbitmq sqs nats pulsar celery zeromq activemq pubsub
protocol: http https grpc rest graphql websocket websockets soap mqtt amqp tcp udp sse
data-format: json yaml toml xml csv protobuf ini parquet avro msgpack
document-format: pdf docx markdown html latex asciidoc epub plaintext
monitoring: prometheus datadog grafana newrelic sentry zabbix nagios cloudwatch
model: gpt claude gemini llama mistral qwen deepseek
merge-strategy: merge rebase squash
naming: snake-case camel-case kebab-case pascal-case
environment: production staging development test
drink: coffee tea water juice beer wine soda cola milk mate espresso chimarrao 咖啡 茶
diet: vegetarian vegan omnivore pescatarian carnivore
marital: single married divorced engaged widowed separated relationship
contact: call phone-call phone @email @phone email chat sms message letter text meeting
colour: red green blue yellow orange purple pink black white grey gray brown teal violet navy
colour: preto branco amarelo roxo rosa cinza laranja marrom 红色 蓝色 绿色 黑色 白色
season: spring summer autumn winter
daypart: morning afternoon evening noon midday lunchtime night
tone: formal informal casual friendly professional neutral playful sarcastic serious
tone: polite blunt direct 正式 随意
measure: metric imperial celsius fahrenheit
level: beginner intermediate advanced expert junior senior
amount: low medium high
tier: free pro premium enterprise basic
place-of-work: remote onsite office hybrid @home home
work-time: part-time full-time
transport: car bus train bike bicycle metro subway tram motorcycle scooter plane
seat: window aisle
side: left right
status: done in-progress paused cancelled blocked open closed merged pending archived active
status: inactive
status: draft approved rejected accepted planned shipped released reverted failing passing broken
status: green red yellow up down live offline online deprecated stable beta alpha experimental
status: maintenance production development review design planning discovery pilot testing
status: fix approve cancel reject revert archive close merge
status: available unavailable healthy degraded running stopped started failed
switch: enabled disabled on off true false active inactive
access: public private internal
access-mode: read-only writable read-write
rule: allowed forbidden
duty: mandatory optional
sync: sync async synchronous asynchronous
speed: quick slow
scale: small big medium
bound: min-bound max-bound
frequency: daily weekly monthly yearly hourly nightly fortnightly biweekly quarterly
number-mode: serial parallel sequential concurrent
automation: manual automatic
speech: english portuguese spanish french german italian dutch polish russian chinese japanese
speech: korean
speech: arabic hindi turkish swedish danish norwegian finnish greek hebrew czech ukrainian romanian
speech: mandarin cantonese vietnamese thai british-english american-english hungarian catalan
speech: espanhol frances alemao italiano russo chines japones coreano holandes polones arabe sueco
speech: british american brazilian european brasileiro
language-mode: examples prose
"""


def _by_name(table: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in table.strip().splitlines():
        kind, _, names = line.partition(": ")
        for name in names.split():
            found[name] = (*found.get(name, ()), kind)
    return found


KINDS = _by_name(_KINDS)
"""The kinds that a value belongs to, by its word."""

MANY_AT_ONCE = frozenset({"programming", "speech", "environment", "language-mode", "protocol"})
"""Kinds of which a person or project has several at once without any of them being replaced."""

STATES = listed(
    """
    status switch access access-mode rule duty sync speed scale tone diet marital colour theme
    length frequency automation number-mode amount level
    """
)
"""Kinds of what something is, rather than of what it has."""

TEXTS = frozenset({"answer", "explanation", "comment", "message", "summary", "documentation"})
"""What is written in one language at a time."""

FREE_CHOICE = frozenset({"daypart", "speech", "tone", "length"})
"""Kinds that say how a wish is to be met, also after a preposition ("answers in German")."""

ONE_AT_A_TIME = (
    STATES
    | {"place-of-work", "work-time"}
    | {"cloud", "ci", "code-host", "orchestrator", "version-control"}
)
"""Kinds of which a thing has one at a time, whatever the verb."""

OPPOSITES = frozenset({"switch", "access", "rule", "duty", "sync", "automation", "speed"})
