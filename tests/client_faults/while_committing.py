"""Faults met by a transactional producer."""

from typing import Final

from fakekafka import FakeKafka

from tests.client_faults.shown_fault import ShownFault, fault

FATAL: Final = """\
After an error of a Produce that ends a transactional producer, `flush` of confluent-kafka 2.16.1 raises `SystemError`.
Whether the delivery report with the error's own name comes before that is chance."""


def move_the_coordinator(kafka: FakeKafka) -> None:
    (transaction,) = kafka.transactions().values()
    kafka.faults.move_coordinator(transactional_id="svc", to=1 - transaction.coordinator)


def refused(api: str, error: str, *, times: int = 1) -> ShownFault:
    how_often = {1: "once", 2: "twice"}[times]
    return ShownFault(
        f"{api} refused {how_often}: {error}",
        "committing",
        fault(f'fail = "{error}"', f'api = "{api}"', f"times = {times}"),
        note=FATAL if api == "Produce" else "",
    )


WHILE_COMMITTING: Final = (
    refused("InitProducerId", "COORDINATOR_LOAD_IN_PROGRESS", times=2),
    refused("AddPartitionsToTxn", "CONCURRENT_TRANSACTIONS", times=2),
    refused("Produce", "OUT_OF_ORDER_SEQUENCE_NUMBER"),
    refused("Produce", "INVALID_PRODUCER_EPOCH"),
    refused("EndTxn", "NOT_COORDINATOR", times=2),
    refused("EndTxn", "INVALID_PRODUCER_EPOCH"),
    refused("EndTxn", "INVALID_TXN_STATE"),
    ShownFault(
        "Produce applied, connection closed before the answer",
        "committing",
        fault('lose_answer = "close"', 'api = "Produce"', "nth = 2"),
    ),
    ShownFault(
        "EndTxn applied, connection closed before the answer",
        "committing",
        fault('lose_answer = "close"', 'api = "EndTxn"', "nth = 1"),
    ),
    ShownFault(
        "the coordinator moves",
        "committing",
        call=move_the_coordinator,
        said='kafka.faults.move_coordinator(transactional_id="svc", to=other)  # a broker that does not coordinate it',
        midway=True,
        brokers=2,
    ),
)
