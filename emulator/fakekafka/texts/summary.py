"""A running cluster as text, for a person whose test has failed: topics, groups, conversions, the last requests.

The text is for reading. Tests ask `FakeKafka` for values instead.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.cluster import Cluster
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.escaping import escaped
from fakekafka.ids import ApiKey, Offset
from fakekafka.server.journal import Entry
from fakekafka.state.topics import CONSUMER_OFFSETS, PartitionState, Topic
from fakekafka.storage.conversion_bill import Conversion, total
from fakekafka.watching.stored import StoredRecord, last_records

LAST_RECORDS: Final = 5
"""How many records of a partition are shown."""
SHOWN_BYTES: Final = 60
LAST: Final = 20
"""How many requests are shown, and how many partitions or members of one row."""


def summary(
    cluster: Cluster, requests: Sequence[Entry], rules: Sequence[object] = (), refused: Sequence[object] = ()
) -> str:
    """The whole report. `requests`: the remembered requests, oldest first. `rules`: fault rules, and
    `refused`: connections, each of which prints as one line.
    """
    last = requests[-LAST:]
    return "\n".join(
        (
            _headline(cluster),
            *_section("topics", [_topic(cluster, topic) for topic in cluster.topics.values() if not topic.is_internal]),
            *_records(cluster),
            *_section("groups", [row for broker in cluster.brokers.values() for row in _groups(broker)]),
            *_conversions(cluster),
            *(_section("faults", [(str(rule),) for rule in rules]) if rules else ()),
            *(_section("turned away", [(str(client),) for client in refused[-LAST:]]) if refused else ()),
            *_section(f"last {len(last)} requests of {len(requests)} remembered", [_request(entry) for entry in last]),
        )
    )


def api_name(key: ApiKey) -> str:
    """An API in the spelling of Kafka's documentation: "ListOffsets"."""
    return key.name.title().replace("_", "")


def _headline(cluster: Cluster) -> str:
    brokers = [cluster.brokers[node_id] for node_id in sorted(cluster.brokers)]
    addresses = ", ".join(f"{escaped(broker.host)}:{broker.port}" for broker in brokers)
    return f"Kafka {brokers[0].profile.release}, {_count(len(brokers), 'broker')}: {addresses}"


def _section(title: str, rows: list[tuple[str, ...]]) -> Iterator[str]:
    """A title, and the rows in columns. Names from clients are escaped for the terminal."""
    rows = [tuple(map(escaped, row)) for row in rows]
    yield f"{title}:" if rows else f"{title}: none"
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def _topic(cluster: Cluster, topic: Topic) -> tuple[str, ...]:
    """One topic; partitions that are not listed are empty."""
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


def _records(cluster: Cluster) -> Iterator[str]:
    """The last records of some topics; empty if there are none."""
    topics = [topic for topic in cluster.topics.values() if not topic.is_internal][:LAST]
    rows = [_record(record) for topic in topics for record in last_records(cluster, topic, LAST_RECORDS)[-LAST:]]
    return _section("last records", rows) if rows else iter(())


def _record(record: StoredRecord) -> tuple[str, ...]:
    key = "" if record.key is None else f"key {_short(record.key)}"
    value = "no value" if record.value is None else _short(record.value)
    return f"{record.topic}-{record.partition}", f"at {record.offset}", value, key


def _short(data: bytes) -> str:
    return repr(data) if len(data) <= SHOWN_BYTES else f"{data[:SHOWN_BYTES]!r}… ({len(data)} bytes)"


def _conversions(cluster: Cluster) -> Iterator[str]:
    """What was converted or rebuilt, and for which clients; empty if all bytes stayed as they were."""
    lines = total([broker.bill for broker in cluster.brokers.values()])
    rows = [_conversion(line) for line in lines if not line.zero_copy]
    return _section("conversions", rows) if rows else iter(())


def _conversion(line: Conversion) -> tuple[str, ...]:
    into = "rebuilt" if line.direction == "rebuilt" else f"format {line.source} to {line.target}"
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
    fault = "" if entry.fault is None else f"fault: {entry.fault}"
    api, client_id = f"{api_name(call.key)} v{call.version}", call.client_id or "(no client id)"
    return api, client_id, _outcome(entry), entry.gist, fault


def _outcome(entry: Entry) -> str:
    if entry.response is not None:
        return entry.error or "ok"
    return "no answer, or not yet" if entry.outcome is None else entry.outcome.value


def _count(number: int, what: str, several: str = "") -> str:
    return f"{number} {what}" if number == 1 else f"{number} {several or what + 's'}"
