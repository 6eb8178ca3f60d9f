"""What went wrong with a model request, in one line, and the line that mends it."""

from __future__ import annotations

import re
from typing import NamedTuple

from pydantic_ai import exceptions as library

from memoro.backends.discovery import is_loopback
from memoro.backends.reasons import in_one_line, root_of, told_in
from memoro.backends.secrets import key_fix, key_variable
from memoro.errors import (
    ModelBrokenError,
    ModelBusyError,
    ModelError,
    ModelRefusedError,
    ModelUnreachableError,
)

_NO_TOOLS = re.compile(
    r"(n't|not|no endpoints found that) support(s|ed|ing)?( the| any)? "
    r"(tools?|tool[ _-](use|calls?|calling)|functions?|function[ -]call(s|ing))\b"
    r"|(tools?|tool[ _-](use|calls?|calling|choice)|functions?|function[ -]call(s|ing))( (is|are))?"
    r" (not (supported|available|enabled)|unsupported)"
    r"|tool choice requires --|tools param requires --jinja",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"context (size|length|window)|too many tokens|prompt is too long", re.IGNORECASE
)
_START = {
    "ollama": "ollama serve",
    "lmstudio": "lms server start",
    "llamacpp": "llama-server -m MODEL.gguf",
}


_BUSY = (
    library.ModelRateLimitError,
    library.ModelQuotaExceededError,
    library.ModelUnavailableError,
)


class Endpoint(NamedTuple):
    """Whom requests go to, as messages name it.

    `name` is `provider:model`; `api_key` is known only to be kept out of messages.
    """

    name: str
    provider: str
    base_url: str
    host: str
    api_key: str | None
    connect_seconds: float
    timeout_seconds: float


class Failure(NamedTuple):
    """A request that brought no answer.

    `retry` says that asking again may help; `retry_after` is the pause in seconds that the
    provider asked for; `no_tools` that it objects to tools as such.
    """

    error: ModelError
    retry: bool = False
    retry_after: float | None = None
    no_tools: bool = False


def explain(error: Exception, endpoint: Endpoint, *, answering: bool) -> Failure:
    """Sort an error of the model library or of the network.

    With `answering` the answer had begun, so a lost connection means that it was cut off.
    """
    reason = _reason(error, endpoint)
    if isinstance(error, library.ModelConnectionError):
        return Failure(_connection(error, endpoint, reason, answering))
    status = error.status_code if isinstance(error, library.ModelHTTPError) else None
    after = error.retry_after if isinstance(error, library.ModelAPIError) else None
    if isinstance(error, _BUSY):
        spent = isinstance(error, library.ModelQuotaExceededError)
        return _busy(endpoint, reason, after, spent=spent)
    no_tools = status in (400, 404, 422, 500, 501) and bool(_NO_TOOLS.search(reason))
    if status in (408, 502, 504):
        what = f"{_who(endpoint)} did not answer in time: {reason}"
        error = ModelUnreachableError(what, "ask again")
        return Failure(error, retry=status != 408, retry_after=after)
    if isinstance(error, library.ModelServerError) or (status or 0) >= 500:
        what = f"{_who(endpoint)} failed: {reason}"
        return Failure(ModelBrokenError(what, "ask again"), True, after, no_tools)
    refusal = _refusal(error, endpoint, reason, status)
    if refusal is not None:
        return Failure(refusal, no_tools=no_tools)
    return broken(endpoint, reason)


def broken(endpoint: Endpoint, reason: str) -> Failure:
    """What came is not an answer, or not a whole one."""
    what = f"{_who(endpoint)} gave no usable answer: {reason}"
    return Failure(ModelBrokenError(what, "ask again"))


def _who(endpoint: Endpoint) -> str:
    return f"{endpoint.name} at {endpoint.host}"


def _busy(endpoint: Endpoint, reason: str, after: float | None, *, spent: bool) -> Failure:
    what = f"{_who(endpoint)} is busy: {reason}"
    fix = "wait a moment and ask again"
    if spent:
        fix = f"check the plan and the credit at {endpoint.host}"
    elif after is not None:
        what += f" (Retry-After: {after:g} s)"
        fix = f"wait {after:g} s and ask again"
    return Failure(ModelBusyError(what, fix), retry=not spent, retry_after=after)


def _refusal(
    error: Exception, endpoint: Endpoint, reason: str, status: int | None
) -> ModelRefusedError | None:
    if isinstance(error, library.ModelAuthenticationError):
        what = f"{_who(endpoint)} refused the key: {reason}"
        return ModelRefusedError(what, _key_advice(endpoint))
    if isinstance(error, library.ModelNotFoundError):
        what = f"{_who(endpoint)} was not found: {reason}"
        fix = f"memoro config set model {endpoint.provider}:MODEL"
        return ModelRefusedError(what, f"{fix}  or check the address {endpoint.base_url}")
    if isinstance(error, (library.ModelRequestRejectedError, library.UserError)) or status:
        what = f"{_who(endpoint)} refused the request: {reason}"
        too_long = isinstance(error, library.ModelContextWindowExceededError)
        if too_long or status == 413 or _CONTEXT.search(reason):
            return ModelRefusedError(what, "shorten the conversation, or choose a larger context")
        return ModelRefusedError(what, "memoro config set model PROVIDER:MODEL")
    return None


def _key_advice(endpoint: Endpoint) -> str:
    return f"check {key_variable(endpoint.provider)}:  {key_fix(endpoint.provider)}"


def _connection(
    error: library.ModelConnectionError, endpoint: Endpoint, reason: str, answering: bool
) -> ModelError:
    if not isinstance(error, library.ModelTimeoutError) and (
        answering or "without sending complete" in reason or "incomplete" in reason
    ):
        return ModelBrokenError(f"{_who(endpoint)} cut its answer off: {reason}", "ask again")
    what = f"{_who(endpoint)} can't be reached: {reason}"
    if is_loopback(endpoint.base_url):
        start = _START.get(endpoint.provider, "start the server")
        return ModelUnreachableError(what, start)
    return ModelUnreachableError(what, f"check the network and the address {endpoint.base_url}")


def _reason(error: Exception, endpoint: Endpoint) -> str:
    if isinstance(error, library.ModelTimeoutError):
        connecting = error.phase == "connect"
        seconds = endpoint.connect_seconds if connecting else endpoint.timeout_seconds
        text = f"no {'connection' if connecting else 'answer'} within {seconds:g} s"
    elif isinstance(error, library.ModelConnectionError):
        text = root_of(error)
    elif isinstance(error, library.ModelAPIError):
        text = told_in(error.body) or error.message
    elif isinstance(error, (library.UnexpectedModelBehavior, library.UserError)):
        text = error.message
    else:
        text = f"it has not the shape of an answer ({type(error).__name__})"
    return in_one_line(text, endpoint.api_key)
