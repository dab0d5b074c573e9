"""One cell: a broker, a driver against it, and what both show afterwards, as observations.

What is stored comes from the broker's log and never from the client.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from fakekafka import FakeKafka
from fakekafka.client_configs import CLIENTS
from fakekafka.releases.client_versions import Spoken
from fakekafka_spark.observations import Cell, Observation, hash_of, hash_of_headers

from fakekafka_compat.driving import DriverFailed, drive
from fakekafka_compat.environments import NoEnvironment, interpreter
from fakekafka_compat.expectations import NEWEST_FORMAT, Expected, expected, not_runnable
from fakekafka_compat.scenarios import GROUP, PARTITIONS, TOPIC, Json, Record, Script, script, uid_of
from fakekafka_compat.table import Client

TIMESTAMP_TYPES: Final = {None: -1, "CreateTime": 0, "LogAppendTime": 1}
AT_ONCE: Final = {"group.initial.rebalance.delay.ms": 0}
"""A real broker's default waits three seconds for more members (KIP-134)."""


def run_cell(client: Client, cell: Cell, cache: Path) -> list[Observation]:
    """Run it; its first row says whether it ran, was skipped or failed."""
    reason = not_runnable(client, cell)
    if reason is not None:
        return [Observation("cell", value="skipped", amount=0, text=reason)]
    try:
        python = interpreter(client, cache)
    except NoEnvironment as e:
        return [Observation("cell", value="skipped", amount=0, text=str(e))]
    wanted = expected(client, cell)
    todo = script(cell.scenario, wanted, int(time.time() * 1000))
    own = AT_ONCE if cell.scenario == "group" and _has_delay(cell) else {}
    with FakeKafka(cell.release, config=own) as kafka:
        kafka.create_topic(TOPIC, PARTITIONS, {"message.format.version": cell.format} if cell.format else {})
        began = time.monotonic()
        try:
            events = drive(python, client.driver, _task(client, cell, kafka, wanted, todo))
        except DriverFailed as e:
            return [Observation("cell", value="failed", amount=1, text=f"{e}\n{kafka.summary()}")]
        took = Observation("fact", name="time of the driver", amount=1000 * (time.monotonic() - began))
        return [Observation("cell", value="ran", amount=1), took, *_observed(client, kafka, wanted, todo, events)]


def _has_delay(cell: Cell) -> bool:
    from fakekafka import Release

    return Release.parse(cell.release).line_number >= (0, 11, 0)


def _task(client: Client, cell: Cell, kafka: FakeKafka, wanted: Expected, todo: Script) -> Json:
    named = next((name for name in CLIENTS if name == client.library), None)
    settings: Json = {"bootstrap_servers": kafka.bootstrap_servers} if named is None else {**kafka.client_config(named)}
    return {
        "settings": settings,
        "release": kafka.release,
        "topic": TOPIC,
        "partitions": PARTITIONS,
        "codec": cell.codec,
        "idempotent": min(wanted.stores, wanted.writes or 0) == NEWEST_FORMAT,
        "steps": todo.steps,
    }


def _observed(
    client: Client, kafka: FakeKafka, wanted: Expected, todo: Script, events: Sequence[Json]
) -> Iterator[Observation]:
    acked = {event["uid"]: event for event in events if event["event"] == "acked"}
    for ordinal, record in enumerate(todo.records):
        yield _produced(ordinal, record, acked.get(record.uid))
    yield from _stored(kafka)
    consumed = [event for event in events if event["event"] == "consumed"]
    for ordinal, event in enumerate(consumed):
        yield _consumed(ordinal, event, wanted)
    yield from _said(client, todo, events)
    yield from _shown(kafka, wanted, todo)


def _produced(ordinal: int, record: Record, acked: Json | None) -> Observation:
    return _record("produced", record.key, record.value, record.headers)._replace(
        partition=record.partition,
        offset=None if acked is None else acked["offset"],
        ordinal=ordinal,
        timestamp=record.timestamp,
        timestamp_type=None if record.timestamp is None else 0,
        want=record.want,
    )


