"""The formats that are understood, in the order in which they are listed. A new one stands here."""

from __future__ import annotations

from memoro.interchange.archives.chatgpt import FORMAT as CHATGPT
from memoro.interchange.archives.claude import FORMAT as CLAUDE
from memoro.interchange.formats import Format
from memoro.interchange.jsonl.reading import FORMAT as MEMORO
from memoro.interchange.memories.chatcli import FORMAT as CHATCLI
from memoro.interchange.memories.claude_code import FORMAT as CLAUDE_CODE
from memoro.interchange.memories.codex import FORMAT as CODEX
from memoro.interchange.memories.key_value import FORMAT as KEY_VALUE
from memoro.interchange.memories.mcp_memory import FORMAT as MCP_MEMORY
from memoro.interchange.memories.mem0 import FORMAT as MEM0
from memoro.interchange.memories.memory_md import FORMAT as MEMORY_MD

FORMATS: tuple[Format, ...] = (
    CHATCLI,
    CHATGPT,
    CLAUDE,
    CLAUDE_CODE,
    CODEX,
    KEY_VALUE,
    MEM0,
    MCP_MEMORY,
    MEMORY_MD,
    MEMORO,
)
