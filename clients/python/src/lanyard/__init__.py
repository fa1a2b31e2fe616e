"""A typed client of the Lanyard REST API."""

from . import models
from .client import Lanyard
from .errors import LanyardError
from .lists import Batch, List, Page, SyncList
from .tokens import RefreshingTokens, Tokens, TokenSource

__all__ = [
    "Batch",
    "Lanyard",
    "LanyardError",
    "List",
    "Page",
    "RefreshingTokens",
    "SyncList",
    "TokenSource",
    "Tokens",
    "models",
]
