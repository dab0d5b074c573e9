"""A real consumer reads what the story of a bug leaves behind.

The story sets the scene on a broker without sockets, which then starts to listen. The client reads all partitions, and
what it gets is compared with what can be read.
"""

from fakekafka import StoredRecord
from fakekafka.bugs import Bug, Side
from fakekafka.bugs.here import Here
from fakekafka.bugs.play import Play

from fakekafka_compat.bug_outcomes import PATIENCE_S, TOPIC, Outcome, Started, task
from fakekafka_compat.driving import Driver, DriverFailed
from fakekafka_compat.records import raw


def read(bug: Bug, side: Side, started: Started) -> Outcome:
    """Let a client read on one side."""
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
            got, error = _listen(driver, wanted, kafka.records(TOPIC))
    except DriverFailed as e:
        got, error = 0, str(e).strip().splitlines()[-1]
    return Outcome(started.name, side, wanted, got, error)


def _records(play: Play, partition: int) -> int:
    """How many records of a partition a reader of committed data gets."""
    fetched = play.fetch(0, None, TOPIC, partition, committed=True)
    aborted = {producer for producer, _ in fetched.aborted}
    units = [unit for unit in play.log(TOPIC, partition) if not unit.is_control]
    return sum(unit.count for unit in units if unit.producer_id not in aborted)


def _listen(driver: Driver, wanted: int, stored: list[StoredRecord]) -> tuple[int, str]:
    """How many records came as they are stored, and what is wrong with the others, or was said about them.

    If some records belong to aborted transactions, it waits for all of them; that these never come is correct.
    """
    got, remark = 0, ""
    values = {(record.partition, record.offset): record.value for record in stored}
    more = {"committed_only": True} if len(stored) > wanted else {}
    driver.tell({"do": "read", "reader": 0, "count": len(stored), **more})
    try:
        for event in driver.events():
            if event["event"] != "consumed":
                remark = str(event.get("error", remark))
            elif raw(event["value"]) == values.get((event["partition"], event["offset"])):
                got += 1
            else:
                remark = f"at offset {event['offset']} it reads the value {raw(event['value'])!r}"
    except DriverFailed as e:
        remark = str(e).strip().splitlines()[-1]
    return got, remark
