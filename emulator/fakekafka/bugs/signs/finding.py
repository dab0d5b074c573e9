"""The result of a diagnosis: which bug fits, what was seen, and how to confirm it."""

from typing import NamedTuple


class Finding(NamedTuple):
    """A bug that fits."""

    bug: str
    """The id of the bug."""
    seen: str
    """What was found, and where."""

    @property
    def confirm(self) -> str:
        """The commands that confirm the finding."""
        return f"fakekafka bugs show {self.bug}; fakekafka bugs run {self.bug}"
