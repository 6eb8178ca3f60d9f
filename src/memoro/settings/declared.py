"""Every setting, declared once."""

from typing import Literal, NamedTuple

Kind = Literal["text", "bytes", "seconds", "choice", "list", "names"]


class Setting(NamedTuple):
    """One setting: its name in the file, its variable, its default, and what it is for."""

    name: str
    env: str
    default: str
    kind: Kind
    help: str
    choices: tuple[str, ...] = ()


_ON_OFF = ("on", "off")

SETTINGS: tuple[Setting, ...] = (
    Setting("model", "MEMORO_MODEL", "", "text", "the model of chats, as provider:model"),
    Setting(
        "learn",
        "MEMORO_LEARN",
        "auto",
        "choice",
        "whether conversations are learned from; off switches all of it off",
        ("auto", "review", "off"),
    ),
    Setting(
        "max_facts",
        "MEMORO_MAX_FACTS",
        "500",
        "bytes",
        "how many learned facts a scope has; the weakest beyond go to the archive",
    ),
    Setting(
        "memory_graph",
        "MEMORO_MEMORY_GRAPH",
        "on",
        "choice",
        "whether the graph of memory is kept with the store; off derives it each time",
        _ON_OFF,
    ),
    Setting(
        "mirror",
        "MEMORO_MIRROR",
        "on",
        "choice",
        "whether memory also stands in plain files, in the folder memory of Memoro's home, and is "
        "taken from there where it was edited",
        _ON_OFF,
    ),
    Setting(
        "tools",
        "MEMORO_TOOLS",
        "auto",
        "choice",
        "whether tools are offered to the model; auto asks it",
        ("auto", "on", "off"),
    ),
    Setting("soul_bytes", "MEMORO_SOUL_BYTES", "8192", "bytes", "limit of SOUL.md"),
    Setting("profile_bytes", "MEMORO_PROFILE_BYTES", "8192", "bytes", "limit of USER.md"),
    Setting(
        "facts_bytes",
        "MEMORO_FACTS_BYTES",
        "8192",
        "bytes",
        "limit of the global saved facts in a prompt",
    ),
    Setting(
        "context_bytes",
        "MEMORO_CONTEXT_BYTES",
        "262144",
        "bytes",
        "limit of one request: prompt, tools and conversation",
    ),
    Setting(
        "model_timeout", "MEMORO_MODEL_TIMEOUT", "120", "seconds", "how long a model may be silent"
    ),
    Setting(
        "max_output_tokens",
        "MEMORO_MAX_OUTPUT_TOKENS",
        "",
        "bytes",
        "limit of one answer in tokens; the provider's own where it is empty",
    ),
    Setting(
        "local_context",
        "MEMORO_LOCAL_CONTEXT",
        "8192",
        "bytes",
        "context of a local: model in tokens",
    ),
    Setting(
        "local_servers",
        "MEMORO_LOCAL_SERVERS",
        "",
        "list",
        "where local servers are looked for, as provider=URL, separated by commas",
    ),
    Setting(
        "lock_seconds",
        "MEMORO_LOCK_SECONDS",
        "10",
        "seconds",
        "how long to wait for another process that writes",
    ),
    Setting(
        "openai_base_url",
        "OPENAI_BASE_URL",
        "",
        "text",
        "an OpenAI-compatible endpoint other than OpenAI's own",
    ),
    Setting(
        "anthropic_base_url",
        "ANTHROPIC_BASE_URL",
        "",
        "text",
        "an endpoint other than Anthropic's own",
    ),
    Setting(
        "embed_provider",
        "MEMORO_EMBED_PROVIDER",
        "static",
        "choice",
        "what makes vectors of texts for recall: static and onnx on this machine, the others by "
        "sending the texts to that provider; off leaves recall to words",
        ("static", "off", "onnx", "openai", "voyage", "google", "bedrock"),
    ),
    Setting(
        "embed_model",
        "MEMORO_EMBED_MODEL",
        "",
        "text",
        "the provider's model for vectors, or the folder of an onnx one; the provider's usual one "
        "where it is empty",
    ),
    Setting(
        "embed_base_url",
        "MEMORO_EMBED_BASE_URL",
        "",
        "text",
        "where vectors are asked for, other than at the provider's own address",
    ),
    Setting(
        "memory_mode",
        "MEMORO_MEMORY_MODE",
        "full",
        "choice",
        "whether a chat is told what was learned that bears on a message: full, or off",
        ("full", "off"),
    ),
    Setting(
        "memory_characters",
        "MEMORO_MEMORY_CHARACTERS",
        "4000",
        "bytes",
        "how many characters of that a prompt has at most",
    ),
    Setting(
        "recall_hyde",
        "MEMORO_RECALL_HYDE",
        "off",
        "choice",
        "on has the model imagine an answer first when it recalls something, which finds what is "
        "said in other words; each time is one more request",
        ("off", "on"),
    ),
    Setting(
        "bootstrap.enabled",
        "MEMORO_BOOTSTRAP",
        "on",
        "choice",
        "whether instruction files are loaded",
        _ON_OFF,
    ),
    Setting(
        "bootstrap.threatscan",
        "MEMORO_THREATSCAN",
        "on",
        "choice",
        "whether planted overrides in instruction files are masked",
        _ON_OFF,
    ),
    Setting(
        "bootstrap.dir",
        "MEMORO_BOOTSTRAP_DIR",
        "",
        "text",
        "the folder of the global instruction files and rules; Memoro's home where it is empty",
    ),
    Setting(
        "bootstrap.fallback_names",
        "MEMORO_BOOTSTRAP_FALLBACK_NAMES",
        "",
        "names",
        "names that stand in for AGENTS.md where a folder has none, separated by commas",
    ),
)

BY_NAME = {setting.name: setting for setting in SETTINGS}
