import pytest
from fakekafka.coordinators.share_partitions.refusals import ANY_EPOCH, Refusal, refusal_of_write
from fakekafka.coordinators.share_partitions.state_records import State
from fakekafka.errors import ErrorCode

STATE = State(snapshot_epoch=0, epoch=3, start=0, spans=(), complete=-1, created=0, leader_epoch=2, fence=2)


@pytest.mark.parametrize(
    ("leader_epoch", "epoch", "exists", "error"),
    [
        (2, 3, True, None),
        (ANY_EPOCH, ANY_EPOCH, True, None),
        (1, 3, True, ErrorCode.FENCED_LEADER_EPOCH),
        (2, 2, True, ErrorCode.FENCED_STATE_EPOCH),
        (2, 3, False, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ],
)
def test_writers_in_old_epochs_and_without_a_partition_are_refused(
    leader_epoch: int, epoch: int, exists: bool, error: ErrorCode | None
) -> None:
    refusal = refusal_of_write(STATE, leader_epoch, epoch, exists=exists)
    assert (None if refusal is None else refusal.error) == error


def test_a_missing_state_cannot_be_written() -> None:
    refusal = refusal_of_write(None, 0, 0, exists=True)
    assert refusal == Refusal(
        ErrorCode.INVALID_REQUEST, "Write operation on uninitialized share partition not allowed."
    )


@pytest.mark.parametrize(("quoted", "words"), [(True, "no state"), (False, "This most likely occurs")])
def test_members_are_told_in_the_words_of_the_coordinator_or_of_the_error(quoted: bool, words: str) -> None:
    told = Refusal(ErrorCode.INVALID_REQUEST, "no state").to_member(quoted=quoted)
    assert told.code is ErrorCode.UNKNOWN_SERVER_ERROR
    assert (told.message or "").startswith(f"Error in write state RPC. {words}")
