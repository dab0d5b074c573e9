"""A running cluster as text, for a person whose test has failed: topics, groups, conversions, the last requests.

The text is for reading. Tests that want to know something ask `FakeKafka` for the value.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.cluster import Cluster
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey, Offset
from fakekafka.server.journal import Entry
from fakekafka.state.topics import CONSUMER_OFFSETS, PartitionState, Topic
from fakekafka.storage.conversion_bill import Conversion, total
from fakekafka.texts.terminal import escaped
from fakekafka.wire.message import Struct

LAST: Final = 20
"""How many requests are shown, and how many partitions or members of one row."""


def summary(cluster: Cluster, requests: Sequence[Entry]) -> str:
    """`requests`: those that are remembered, oldest first."""
    last = requests[-LAST:]
    return "\n".join(
        (
            _headline(cluster),
            *_section("topics", [_topic(cluster, topic) for topic in cluster.topics.values() if not topic.is_internal]),
            *_section("groups", [row for broker in cluster.brokers.values() for row in _groups(broker)]),
            *_conversions(cluster),
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
    addresses = ", ".join(f"{escaped(broker.host)}:{broker.port}" for broker in brokers)
    return f"Kafka {brokers[0].profile.release}, {_count(len(brokers), 'broker')}: {addresses}"


def _section(title: str, rows: list[tuple[str, ...]]) -> Iterator[str]:
    """A title, and the rows in columns. What clients have named does not reach the terminal raw."""
    rows = [tuple(map(escaped, row)) for row in rows]
    yield f"{title}:" if rows else f"{title}: none"
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def _topic(cluster: Cluster, topic: Topic) -> tuple[str, ...]:
    """Partitions that are not named are empty."""
    ends = {state.index: _end_offset(cluster, topic, state) for state in topic.partitions}
    filled = _some([f"{index}: {end}" for index, end in ends.items() if end])
    return topic.name, _count(len(ends), "partition"), f"end offsets {filled}" if filled else "empty"


def _end_offset(cluster: Cluster, topic: Topic, state: PartitionState) -> Offset | str:
    leader = cluster.brokers.get(state.leader)
    partition = None if leader is None else leader.partition(topic.name, state.index)
    return "no leader" if partition is None else partition.log.log_end_offset


def _groups(broker: Broker) -> Iterator[tuple[str, ...]]:
    """The groups that a broker coordinates. Without their topic there are none."""
    if CONSUMER_OFFSETS not in broker.cluster.topics:
        return
    for group_id in coordinators_of(broker).groups.may_have_offsets():
        group = coordinators_of(broker).groups.classic_groups.find(group_id)
        members = _some(list(group.members)) if group is not None else ""
        committed = _some(
            [f"{topic}-{n}: {at.offset}" for topic, n, at in coordinators_of(broker).groups.offsets.of_group(group_id)]
        )
        yield (
            group_id,
            "offsets only" if group is None else group.state.value,
            f"members {members}" if members else "no members",
            f"committed {committed}" if committed else "nothing committed",
        )


def _conversions(cluster: Cluster) -> Iterator[str]:
    """What was converted or made anew, and for whom; nothing at all where all bytes stayed as they were."""
    lines = total([broker.bill for broker in cluster.brokers.values()])
    rows = [_conversion(line) for line in lines if not line.zero_copy]
    return _section("conversions", rows) if rows else iter(())


def _conversion(line: Conversion) -> tuple[str, ...]:
    into = "made anew" if line.direction == "rebuilt" else f"format {line.source} to {line.target}"
    return (
        line.topic,
        f"{line.api} v{line.version}",
        line.client_id or "(no client id)",
        into,
        _count(line.batches, "batch", "batches"),
        _count(line.records, "record"),
        f"{line.bytes_in} bytes to {line.bytes_out}",
        f"{line.cpu_ns / 1e6:.1f} ms of CPU",
    )


def _some(texts: list[str]) -> str:
    more = len(texts) - LAST
    return ", ".join(texts[:LAST]) + (f" and {more} more" if more > 0 else "")


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


def _count(number: int, what: str, several: str = "") -> str:
    return f"{number} {what}" if number == 1 else f"{number} {several or what + 's'}"
