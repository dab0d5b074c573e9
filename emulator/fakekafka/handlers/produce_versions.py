"""What each version of Produce can express. No other file compares its versions.

Each step of a request takes its row of `VERSIONS`: reading the sets, appending them, answering.
"""

from typing import Final, NamedTuple

from fakekafka.wire.apis.produce import ProduceRequest


class ProduceVersion(NamedTuple):
    """What requests and answers of one version have beyond those of version 0."""

    one_batch: bool
    """Whether a set is exactly one batch of format 2 (KIP-98)."""
    storage_error: bool
    """Whether a disk failure is error 56, which clients of older versions do not know (KIP-112)."""
    zstd: bool
    """Whether sets may be compressed with zstd (KIP-110)."""
    record_errors: bool
    """Whether the answer has room for the errors of single records (KIP-467)."""
    leaders: bool
    """Whether error 6 comes with the current leader and its endpoint (KIP-951)."""
    abortable: bool
    """Whether the client knows error 120, and aborts its transaction (KIP-890)."""
    adds_partitions: bool
    """Whether a partition joins the producer's transaction by being written to (KIP-890)."""
    topic_ids: bool
    """Whether topics are given by their ids instead of their names (KIP-516)."""


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
"""The row of each version."""
