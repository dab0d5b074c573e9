"""The entries of plug-ins in the log files of a topic, without a broker."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer
from fakekafka.plugins.entry import JAVA, PluginEntry, topic_of
from fakekafka.plugins.registration import by_language
from fakekafka.records.record import Record
from fakekafka.records.scan import batches

FOLDER: Final = f"{topic_of(JAVA)}-0"
"""The directory of the partition whose entries brokers use."""


def entries_in(logs: Iterable[Buffer]) -> Mapping[str, PluginEntry]:
    """The entries in the segments of that partition, the oldest first, by alias."""
    rows = ((JAVA, bytes(r.key or b""), r.value and bytes(r.value)) for log in logs for r in _records(log))
    return by_language(rows).get(JAVA, {})


def _records(log: Buffer) -> Iterator[Record]:
    """The records that can be read."""
    try:
        for batch in batches(log):
            yield from [] if batch.is_control else batch.records()
    except MalformedBytes:
        return
