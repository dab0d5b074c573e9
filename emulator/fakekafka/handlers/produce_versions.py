"""What each version of Produce can say. No other file compares its versions.

Each step of a request takes its row of `VERSIONS`: reading the sets, appending them, answering.
"""

from typing import Final, NamedTuple

from fakekafka.wire.apis.produce import ProduceRequest


class ProduceVersion(NamedTuple):
    """What requests and answers of one version have beyond those of version 0."""

    one_batch: bool
    """A set is one batch of format 2 and nothing else (KIP-98)."""
    storage_error: bool
    """A disk that fails is error 56, which clients of older versions do not know (KIP-112)."""
    zstd: bool
    """Sets may be compressed with zstd (KIP-110)."""
    record_errors: bool
    """The answer has room for what is wrong with single records (KIP-467)."""
    leaders: bool
    """The current leader is named beside error 6, with where it can be reached (KIP-951)."""
    abortable: bool
    """The client knows error 120, and aborts its transaction (KIP-890)."""
    adds_partitions: bool
    """A partition joins the producer's transaction by being written to (KIP-890)."""
    topic_ids: bool
    """Topics are called by their ids instead of their names (KIP-516)."""


def _row(version: int) -> ProduceVersion:
    return ProduceVersion(
        one_batch=version >= 3,
        storage_error=version >= 4,
        zstd=version >= 7,
        record_errors=version >= 8,
        leaders=version >= 10,
        abortable=version >= 11,
        adds_partitions=version >= 12,
        topic_ids=version >= 13,
    )


VERSIONS: Final = tuple(map(_row, range(ProduceRequest.VERSIONS.high + 1)))
"""By number of the version."""
