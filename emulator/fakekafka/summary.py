"""A running cluster as text, for a person whose test has failed: topics, end offsets, the last requests.

The text is for reading. Tests that want to know something ask `FakeKafka` for the value.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from fakekafka.broker.cluster import Cluster
from fakekafka.broker.topics import PartitionState, Topic
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey, Offset
from fakekafka.server.router import Entry
from fakekafka.wire.message import Struct

LAST: Final = 20
"""How many requests are shown."""


def summary(cluster: Cluster, requests: Sequence[Entry]) -> str:
    """`requests`: those that are remembered, oldest first."""
    last = requests[-LAST:]
    return "\n".join(
        (
            _headline(cluster),
            *_section("topics", [_topic(cluster, topic) for topic in cluster.topics.values() if not topic.is_internal]),
            *_section(f"last {len(last)} requests of {len(requests)} remembered", [_request(entry) for entry in last]),
        )
    )


def error_names(message: Struct) -> list[str]:
    """The errors that an answer holds anywhere, each once; NONE is left out."""
    return list(dict.fromkeys(_error_names(message)))


def api_name(key: ApiKey) -> str:
    """As Kafka's documentation writes it: "ListOffsets"."""
    return key.name.title().replace("_", "")


def _headline(cluster: Cluster) -> str:
    brokers = [cluster.brokers[node_id] for node_id in sorted(cluster.brokers)]
    addresses = ", ".join(f"{broker.host}:{broker.port}" for broker in brokers)
    return f"Kafka {brokers[0].profile.release}, {_count(len(brokers), 'broker')}: {addresses}"


def _section(title: str, rows: list[tuple[str, ...]]) -> Iterator[str]:
    """A title, and the rows in columns."""
    yield f"{title}:" if rows else f"{title}: none"
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def _topic(cluster: Cluster, topic: Topic) -> tuple[str, ...]:
    ends = {state.index: _end_offset(cluster, topic, state) for state in topic.partitions}
    filled = [f"{index}: {end}" for index, end in ends.items() if end]
    if len(filled) < len(ends):
        filled.append("others: 0" if filled else "0")
    return topic.name, _count(len(ends), "partition"), "end offset " + ", ".join(filled)


def _end_offset(cluster: Cluster, topic: Topic, state: PartitionState) -> Offset | str:
    leader = cluster.brokers.get(state.leader)
    partition = None if leader is None else leader.partition(topic.name, state.index)
    return "no leader" if partition is None else partition.log.log_end_offset


def _request(entry: Entry) -> tuple[str, ...]:
    call = entry.call
    return f"{api_name(call.key)} v{call.version}", call.client_id or "(no client id)", _outcome(entry)


def _outcome(entry: Entry) -> str:
    if entry.response is not None:
        return ", ".join(error_names(entry.response)) or "ok"
    return "no answer, or not yet" if entry.outcome is None else entry.outcome.value


def _error_names(value: object) -> Iterator[str]:
    if isinstance(value, Struct):
        for name in value.FIELDS:
            found = getattr(value, name)
            if name.endswith("error_code") and found != ErrorCode.NONE:
                yield _error_name(found)
            yield from _error_names(found)
    elif isinstance(value, (list, tuple)):
        for element in value:
            yield from _error_names(element)


def _error_name(code: int) -> str:
    return ErrorCode(code).name if code in ErrorCode.__members__.values() else str(code)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
