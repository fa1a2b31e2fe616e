"""Repeats requests that are safe to repeat."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import httpx

from .errors import LanyardError

_TRANSIENT = {429, 502, 503, 504}
_FIRST_PAUSE = 0.2
_LONGEST_PAUSE = 10.0


def pause_after(failed: int, retry_after: float) -> float:
    """Seconds before the next attempt: random, so that clients that failed together spread out."""
    limit: float = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (failed - 1))
    return retry_after + random.random() * limit


def read_retry_after(header: str | None) -> float:
    """Seconds of a `Retry-After` header, which is a number or a date. 0 without one."""
    if header is None:
        return 0.0
    if header.isdecimal():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())


def retrying(send: Callable[[], httpx.Response], patience: float) -> httpx.Response:
    """Calls `send` until the response is not about a temporary problem.

    No attempt starts more than `patience` seconds after the first one. The last response is
    returned whatever its status.
    """
    started = time.monotonic()
    failed = 1
    while True:
        problem: httpx.TransportError | None = None
        response: httpx.Response | None = None
        try:
            response = send()
        except httpx.TransportError as error:
            problem = error
        if response is not None and response.status_code not in _TRANSIENT:
            return response
        header = None if response is None else response.headers.get("retry-after")
        pause = pause_after(failed, read_retry_after(header))
        if time.monotonic() - started + pause > patience:
            if response is not None:
                return response
            raise LanyardError(0, "no_response", f"No response: {problem}.") from problem
        time.sleep(pause)
        failed += 1
