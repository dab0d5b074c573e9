"""InitProducerId for producers without transactions."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest, InitProducerIdResponse

from tests.support.brokers import answer
from tests.support.seeded import booted


def init(kafka: FakeKafka, version: int, node_id: int = 0, **fields: int | str | None) -> InitProducerIdResponse:
    sent = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1000)
    for name, value in fields.items():
        setattr(sent, name, value)
    return answer(kafka, sent, version, InitProducerIdResponse, node_id)


@pytest.mark.parametrize(("release", "version"), [("0.11.0.3", 0), ("2.3.1", 1), ("2.8.2", 4), ("4.3.1", 5)])
def test_every_call_gets_a_new_producer_id(release: str, version: int) -> None:
    kafka = booted(release)
    answers = [init(kafka, version) for _ in range(3)]
    assert [(a.error_code, a.producer_id, a.producer_epoch) for a in answers] == [(0, 0, 0), (0, 1, 0), (0, 2, 0)]


def test_a_producer_that_names_its_id_gets_a_new_one() -> None:
    kafka = booted("2.8.2")
    init(kafka, 4)
    again = init(kafka, 4, producer_id=0, producer_epoch=0)
    assert (again.producer_id, again.producer_epoch) == (1, 0)


def test_after_a_restart_producer_ids_continue_with_the_next_block() -> None:
    kafka = booted("2.8.2")
    assert init(kafka, 4).producer_id == 0
    kafka.restart()
    assert init(kafka, 4).producer_id == 1000


@pytest.mark.parametrize(("release", "ids"), [("2.8.2", [1000, 0, 1001]), ("3.9.1", [0, 1000, 1])])
def test_brokers_take_their_own_blocks_when_they_start_or_when_needed(release: str, ids: list[int]) -> None:
    """Recorded from both: coordinators of tests/golden/trio_recordings."""
    kafka = FakeKafka(release, brokers=2).boot()
    assert [init(kafka, 4, node).producer_id for node in (1, 0, 1)] == ids


@pytest.mark.parametrize(
    ("producer_id", "producer_epoch", "transactional_id"), [(5, -1, None), (-1, 5, None), (-1, -1, ""), (5, -1, "")]
)
def test_half_a_producer_identity_and_an_empty_transactional_id_are_refused(
    producer_id: int, producer_epoch: int, transactional_id: str | None
) -> None:
    kafka = booted("2.8.2")
    refused = init(
        kafka, 4, 0, producer_id=producer_id, producer_epoch=producer_epoch, transactional_id=transactional_id
    )
    assert (refused.error_code, refused.producer_id, refused.producer_epoch) == (ErrorCode.INVALID_REQUEST, -1, -1)
