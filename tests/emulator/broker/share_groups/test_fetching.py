"""Records for members of share groups, by way of requests."""

from fakekafka.records.scan import batches

from tests.emulator.share_group_clients import ShareMember, shared


def joined(records: int = 4, partitions: int = 1) -> ShareMember:
    member = ShareMember(shared(records=records, partitions=partitions))
    member.join()
    return member


def test_records_come_as_they_lie_in_the_log() -> None:
    member = joined()
    (topic,) = member.fetch().responses
    (row,) = topic.partitions
    units = list(batches(bytes(row.records or b"")))
    assert [unit.base_offset for unit in units] == [0, 1, 2, 3]
    assert [record.value for unit in units for record in unit.records()] == [b"0", b"1", b"2", b"3"]


def test_batches_that_are_out_already_do_not_come() -> None:
    member = joined()
    member.fetch(most=2)
    (topic,) = member.fetch().responses
    units = batches(bytes(topic.partitions[0].records or b""))
    assert [unit.base_offset for unit in units] == [2, 3]


def test_the_number_counts_over_all_partitions() -> None:
    member = joined(records=8, partitions=2)
    said = member.fetch(partitions=(0, 1), most=5)
    spans = [span for row in said.responses[0].partitions for span in row.acquired_records]
    assert sum(span.last_offset - span.first_offset + 1 for span in spans) == 5


def test_what_is_acknowledged_with_a_fetch_is_gone() -> None:
    member = joined()
    assert member.got() == [(0, 3, 1)]
    assert member.got([(0, 3, [1])]) == []
    assert member.got() == []
