"""Units of format 2 as a draft has them: what is asked for a view of one."""

from typing import Protocol

from fakekafka.ids import Buffer
from fakekafka.records.batch import Batch


class Dialect(Protocol):
    """Where a draft has another way to read a unit of format 2."""

    def batch(self, data: Buffer) -> Batch:
        """The view of one unit. Raises `CorruptUnit` when it is too small for its header."""
