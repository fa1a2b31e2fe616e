"""Lists, record by record, page by page, or followed from a saved position."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypedDict, TypeVar

from . import models
from .errors import LanyardError
from .transport import Transport

Record = TypeVar("Record")

_LARGEST_PAGE = 200


class Page(TypedDict, Generic[Record]):
    """One page of a list."""

    data: list[Record]
    page: models.Page


@dataclass(frozen=True)
class Batch(Generic[Record]):
    """Records that were created or changed after a position."""

    records: list[Record]
    position: str
    """Save it in one transaction with the records, and continue from it after a crash."""
    is_current: bool
    """Whether the copy is complete: the list was read to its end."""


class List(Generic[Record]):
    """A list of the API. Iterating it reads its pages to the end."""

    def __init__(
        self,
        transport: Transport,
        path: str,
        ids: Mapping[str, str],
        query: Mapping[str, object],
    ) -> None:
        self._transport = transport
        self._path = path
        self._ids = ids
        self._query = query

    def __iter__(self) -> Iterator[Record]:
        for page in self.pages():
            yield from page["data"]

    def pages(self) -> Iterator[Page[Record]]:
        """Reads the pages to the end."""
        cursor: str | None = None
        while True:
            page = self.page(cursor)
            yield page
            cursor = page["page"]["next_cursor"]
            if cursor is None:
                return

    def page(self, cursor: str | None = None) -> Page[Record]:
        """Reads one page: the first one, or the one that a cursor selects."""
        return self._read({"cursor": cursor})

    def _read(self, query: Mapping[str, object]) -> Page[Record]:
        merged = {**self._query, **query}
        if merged.get("limit") is None:
            merged["limit"] = _LARGEST_PAGE
        page: Page[Record] = self._transport.read("GET", self._path, self._ids, query=merged)
        return page


class SyncList(List[Record]):
    """A list that can be followed."""

    def follow(
        self, position: str | None = None, *, every: float | None = None
    ) -> Iterator[Batch[Record]]:
        """Returns the records that were created or changed after a saved position, in batches.

        Misses no record, whenever it is interrupted, if each position is saved with its records or
        after them. A record may come twice. Without a position it starts at the beginning. At the
        end of the list it returns, or with `every` reads on after that many seconds.

        Raises `LanyardError` with the code `resync_required` when the permissions have changed
        since the position: delete the copy, and start without a position.
        """
        place: dict[str, Any] = {} if position is None else json.loads(position)
        while True:
            reach = self._read_reach()
            if place.get("reach", reach) != reach:
                raise LanyardError(410, "resync_required", _RESYNC)
            is_current = False
            while not is_current:
                after, cursor = place.get("after"), place.get("cursor")
                try:
                    page = self._read({"updated_after": after, "cursor": cursor})
                except LanyardError as error:
                    if cursor is None or not _is_rejected_cursor(error):
                        raise
                    place = {"after": after, "reach": reach}
                    continue
                stamps = [str(record["updated_at"]) for record in _stamped(page["data"])]
                seen = max([place.get("seen") or after or "", *stamps]) or None
                cursor = page["page"]["next_cursor"]
                is_current = cursor is None
                if is_current:
                    place = {"after": seen, "reach": reach}
                else:
                    place = {"after": after, "cursor": cursor, "seen": seen, "reach": reach}
                yield Batch(page["data"], json.dumps(place), is_current)
            if every is None:
                return
            time.sleep(every)

    def _read_reach(self) -> str:
        """A text that changes with the records that the caller may read. A record that becomes
        readable keeps its `updated_at`, so reading on would never return it.
        """
        identity: models.Identity = self._transport.call("GET", "/v1/me", {})
        concerned = self._ids.get("organization_id")
        facts = sorted(
            [each["id"], each["organization_member_id"], each["role"], *each["approved_scopes"]]
            for each in identity["organizations"]
            if concerned in (None, each["id"])
        )
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]


def _stamped(records: list[Any]) -> list[dict[str, object]]:
    return records


def _is_rejected_cursor(error: LanyardError) -> bool:
    """A newer server may write cursors in another format: then the pass starts again."""
    return error.code == "validation_error" and "cursor" in error.details


_RESYNC = (
    "Your permissions have changed since this position: delete the copy, and read the list again."
)
