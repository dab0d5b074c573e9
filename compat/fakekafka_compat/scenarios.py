"""What is done in each scenario: steps of clients, and between them what is done to the broker.

A scenario with an argument ends with it: "written by kp147", "Fetch capped at 3".
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from fakekafka import StoredRecord
from fakekafka_spark.observations import Want

from fakekafka_compat.plug_ins import ALIAS, DRAFT, meets_a_plug_in
from fakekafka_compat.records import PARTITIONS, Filler, as_json, of_few_keys, raw, too_large, uid_of
from fakekafka_compat.stage import Stage
from fakekafka_compat.subject import Subject
from fakekafka_compat.table import SASL_SSL, WRITTEN_BY
from fakekafka_compat.upgrades import rolling_upgrade, upgrade

LARGEST: Final = 20_000
"""`max.message.bytes` of the topic for records that are too large."""


class Scenario(NamedTuple):
    """How a scenario is played, and its requirements."""

    play: Callable[[Stage], None]
    topic_config: Mapping[str, str] = {}
    through_link: bool = False
    """Whether clients reach the broker through a `LossyLink`."""
    brokers: int = 1
    draft: str = ""
    """A draft that the broker plays; "": none."""


def scenario_of(text: str) -> tuple[Scenario, str]:
    """A scenario and its argument, "" if it has none. Raises `KeyError` for an unknown one."""
    if text in SCENARIOS:
        return SCENARIOS[text], ""
    name, _, argument = text.rpartition(" ")
    return WITH_ARGUMENT[name], argument


def round_trip(stage: Stage) -> None:
    """Produce and read back."""
    wanted: Want = "never" if stage.expected.refused else "once"
    records = stage.new(16, wanted)
    stage.produce(records)
    stage.read(0 if stage.expected.refused else len(records))
    stage.observe(records)
    if not stage.expected.refused:
        _observe_log(stage)


def _observe_log(stage: Stage) -> None:
    """Note whether anything lies between the records, and whether a client that was to compress did so."""
    records = stage.kafka.records(stage.topic)
    offsets = {index: [each.offset for each in records if each.partition == index] for index in range(PARTITIONS)}
    gaps = [
        index
        for index, partition_offsets in offsets.items()
        if partition_offsets != list(range(len(partition_offsets)))
    ]
    stage.fact("partitions with gaps between offsets", gaps, [])
    codec = stage.cell.codec
    stage.fact("compressed with", codec if codec in {each.codec for each in records} else "none", codec)


def group(stage: Stage) -> None:
    """Two members share the topic and commit; later, one member alone goes on where they stopped."""
    name = f"readers-of-{stage.topic}"
    again: Want = "at least once"  # a rebalance may come between a poll and its commit
    for count, members in ((16, 2), (8, 1)):
        records = stage.new(count, again)
        events = stage.tell(
            {"do": "group", "reader": 0, "group": name, "members": members, "records": as_json(records)}
        )
        had = [event for event in events if event["event"] == "member" and event["partitions"]]
        stage.fact(f"members with partitions, of {members}", len(had), members)
        uids = [uid_of(raw(event["key"]), raw(event["value"])) or 0 for event in events if event["event"] == "consumed"]
        stage.fact("delivered again after the commit", sum(uid < records[0].uid for uid in uids), 0)
    ends = dict.fromkeys(range(PARTITIONS), 0)
    ends |= {record.partition: record.offset + 1 for record in stage.kafka.records(stage.topic)}
    commits = stage.kafka.committed(name)
    committed = {index: at.offset for (topic, index), at in commits.items() if topic == stage.topic}
    stage.fact("committed", sorted(committed.items()), sorted(ends.items()))
    stage.observe(stage.records)


def transactional(stage: Stage) -> None:
    """Commit, abort, commit; a read_committed consumer gets the first and the last transaction."""
    wants: tuple[Want, ...] = ("once", "never", "once")
    parts = [
        {"records": as_json(stage.new(8, want)), "end": "abort" if want == "never" else "commit"} for want in wants
    ]
    stage.tell({"do": "transactions", "transactional_id": f"writer-of-{stage.topic}", "transactions": parts})
    stage.read(16, committed_only=True)
    stage.observe(stage.records)


def idempotent(stage: Stage) -> None:
    """The answer to a Produce request is lost: the client sends the request again, and the broker recognises it."""
    stage.produce(stage.new(8), keep=True, idempotent=True)
    stage.link.lose_an_answer()
    stage.produce(stage.new(8), keep=True, idempotent=True)
    stage.produce(stage.new(8), keep=True, idempotent=True)
    stage.read(len(stage.records))
    stage.fact("answers lost", stage.link.lost, 1)
    stage.observe(stage.records)


def seek(stage: Stage) -> None:
    """Read from the first record of a time on; a partition without a later record is read from its end."""
    records = stage.new(16)
    records = [record._replace(partition=0 if record.uid < 10 or record.uid > 13 else 1) for record in records]
    begins = records[-2].timestamp  # in partition 0; all of partition 1 is earlier
    assert begins is not None
    stage.records = [
        r if r.timestamp is not None and r.timestamp >= begins else r._replace(want="never") for r in records
    ]
    stage.produce(stage.records)
    events = stage.tell({"do": "seek", "reader": 0, "timestamp": begins, "count": 2})
    sought = {event["partition"]: event["offset"] for event in events if event["event"] == "sought"}
    stage.fact("offsets at that time", sorted(sought.items()), _first_from(begins, stage.kafka.records(stage.topic)))
    stage.observe(records)


def _first_from(begins: int, records: list[StoredRecord]) -> list[tuple[int, int | None]]:
    """By partition, the first offset with this timestamp or a later one (KIP-79)."""
    firsts: dict[int, int | None] = dict.fromkeys(range(PARTITIONS))
    for record in reversed(records):
        if record.timestamp >= begins:
            firsts[record.partition] = record.offset
    return sorted(firsts.items())


def compacted(stage: Stage) -> None:
    """Only the last of the records with the same key remains."""
    for part in of_few_keys(3, 6, stage.now_ms - 1000 if stage.expected.writes else None):
        stage.produce(stage.take(part))
    last = [record for record in stage.records if record.want == "once"]
    done = stage.kafka.compact(stage.topic, roll=True)
    stage.read(len(last) + sum(isinstance(each, Filler) for each in done))
    stage.observe(last)
    remain = sorted(uid_of(record.key, record.value) or 0 for record in stage.kafka.records(stage.topic))
    stage.fact("records that remain", remain, [record.uid for record in last])


def oversize(stage: Stage) -> None:
    """The broker refuses a record that is too large, and accepts those before and after it."""
    stage.produce(stage.new(4), keep=True, max_bytes=50 * LARGEST, idempotent=False)
    (large,) = stage.new(1, "never")
    large = too_large(large, LARGEST + 10_000)
    stage.records[-1] = large
    stage.produce([large], keep=True)
    stage.produce(stage.new(4), keep=True)
    stage.read(8)
    stage.fact("errors in answers to Produce", ", ".join(_produce_errors(stage.kafka)), "MESSAGE_TOO_LARGE")
    stage.observe([record for record in stage.records if record is not large])


def _produce_errors(kafka: Subject) -> list[str]:
    """The errors in answers to Produce requests, each once."""
    answered = [entry for entry in kafka.requests.where("Produce") if entry.response and entry.error]
    return list(dict.fromkeys(name for entry in answered for name in (entry.error or "").split(", ")))


SCENARIOS: Final[Mapping[str, Scenario]] = {
    "roundtrip": Scenario(round_trip),
    "group": Scenario(group),
    "transactional": Scenario(transactional),
    "idempotent": Scenario(idempotent, through_link=True),
    "seek": Scenario(seek),
    "compacted": Scenario(compacted, {"cleanup.policy": "compact"}),
    "oversize": Scenario(oversize, {"max.message.bytes": str(LARGEST)}),
    "upgrade": Scenario(upgrade),
    "rolling upgrade": Scenario(rolling_upgrade, brokers=3),
    "plug-in": Scenario(meets_a_plug_in, {"compression.type": ALIAS}, draft=DRAFT),
}
CAPPED: Final = ("capped at", "Produce capped at", "Fetch capped at")
"""Scenarios that cap both APIs, or one of them."""
WITH_ARGUMENT: Final[Mapping[str, Scenario]] = dict.fromkeys((WRITTEN_BY, SASL_SSL, *CAPPED), Scenario(round_trip))
