"""Names of things that people write in several ways, in every language."""

from __future__ import annotations

_NAMES = """
postgres = postgresql, pg, postgre
javascript = js, ecmascript
typescript = ts
kubernetes = k8s, kube
go = golang
vscode = vs-code
node = nodejs, node.js
react = reactjs, react.js
vue = vuejs, vue.js
next.js = nextjs
neovim = nvim
python = py
macos = osx, mac-os
mongodb = mongo
elasticsearch = elastic
github-actions = gh-actions
c# = csharp, c-sharp
c++ = cpp
.net = dotnet
aws = amazon-web-services
gcp = google-cloud
whatsapp = zap
"""

SAME_NAMES = {
    other.strip(): name.strip()
    for line in _NAMES.strip().splitlines()
    for name, _, others in [line.partition(" = ")]
    for other in others.split(",")
}

SHARED = """
. frontend = frontend, front end, front-end
. backend = backend, back end, back-end
. vscode = vs code, visual studio code, vs-code
. github-actions = github actions, gh actions, github action
. visual-studio = visual studio
. aws = amazon web services
. gcp = google cloud, google cloud platform
. ruby-on-rails = ruby on rails, rails
. sql-server = sql server, ms sql
. gitlab-ci = gitlab ci
. react-native = react native
. spring-boot = spring boot
. objective-c = objective c
. windows-terminal = windows terminal
. sublime = sublime text
. google-meet = google meet
. google-docs = google docs
. microsoft-teams = microsoft teams, ms teams
. bitbucket-pipelines = bitbucket pipelines
. azure-pipelines = azure pipelines
. snake-case = snake case, snake_case
. camel-case = camel case, camelcase
. kebab-case = kebab case
. pascal-case = pascal case, pascalcase
. new-york = new york, new york city, nyc
. united-states = united states
. united-kingdom = united kingdom, great britain
"""
"""Names of several words, which are written alike in every language."""
