"""The whole way with real weights: what the model was given and what was kept, never what it
says."""

from __future__ import annotations

import pytest

from running import Memoro

LOCAL = {
    "MEMORO_MODEL": "local:smollm2",
    "MEMORO_MAX_OUTPUT_TOKENS": "16",
    "MEMORO_NOW": "2026-05-02T16:10:00Z",
}


@pytest.mark.weights
@pytest.mark.requirement("P06", "P10", "P13")
def test_a_fact_is_saved_and_a_chat_is_held_with_real_weights(memoro: Memoro) -> None:
    memoro.ok("memory", "remember", "answer.style", "Keep answers concise")
    shown = memoro.ok("context", "show", "--json", env=LOCAL).json
    assert "- answer.style: Keep answers concise" in shown["system"]
    assert shown["tools"] == []
    first = memoro.ok("chat", "new", "How should you answer me?", "--json", env=LOCAL).json
    assert first["reply"].strip()
    assert 0 < first["usage"]["output_tokens"] <= 16
    # The prompt's tokens: it can't have been sent without the system prompt.
    assert first["usage"]["input_tokens"] > shown["tokens"] // 2
    second = memoro.ok("chat", "send", first["session"], "And now?", "--json", env=LOCAL).json
    assert second["usage"]["input_tokens"] > first["usage"]["input_tokens"]
    kept = memoro.ok("chat", "show", first["session"], "--json").json
    assert [one["role"] for one in kept["messages"]] == ["user", "assistant"] * 2
    assert kept["messages"][1]["text"] == first["reply"]
    assert [run["model"] for run in kept["runs"]] == ["local:smollm2"] * 2
    assert kept["runs"][0]["blocks"] == {one["name"]: one["bytes"] for one in shown["blocks"]}
    assert kept["tool_log"] == []
