"""The one exception of the client."""

from __future__ import annotations

from typing import Any

import httpx


class LanyardError(Exception):
    """An error response, or no response."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: dict[str, Any] | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        """The status of the response; 0 without a response."""
        self.code = code
        """Branch on this: a code of the API; `no_response` without a response; `http_502` and the
        like when a proxy responded; an error code of OAuth when a token could not be refreshed.
        """
        self.message = message
        self.details = details or {}
        """Further information; with `validation_error` the problems of each property."""
        self.request_id = request_id
        """Identifies the request in the log of the server. Quote it when you report a problem."""


def error_of(response: httpx.Response) -> LanyardError:
    """Returns the error that a response describes."""
    request_id = response.headers.get("x-request-id")
    try:
        error = response.json()["error"]
        return LanyardError(
            response.status_code,
            error["code"],
            error["message"],
            error.get("details"),
            request_id,
        )
    except (ValueError, KeyError, TypeError):
        return LanyardError(
            response.status_code,
            f"http_{response.status_code}",
            f"The response was {response.status_code} {response.reason_phrase}.",
            request_id=request_id,
        )
