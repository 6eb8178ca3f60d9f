"""What makes the vectors for recall, as the settings name it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoro.app.models import key_of
from memoro.backends.embedding.connecting import KEY_NAMES, EmbedOptions, connect_embedder

if TYPE_CHECKING:
    from memoro.app import App
    from memoro.memory.recall.embedding import Embedder


def connect(app: App) -> Embedder | None:
    """Reach the configured embedder; None where words alone decide.

    Raises:
        ModelNotConfiguredError: a key, an address, a file or a package is missing.
    """
    settings = app.settings
    provider = settings.text("embed_provider")
    own = settings.text("openai_base_url") if provider == "openai" else ""
    keys = (key_of(app, name) for name in KEY_NAMES.get(provider, ()))
    return connect_embedder(
        EmbedOptions(
            provider,
            settings.text("embed_model"),
            settings.text("embed_base_url") or own or None,
            next((key for key in keys if key is not None), None),
        )
    )
