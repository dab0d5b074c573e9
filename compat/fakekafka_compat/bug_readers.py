"""A real consumer reads what the story of a bug leaves behind.

The story sets the scene on a broker without sockets, which then starts to listen. The client reads all partitions, and
what it gets is compared with what can be read.
"""

from collections.abc import Mapping

from fakekafka import StoredRecord
from fakekafka.bugs import Bug, Side
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import Play

from fakekafka_compat.bug_outcomes import PATIENCE_S, TOPIC, Outcome, Started, task
from fakekafka_compat.driving import Driver, DriverFailed
from fakekafka_compat.records import Json, raw


def read(bug: Bug, side: Side, started: Started) -> Outcome:
    """Have a client read on one side."""
    stage = Here(side)
    play = Play(stage, side)
    assert bug.story is not None
    bug.story(play)
    partitions = stage.kafka.topics()[TOPIC]
    wanted = sum(_records(play, partition) for partition in range(partitions))
    stage.kafka.stop()
    try:
        with stage.kafka.start() as kafka, Driver(started.command) as driver:
            driver.start(task(started.client, kafka, partitions))
            driver.patience_s = PATIENCE_S
            return _listen(driver, Outcome(started.name, side, wanted, 0, ""), kafka.records(TOPIC))
    except DriverFailed as e:
        return Outcome(started.name, side, wanted, 0, str(e).strip().splitlines()[-1])


def _records(play: Play, partition: int) -> int:
    """The number of records of a partition that a reader of committed data gets."""
    fetched = play.fetch(0, None, TOPIC, partition, committed=True)
    aborted = {producer for producer, _ in fetched.aborted}
    units = [unit for unit in play.log(TOPIC, partition) if not unit.is_control]
    return sum(unit.count for unit in units if unit.producer_id not in aborted)


def _listen(driver: Driver, met: Outcome, stored: list[StoredRecord]) -> Outcome:
    """How many records came as they are stored, and what is wrong with the others, or what the client said about them.

    If some records belong to aborted transactions, it waits for all of them; that these never come is correct.
    """
    values = {(record.partition, record.offset): record.value for record in stored}
    more = {"committed_only": True} if len(stored) > met.wanted else {}
    driver.tell({"do": "read", "reader": 0, "count": len(stored), **more})
    try:
        for event in driver.events():
            met = _after(event, met, values)
    except DriverFailed as e:
        met = met._replace(remark=str(e).strip().splitlines()[-1])
    return met


def _after(event: Json, met: Outcome, values: Mapping[tuple[int, int], bytes | None]) -> Outcome:
    if event["event"] != "consumed":
        return met._replace(remark=str(event.get("error", met.remark)))
    place, value = (event["partition"], event["offset"]), raw(event["value"])
    if place in values and value == values[place]:
        return met._replace(got=met.got + 1)
    return met._replace(others=met.others + 1, remark=f"at offset {event['offset']} it reads the value {value!r}")
