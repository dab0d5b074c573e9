"""Faults met by real clients: some cells of `docs/faults-and-clients.md` that are quickly seen."""

import pytest

from tests.client_faults.cells import CALM, shown
from tests.client_faults.clients import CLIENTS
from tests.client_faults.faults import FAULTS


@pytest.mark.parametrize(
    ("fault", "client", "expected"),
    [
        ("Produce refused twice: NOT_ENOUGH_REPLICAS", "aiokafka", CALM),
        ("Produce refused: MESSAGE_TOO_LARGE", "confluent-kafka", "raises `MSG_SIZE_TOO_LARGE`"),
        ("Produce applied, connection closed before the answer", "confluent-kafka", "a record is stored twice"),
        ("Produce applied, connection reset before the answer", "confluent-kafka", "a record is stored twice"),
        ("Produce answered 400 ms late", "confluent-kafka", CALM),
        ("answers in slices of one byte", "kafka-python", CALM),
        ("nobody accepts for 700 ms", "confluent-kafka", CALM),
        ("connections are reset for 700 ms", "confluent-kafka", CALM),
        ("Fetch refused twice: NOT_LEADER_OR_FOLLOWER", "confluent-kafka", CALM),
        ("FindCoordinator refused twice: COORDINATOR_NOT_AVAILABLE", "confluent-kafka", CALM),
    ],
)
def test_a_client_under_a_fault_does_what_the_table_says(fault: str, client: str, expected: str) -> None:
    (meant,) = (each for each in FAULTS if each.name == fault)
    (used,) = (each for each in CLIENTS if each.name == client)
    assert shown(used, meant, "2.3") == expected
