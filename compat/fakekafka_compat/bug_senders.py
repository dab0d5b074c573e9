"""A real producer sends records, and the broker's log says whether they arrived as they were given."""

import time
from collections.abc import Iterator
from typing import Final

from fakekafka import FakeKafka, StoredRecord, UsageError
from fakekafka.bugs import Side
from fakekafka.bugs.here import known_settings
from fakekafka.bugs.real_clients import Sends

from fakekafka_compat.bug_outcomes import PATIENCE_S, TOPIC, Outcome, Started, task
from fakekafka_compat.driving import Driver, DriverFailed
from fakekafka_compat.records import Record

HEADERS: Final[tuple[tuple[str, bytes | None], ...]] = (("trace", b"1"),)
TODAY_MS: Final = 86_400_000
NO_TIMESTAMP: Final = -1


def send(sends: Sends, side: Side, started: Started) -> Outcome:
    """Have a client send to a broker of one side."""
    given = _given(sends)
    with FakeKafka(
        side.release,
        config={**known_settings(side.release), **side.config},
        quirks=side.quirks,
        api_versions=side.api_versions,
    ) as kafka:
        kafka.create_topic(TOPIC, 1, sends.topic)
        if sends.first_try_fails:
            kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=1)
        refusals = _sent(started, kafka, sends, given)
        wrong, arrived = _arrived(kafka, sends, given)
    return Outcome(started.name, side, len(given), arrived, "; ".join(dict.fromkeys([*refusals, *wrong])))


def _given(sends: Sends) -> list[Record]:
    headers = HEADERS if sends.headers else ()
    return [
        Record(uid, 0, b"key %d" % uid, b"%0*d" % (sends.size, uid), headers, None, "once")
        for uid in range(sends.records)
    ]


def _sent(started: Started, kafka: FakeKafka, sends: Sends, given: list[Record]) -> list[str]:
    """Have the client send the records. Returns its complaints."""
    complaints: list[str] = []
    try:
        with Driver(started.command) as driver:
            driver.start(task(started.client, kafka, 1, sends.codec, sends.idempotent))
            driver.patience_s = PATIENCE_S
            more = {"idempotent": True} if sends.idempotent else {}
            driver.tell({"do": "produce", "records": [record.json() for record in given], **more})
            complaints.extend(str(event["error"]) for event in driver.events() if "error" in event)
    except DriverFailed as e:
        complaints.append(str(e).strip().splitlines()[-1])
    return complaints


def _arrived(kafka: FakeKafka, sends: Sends, given: list[Record]) -> tuple[list[str], int]:
    """What is wrong with the records in the log, and how many are as they were given."""
    try:
        stored = kafka.records(TOPIC)
    except UsageError as e:
        return [str(e)], 0
    by_value = {record.value: record for record in stored}
    faults = [list(_faults(by_value.get(one.value), one, sends.codec)) for one in given]
    return [fault for one in faults for fault in one], sum(not one for one in faults)


def _faults(stored: StoredRecord | None, given: Record, codec: str) -> Iterator[str]:
    if stored is None:
        yield "not in the log"
        return
    if stored.headers != given.headers:
        yield "without its headers"
    if stored.codec != codec:
        yield f"stored with codec {stored.codec}"
    if stored.timestamp != NO_TIMESTAMP and abs(stored.timestamp - time.time() * 1000) > TODAY_MS:
        yield f"stored with timestamp {stored.timestamp}"
