"""What the share coordinator writes and reads back."""

from fakekafka import FakeKafka
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.share_partitions.state_records import Change, Span
from fakekafka.coordinators.share_partitions.states import ShareStates

from tests.support.seeded import broker_of
from tests.support.share_group_clients import place, shared


def states(kafka: FakeKafka) -> ShareStates:
    return coordinators_of(broker_of(kafka)).share.states


def test_updates_are_applied_to_the_snapshot() -> None:
    kafka = shared()
    at = place(kafka)
    states(kafka).initialize(at, 3, -1)
    for change in (Change(0, (Span(0, 2, 2, 1), Span(3, 3, 0, 1)), 3), Change(3, (Span(3, 3, 2, 2),), 1)):
        assert states(kafka).write(at, change, 0, 3) is None
    before = states(kafka).read(at)
    states(kafka).clear()
    assert states(kafka).read(at) == before
    assert before is not None
    assert (before.start, before.spans, before.complete, before.epoch) == (3, (Span(3, 3, 2, 2),), 1, 3)


def test_another_snapshot_is_written_after_a_number_of_updates() -> None:
    kafka = shared(share_coordinator_snapshot_update_records_per_snapshot=2)
    at = place(kafka)
    states(kafka).initialize(at, 1, 0)
    for offset in range(4):
        assert states(kafka).write(at, Change(offset, (Span(offset, offset, 2, 1),), 1), 0, 1) is None
    found = states(kafka).read(at)
    assert found is not None
    assert (found.snapshot_epoch, found.updates) == (1, 1)


def test_a_deleted_state_stays_deleted() -> None:
    kafka = shared()
    at = place(kafka)
    states(kafka).initialize(at, 1, 5)
    states(kafka).delete(at)
    states(kafka).clear()
    assert states(kafka).read(at) is None
