"""Copies the members and certifications of an organization into SQLite, and follows their changes.

It can be killed at any time: it continues when it is started again.
"""

import json
import os
import sqlite3
import time
from typing import Any

from lanyard import Lanyard, LanyardError, RefreshingTokens, SyncList, Tokens

base_url = os.environ.get("LANYARD_URL", "http://localhost:4000")
organization = os.environ["ORGANIZATION"]

db = sqlite3.connect(os.environ.get("MIRROR", "mirror.sqlite"), timeout=5, isolation_level=None)
db.executescript(
    """pragma journal_mode = wal; pragma synchronous = full;
    create table if not exists records
      (list text, id text, record text, primary key (list, id)) strict;
    create table if not exists state
      (name text primary key, value text, is_current integer,
       saved_at text default current_timestamp) strict;"""
)


def load(name: str) -> str | None:
    row = db.execute("select value from state where name = ?", [name]).fetchone()
    return row and str(row[0])


def save(name: str, value: str, is_current: bool | None) -> None:
    statement = "insert or replace into state (name, value, is_current) values (?, ?, ?)"
    db.execute(statement, [name, value, is_current])


def load_tokens() -> Tokens:
    tokens: Tokens = json.loads(load("tokens") or os.environ["TOKENS"])
    return tokens


def copy_changes(name: str, records: SyncList[Any]) -> None:
    try:
        for batch in records.follow(load(name)):
            with db:
                db.execute("begin immediate")
                for record in batch.records:
                    row = [name, record["id"], json.dumps(record)]
                    db.execute("insert or replace into records values (?, ?, ?)", row)
                save(name, batch.position, batch.is_current)
    except LanyardError as error:
        if error.code != "resync_required":
            raise
        with db:
            db.execute("begin immediate")
            db.execute("delete from records where list = ?", [name])
            db.execute("delete from state where name = ?", [name])
        copy_changes(name, records)


tokens = RefreshingTokens(
    base_url,
    os.environ.get("CLIENT_ID", ""),
    os.environ.get("CLIENT_SECRET"),
    load=load_tokens,
    save=lambda newest: save("tokens", json.dumps(newest), None),
)
with Lanyard(base_url, tokens) as lanyard:
    while True:
        copy_changes("organization-members", lanyard.list_organization_members(organization))
        copy_changes("certifications", lanyard.list_certifications(organization))
        time.sleep(1)
