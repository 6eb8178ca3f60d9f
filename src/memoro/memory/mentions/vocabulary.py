"""The words by which files, folders and branches are known for what they are."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


EXTENSIONS = words(
    """
    adoc astro avif bash bat bazel bib bicep bzl c cc cfg cjs clj cljs cmake cmd conf cpp cs csproj
    css csv cts cu cue cxx dart db diff dockerfile docx edn ejs elm env erb erl ex exs feature fish
    fs fsx gif go gql gradle graphql groovy h haml hbs hcl hh hpp hs html http ini ino ipynb jar
    java jinja jinja2 jpeg jpg js json json5 jsonc jsonl jsx jl kt kts less lhs lock log lua m4 make
    md mdx mjs mk ml mli mod mp3 mp4 mts nim nix odt parquet patch pdf pem php pl plist png po pot
    prisma properties proto ps1 pug pxd py pyi pyx rb rego rkt rmd robot rs rst sass sbt scala scss
    sh sln sol sql sqlite sqlite3 styl sum svelte svg swift tar tcl tex tf tfstate tfvars tgz toml
    ts tsv tsx txt vb vim vue wasm webp wgsl whl xcodeproj xhtml xls xlsx xml xsd xsl yaml yml zig
    zip zsh
    """
)
"""What a file's name may end in, without the dot."""

NAMES = words(
    """
    Makefile makefile GNUmakefile Dockerfile Containerfile Jenkinsfile Procfile Vagrantfile Gemfile
    Rakefile Justfile justfile Pipfile Brewfile Podfile Caddyfile Tiltfile Earthfile Fastfile
    Guardfile Cargofile CODEOWNERS LICENSE LICENCE README CHANGELOG CONTRIBUTING COPYING NOTICE
    SConstruct BUILD.bazel WORKSPACE.bazel go.work
    """
)
"""Files that are known by their whole name."""

DOT_NAMES = words(
    """
    .gitignore .gitattributes .gitmodules .dockerignore .editorconfig .env .npmrc .nvmrc .prettierrc
    .eslintrc .babelrc .flake8 .pylintrc .coveragerc .python-version .node-version .ruby-version
    .java-version .tool-versions .mailmap .yarnrc .browserslistrc .stylelintrc .clang-format
    .clang-tidy .rubocop.yml .npmignore .envrc .helmignore .cursorrules .mcp.json
    """
)
"""Files of a project that begin with a dot."""

FOLDERS = words(
    """
    src source lib libs docs doc test tests spec specs app apps cmd pkg internal scripts script
    config configs conf bin build dist .github .gitlab .circleci .vscode .devcontainer .husky
    packages services tools examples example migrations assets public static templates benchmarks
    fixtures deploy deployments charts k8s infra terraform ansible web api server client frontend
    backend core components pages hooks utils vendor third_party node_modules target include data db
    sql proto crates modules plugins resources locales i18n notebooks e2e .memoro .agent .claude
    .cursor
    """
)
"""First folders of a path inside of a project."""

TOP_FOLDERS = words(
    """
    etc usr var home opt tmp srv mnt media root bin sbin lib boot run private Users Applications
    Library Volumes System nix snap data work workspace workspaces app code repo project projects
    src builds
    """
)
"""First folders of an absolute path; `/api/users` is none."""

PRODUCTS = words(
    """
    llama.cpp whisper.cpp node.js next.js nuxt.js vue.js react.js angular.js express.js nest.js
    three.js d3.js ember.js backbone.js alpine.js chart.js moment.js require.js electron.js solid.js
    p5.js discord.js knockout.js day.js socket.io fastify.js hapi.js koa.js meteor.js polymer.js
    preact.js riot.js svelte.js pdf.js bun.js phaser.js pixi.js babylon.js plotly.js leaflet.js
    stimulus.js htmx.js docs.rs lib.rs crates.rs anime.js gatsby.js video.js mermaid.js highlight.js
    inferno.js jquery.js underscore.js handlebars.js mustache.js tensorflow.js transformers.js
    asp.net vb.net ml.net
    """
)
"""What ends like a file and is none."""

OBJECTS = words(
    """
    console math logger log np process meta response request res req self this os module exports
    window document obj data_frame string std
    """
)
"""What stands before a dot in code: `console.log` is no file."""

SITES = words(
    """
    com org net io dev ai co edu gov me app sh br uk de fr pt es it nl eu us ca jp cn xyz info cloud
    tech site
    """
)
"""How a host's name ends, where a path begins with one."""

BRANCHES = words(
    """
    main master develop development dev trunk staging production prod stable next gh-pages beta
    alpha canary nightly
    """
)
"""Names that branches usually have."""

PLAIN_BRANCHES = words("master develop dev trunk gh-pages")
"""Those of them that before the word `branch` are names and not adjectives."""

BRANCH_FOLDERS = words(
    """
    feature features feat fix bugfix hotfix release releases chore refactor support topic wip
    dependabot renovate users user
    """
)
"""What stands before the first slash of a branch's name."""

PREFIXES = words("feature feat fix bugfix hotfix chore topic wip dependabot renovate")
"""Those of them that hardly any folder is called: "branches start with feat/"."""
