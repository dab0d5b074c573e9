"""One producer: its batches, its copy, its entry in a snapshot."""

from fakekafka.ids import NO_OFFSET, NO_SEQUENCE
from fakekafka.log.producer import MAX_SEQUENCE, KeptBatch, Producer


def with_batches(*batches: KeptBatch) -> Producer:
    producer = Producer()
    producer.epoch, producer.batches, producer.last_timestamp = 3, batches, 1000
    return producer


def test_the_first_sequence_and_offset_of_a_kept_batch_are_counted_back_from_its_last() -> None:
    kept = KeptBatch(last_sequence=7, last_offset=107, delta=2, timestamp=1000)
    assert (kept.first_sequence, kept.first_offset) == (5, 105)


def test_sequences_wrap_and_no_sequence_stays_negative() -> None:
    assert KeptBatch(1, 10, 3, 0).first_sequence == MAX_SEQUENCE - 1
    assert KeptBatch(NO_SEQUENCE, 10, 0, 0).first_sequence == NO_SEQUENCE


def test_a_copy_changes_by_itself() -> None:
    producer = with_batches(KeptBatch(0, 0, 0, 1000))
    copy = producer.copy()
    copy.batches, copy.transaction_first_offset = (), 5
    assert producer.last_sequence == 0
    assert producer.transaction_first_offset == NO_OFFSET


def test_an_entry_has_the_last_batch_or_says_that_there_is_none() -> None:
    entry = with_batches(KeptBatch(0, 0, 0, 900), KeptBatch(2, 2, 1, 1000)).to_entry(9)
    assert (entry.producer_id, entry.epoch, entry.last_sequence, entry.last_offset, entry.offset_delta) == (
        9,
        3,
        2,
        2,
        1,
    )
    assert with_batches().to_entry(9).last_sequence == NO_SEQUENCE
