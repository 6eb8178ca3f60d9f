#!/bin/sh
# What Memoro does, in a home of its own: your ~/.memoro is neither read nor changed.
# Called by `make demo` as: sh docs/demo.sh .venv/bin
set -eu

bin=$(cd "${1:-.venv/bin}" && pwd)
home=$(dirname "$bin")/demo-home
PATH=$bin:$PATH
for name in $(env | sed -n 's/^\(MEMORO_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
export PATH
export MEMORO_HOME="$home"
export MEMORO_MAX_OUTPUT_TOKENS=80 # it tends to ramble

say() {
    printf '\n# %s\n' "$1"
}

run() {
    line=memoro
    shift
    for word in "$@"; do
        case $word in
        *[!A-Za-z0-9._:/=-]*) line="$line \"$word\"" ;;
        *) line="$line $word" ;;
        esac
    done
    printf '\n$ %s\n' "$line"
    memoro "$@"
}

rm -rf "$home"

say "A fact is saved once, under a key. No model is needed for that."
run memoro memory remember answer.style "Plain words, one sentence"

say "A model: the small one that comes along. It is a demonstration and not wise."
run memoro config set model local:smollm2

say "A first chat."
run memoro chat new "What is the capital of France?"

say "What a second chat will be given can be seen beforehand. Here is the part with the fact:"
printf '\n%s\n' "$ memoro context show | awk '/^── /{on = /facts/} on'"
memoro context show | awk '/^── /{on = /facts/} on'

say "That second chat."
run memoro chat new "What is a backup?"

say "A fact can be changed, and the change taken back."
run memoro memory replace answer.style "In rhymes"
run memoro memory undo
run memoro memory list

cat <<END

# Both chats are kept (memoro chat list), in the demonstration's own home:
#   $home
# Memoro itself is ready. For this shell:
#   export PATH="$bin:\$PATH"
# Then give it a model for every day, for example one of:
#   memoro config set model openai:gpt-5-mini    (and its key: memoro config set-key openai)
#   memoro config set model ollama:llama3.2      (a server on this machine)
#   memoro config set model local:smollm2        (the small one of this demonstration)
# README.md goes on from here: "Choosing a model".
END
