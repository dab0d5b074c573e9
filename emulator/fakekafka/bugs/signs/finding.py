"""What a diagnosis says: which bug fits, what was seen, and how to be sure."""

from typing import NamedTuple


class Finding(NamedTuple):
    """A bug that fits."""

    bug: str
    """Its id."""
    seen: str
    """What fits, and where."""

    @property
    def confirm(self) -> str:
        """How to be sure."""
        return f"fakekafka bugs show {self.bug}; fakekafka bugs run {self.bug}"
