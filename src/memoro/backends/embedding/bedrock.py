"""Embeddings of Amazon Bedrock.

Requests to it are signed with credentials from wherever AWS's tools keep them, and its models
differ in what they are sent; AWS's package and the model library know both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from memoro.backends.embedding.failures import (
    Endpoint,
    Failure,
    broken,
    by_status,
    late,
    unreachable,
)
from memoro.backends.embedding.provided import Answer, Ask
from memoro.backends.embedding.sending import within
from memoro.errors import ModelNotConfiguredError
from memoro.memory.recall.embedding import Purpose

if TYPE_CHECKING:
    from pydantic_ai.embeddings import EmbeddingModel

# Most models take one text a request; several requests go out at once.
_REQUEST_SECONDS = 10.0


def bedrock_ask(endpoint: Endpoint, base_url: str | None) -> Ask:
    """Requests through AWS's package, which loads with the first of them, for a second or two
    that count for none of its seconds.

    Raises:
        ModelNotConfiguredError: the package is missing.
    """
    if find_spec("boto3") is None:
        what = f"embeddings of {endpoint.name} need a package that is not installed"
        raise ModelNotConfiguredError(what, "pip install 'memoro[bedrock]'")
    model: EmbeddingModel | None = None

    def ask(texts: Sequence[str], purpose: Purpose, seconds: float) -> Answer | Failure:
        nonlocal model
        use = "query" if purpose == "query" else "document"
        try:
            connected = model = model or _connected(endpoint, base_url)
            result = within(
                seconds, lambda: asyncio.run(connected.embed(list(texts), input_type=use))
            )
        except TimeoutError:
            return late(endpoint, seconds)
        except Exception as error:  # noqa: BLE001  a malformed answer can raise anything in there
            return _failure(endpoint, error, seconds)
        return Answer([list(vector) for vector in result.embeddings], result.usage.input_tokens)

    return ask


def _connected(endpoint: Endpoint, base_url: str | None) -> EmbeddingModel:
    from pydantic_ai.embeddings.bedrock import BedrockEmbeddingModel
    from pydantic_ai.embeddings.settings import EmbeddingSettings
    from pydantic_ai.providers.bedrock import BedrockProvider

    config = import_module("botocore.config").Config(
        connect_timeout=_REQUEST_SECONDS,
        read_timeout=_REQUEST_SECONDS,
        retries={"total_max_attempts": 1},
    )
    client = (
        import_module("boto3")
        .Session()
        .client("bedrock-runtime", endpoint_url=base_url, config=config)
    )
    return BedrockEmbeddingModel(
        endpoint.model,
        provider=BedrockProvider(bedrock_client=client),
        settings=EmbeddingSettings(truncate=True),
    )


def _failure(endpoint: Endpoint, error: Exception, seconds: float) -> Failure:
    from pydantic_ai import exceptions as library

    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, library.ModelHTTPError):
        return by_status(endpoint, error.status_code, error.body)
    if isinstance(error, library.ModelTimeoutError):
        return late(endpoint, min(seconds, _REQUEST_SECONDS))
    if isinstance(error, library.ModelConnectionError):
        return unreachable(endpoint, error)
    told = " ".join(str(error).split())[:300]
    if isinstance(error, library.UserError):
        fix = "memoro config set embed_model amazon.titan-embed-text-v2:0"
        return Failure(ModelNotConfiguredError(f"{endpoint.name} can't be used: {told}", fix))
    if isinstance(error, import_module("botocore.exceptions").BotoCoreError):
        what = f"AWS is not set up for {endpoint.name}: {told}"
        return Failure(ModelNotConfiguredError(what, "export AWS_REGION=… AWS_PROFILE=…"))
    return broken(endpoint, f"the answer has another shape ({type(error).__name__})")
