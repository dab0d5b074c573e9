"""Real clients under faults: the cells of `docs/faults-and-clients.md` that are quick to check."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.faults.faults import Faults
from fakekafka.faults.plan import ACTIONS, read_plan
from kafka import KafkaProducer

from tests.client_faults.cells import CALM, shown
from tests.client_faults.faults import CLIENTS, FAULTS, row_of
from tests.client_faults.page import Cell, in_words, page
from tests.client_faults.shown_fault import ShownFault
from tests.client_faults.table import LOOKS, PAGE, RELEASES, cells_of, looked_at, looked_at_again

NO_FAULTS = {"add", "book", "clear", "load", "rules", "rules_so_far"}
"""What `kafka.faults` has besides a method for each fault."""


def actions(fault: ShownFault) -> set[str]:
    """The faults that a row shows."""
    return {rule.action.NAME for rule in read_plan(fault.plan or "\n")} | set(
        re.findall(r"faults\.(\w+)\(", fault.said)
    )


def test_every_fault_is_in_the_table() -> None:
    methods = {name for name in dir(Faults) if not name.startswith("_")} - NO_FAULTS
    assert methods == {*ACTIONS, "hold", "intercept"}
    assert set().union(*map(actions, FAULTS)) == methods


def test_the_table_in_the_documentation_has_every_row_at_every_release() -> None:
    text = Path(PAGE).read_text("utf-8")
    assert f"at the releases {RELEASES.replace(',', ', ')}, with" in text
    cells = {cell: ["…"] for cell in cells_of(FAULTS, RELEASES.split(","))}
    rows = [line.split(" | ")[0] for line in page(FAULTS, RELEASES.split(","), cells, {}) if line.startswith("| ")]
    assert [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| ")] == rows


def test_the_plans_in_the_documentation_are_those_that_were_played() -> None:
    text = Path(PAGE).read_text("utf-8")
    cells = {cell: ["…"] for cell in cells_of(FAULTS, RELEASES.split(","))}
    written = "\n".join(page(FAULTS, RELEASES.split(","), cells, {})).rstrip()
    assert text.partition("## The plans")[2].rstrip() == written.partition("## The plans")[2]


@contextmanager
def sent_again_and_again(kafka: FakeKafka) -> Iterator[None]:
    """Records are produced, one after the other, until the end of the block."""
    over = threading.Event()

    def send() -> None:
        with KafkaProducer(**kafka.client_config("kafka-python")) as producer:
            while not over.is_set():
                producer.send("orders", b"1").get(timeout=30)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("meant", [each for each in FAULTS if each.said], ids=row_of)
def test_a_call_on_the_page_runs_as_it_is_written(meant: ShownFault) -> None:
    with FakeKafka("2.3", brokers=2, topics={"orders": 1}) as kafka:
        kafka.send("orders", b"1")
        with sent_again_and_again(kafka):
            exec(meant.said, {"kafka": kafka, "other": 1})
            rules = kafka.faults.rules_so_far()
            assert [rule.action.NAME for rule in rules] == list(actions(meant))
            assert kafka._runtime.wait_until(lambda: all(rule.hits for rule in rules), 30)


def test_equal_outcomes_are_one_text_and_different_ones_are_counted() -> None:
    assert in_words(["goes on"] * 3) == "goes on"
    assert in_words(["hangs", "goes on", "goes on"]) == "goes on (2 of 3) *or* hangs (1 of 3)"


def test_a_cell_is_observed_as_often_as_asked_and_earlier_observations_count(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cells = [("a", "client", "2.3"), ("b", "client", "2.3")]
    seen, taken = tmp_path / "seen", list[Cell]()

    def look(cell: Cell, opened: object) -> str:
        taken.append(cell)
        return "goes on"

    monkeypatch.setattr("tests.client_faults.table.in_a_process", look)
    seen.write_text('["a", "client", "2.3", "hangs"]\n')
    assert looked_at(cells, 3, seen) == {cells[0]: ["hangs", "goes on", "goes on"], cells[1]: ["goes on"] * 3}
    assert sorted(taken) == [cells[0]] * 2 + [cells[1]] * 3
    assert looked_at(cells, 3, seen) == {cells[0]: ["hangs", "goes on", "goes on"], cells[1]: ["goes on"] * 3}
    assert len(taken) == 5


def test_only_differing_observations_are_repeated_and_no_outcome_is_favoured(monkeypatch: pytest.MonkeyPatch) -> None:
    new = iter(["hangs", "goes on", "hangs"])
    monkeypatch.setattr("tests.client_faults.table.in_a_process", lambda cell, opened: next(new))
    looks = {("a",): ["goes on"] * 3, ("b",): ["raises `Busy`", "goes on", "goes on"]}
    assert looked_at_again(looks) == {("a",): ["goes on"] * 3, ("b",): ["hangs", "goes on", "hangs"]}


def test_a_cell_that_no_observation_with_a_real_broker_confirms_is_named() -> None:
    row, client = row_of(FAULTS[0]), CLIENTS[0].name
    looks = {cell: ["goes on"] for cell in cells_of(FAULTS, ["2.3"])}
    held = {"2.3.1": [(row, client, ["hangs", "hangs"]), (row, CLIENTS[1].name, ["hangs", "goes on"])]}
    lines = list(page(FAULTS, ["2.3"], looks, held))
    assert "**2.3.1**: 2 cells, 1 of them confirmed. Rows:\n" in lines
    assert [line for line in lines if line.startswith("- not")] == [f"- not confirmed: {row}, {client}: hangs"]


@pytest.mark.parametrize(
    ("row", "client", "expected"),
    [
        ("sending: Produce refused twice: NOT_ENOUGH_REPLICAS", "aiokafka", CALM),
        ("sending: Produce refused once: MESSAGE_TOO_LARGE", "confluent-kafka", "raises `MSG_SIZE_TOO_LARGE`"),
        (
            "sending: Produce appended, and refused once: NOT_ENOUGH_REPLICAS_AFTER_APPEND",
            "confluent-kafka",
            "a record is stored twice",
        ),
        (
            "sending: Produce applied, connection closed before the answer",
            "confluent-kafka",
            "a record is stored twice",
        ),
        ("sending: Produce applied, connection reset before the answer", "confluent-kafka", "a record is stored twice"),
        ("sending: Produce answered 400 ms late", "confluent-kafka", CALM),
        ("sending: Produce held until the test has seen it", "kafka-python", CALM),
        ("sending: Produce throttled by 400 ms, as by a quota", "confluent-kafka", CALM),
        ("sending: answers in slices of one byte", "kafka-python", CALM),
        ("sending: nobody accepts for 700 ms", "confluent-kafka", CALM),
        ("sending: connections are reset for 700 ms", "confluent-kafka", CALM),
        (
            "sending: records damaged on their way to the broker, once: bad crc",
            "kafka-python",
            "raises `CorruptRecordError`",
        ),
        ("sending: the leader moves", "kafka-python", CALM),
        ("sending: Metadata hides the topic, twice", "aiokafka", CALM),
        (
            "sending: the only broker killed for 700 ms, and what it never flushed lost",
            "confluent-kafka",
            "1 acknowledged and lost",
        ),
        ("reading: Fetch refused twice: NOT_LEADER_OR_FOLLOWER", "confluent-kafka", CALM),
        ("reading: FindCoordinator refused twice: COORDINATOR_NOT_AVAILABLE", "confluent-kafka", CALM),
        ("reading: the coordinator moves", "aiokafka", CALM),
        ("reading: connections are reset", "kafka-python", CALM),
        ("committing: EndTxn refused once: INVALID_PRODUCER_EPOCH", "aiokafka", "raises `ProducerFenced`"),
        ("creating: the controller moves", "kafka-python", CALM),
    ],
)
def test_a_client_under_a_fault_does_what_the_table_says(row: str, client: str, expected: str) -> None:
    """A differing observation is repeated, as for the table: on a busy machine clients also time out."""
    (meant,) = (each for each in FAULTS if row_of(each) == row)
    (used,) = (each for each in CLIENTS if each.name == client)
    looks: list[str] = []
    while expected not in looks and len(looks) < LOOKS:
        looks.append(shown(used, meant, "2.3"))
    assert expected in looks
