"""The process in which a GGUF model runs: a script, started by `local_model`, never imported.

A process of its own, because xllamacpp can't be stopped inside ours while it answers: its
destructor waits for the answer and holds the interpreter lock meanwhile. It also keeps the native
library's talk off our standard error, and a model that exhausts memory from taking Memoro along.

One line of JSON comes in (`path`, `context_tokens`, `api_key`), one goes out (`address` or
`error`). The process ends when its standard input does, so it never outlives who started it.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from typing import Any


def _serve(path: str, context_tokens: int, api_key: str) -> Any:
    xllamacpp: Any = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = context_tokens
    params.use_jinja = True
    params.verbosity = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    # Other users of this machine and pages in a browser reach loopback too: hence a key, and
    # neither a page of its own nor the endpoint that shows prompts.
    params.api_keys = [api_key]
    params.ui = False
    params.endpoint_slots = False
    params.cache_ram_mib = 256
    # Threads that wait for each other spin: with one a core, and any other work beside them, an
    # answer took three times as long.
    params.cpuparams.n_threads = max(1, (os.cpu_count() or 2) // 2)
    return xllamacpp.Server(params)


def main() -> None:
    order = json.loads(sys.stdin.readline())
    try:
        server = _serve(order["path"], order["context_tokens"], order["api_key"])
        answer = {"address": server.listening_address}
    except (ImportError, RuntimeError, AttributeError, OSError) as error:
        answer = {"error": str(error)}
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
    if "address" in answer:
        sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
