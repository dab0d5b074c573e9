"""A refusal for which HTTP itself has a status."""

from collections.abc import Mapping


class Refused(Exception):
    """The request is refused, before any operation has begun."""

    def __init__(self, status: int, reason: str, headers: Mapping[str, str] = {}) -> None:
        super().__init__(reason)
        self.status = status
        self.headers = headers