def _stored(kafka: FakeKafka) -> Iterator[Observation]:
    for ordinal, stored in enumerate(kafka.records(TOPIC)):
        yield _record("stored", stored.key, stored.value, stored.headers)._replace(
            partition=stored.partition,
            offset=stored.offset,
            ordinal=ordinal,
            timestamp=stored.timestamp,
            timestamp_type=TIMESTAMP_TYPES[stored.timestamp_type],
            magic=stored.magic,
        )


def _consumed(ordinal: int, event: Json, wanted: Expected) -> Observation:
    headers = event.get("headers")
    named = None if headers is None else [(name, _raw(value)) for name, value in headers]
    reads = None if wanted.fetch is None else min(wanted.stores, Spoken(0, wanted.fetch, 0).reads)
    return _record("consumed", _raw(event["key"]), _raw(event["value"]), named)._replace(
        reader=event["reader"],
        partition=event["partition"],
        offset=event["offset"],
        ordinal=ordinal,
        timestamp=event.get("timestamp"),
        timestamp_type=event.get("timestamp_type"),
        magic=reads,
    )


def _record(stage: Any, key: bytes | None, value: bytes | None, headers: Any) -> Observation:
    headers_hash = None if headers is None else hash_of_headers(headers)
    return Observation(stage, uid_of(key, value), topic=TOPIC, key_hash=hash_of(key), value_hash=hash_of(value),
                       headers_hash=headers_hash)  # fmt: skip


def _said(client: Client, todo: Script, events: Sequence[Json]) -> Iterator[Observation]:
    """What the driver said besides records."""
    versions = [event["version"] for event in events if event["event"] == "library"]
    yield _fact("version of the client", ",".join(versions), client.version)
    for event in events:
        if event["event"] in ("refused", "error"):
            yield _fact("error", event["error"], "")
        elif event["event"] == "told":
            yield _fact("message", event["error"], None)
    members = [event for event in events if event["event"] == "member" and event["partitions"]]
    yield _fact("members with partitions", str(len(members)), str(todo.members))
    if todo.resumes_at:
        left = [n for n, event in enumerate(events) if event["event"] == "member"][: todo.members - 1]
        later = [event for event in events[left[-1] :] if event["event"] == "consumed"] if left else []
        uids = [uid_of(_raw(event["key"]), _raw(event["value"])) or 0 for event in later]
        yield _fact("delivered again after the commit", str(sum(uid < todo.resumes_at for uid in uids)), "0")


def _shown(kafka: FakeKafka, wanted: Expected, todo: Script) -> Iterator[Observation]:
    """What the broker shows besides records."""
    used = kafka.versions_used
    for api, version in (("Produce", wanted.produce), ("Fetch", wanted.fetch)):
        yield _fact(f"version {api}", _joined(used.get(api, ())), None if version is None else str(version))
    for api in used.keys() - {"Produce", "Fetch"}:
        yield _fact(f"version {api}", _joined(used[api]), None)
    yield _fact("stored format", _joined({record.magic for record in kafka.records(TOPIC)}), str(wanted.stores))
    lines = [line for line in kafka.conversions() if line.topic == TOPIC and line.direction in ("up", "down")]
    told = sorted({f"{line.api} {line.source} to {line.target}" for line in lines})
    yield _fact("conversions", ", ".join(told), wanted.conversions)
    for line in lines:
        yield _fact("conversion", f"v{line.source} to v{line.target}", None)._replace(amount=line.records)
    if todo.members:
        ends = dict.fromkeys(range(PARTITIONS), 0)
        ends |= {record.partition: record.offset + 1 for record in kafka.records(TOPIC)}
        committed = {index: at.offset for (topic, index), at in kafka.committed(GROUP).items() if topic == TOPIC}
        yield _fact("committed", str(sorted(committed.items())), str(sorted(ends.items())))
    yield _fact("failures in the broker", "; ".join(map(repr, kafka.failures)), "")


def _joined(numbers: Any) -> str:
    return ",".join(map(str, sorted(numbers)))


def _fact(name: str, value: str, wanted: str | None) -> Observation:
    return Observation("fact", name=name, value=value, expected=wanted)


def _raw(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)
