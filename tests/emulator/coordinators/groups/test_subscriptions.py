"""The hash of a group's topics."""

from fakekafka.coordinators.groups.subscriptions import TopicMetadata, metadata_hash

T = TopicMetadata(bytes.fromhex("c50925ecbfea49cd8ad6cff1d2620068"), "t", 4)
TT = TopicMetadata(bytes.fromhex("ee27064302bd4ad29cc65ba4900a3992"), "tt", 4)
U = TopicMetadata(bytes.fromhex("3c29e0ea6ea04de882ae1d3a57ba73ec"), "u", 4)


def test_the_hash_is_the_one_that_a_real_coordinator_wrote() -> None:
    """Recorded from 4.1.1: group_consumer."""
    assert metadata_hash([T]) == -7119697595242251792
    assert metadata_hash([U]) == -4649680332327929681
    assert metadata_hash([TT, T]) == -4848697423936051161
    assert metadata_hash([U, TT, T]) == 7189493797181714415


def test_the_hash_of_no_topics_is_0() -> None:
    assert metadata_hash([]) == 0


def test_more_partitions_or_other_racks_change_the_hash() -> None:
    racks = ((0, frozenset({"a"})), (1, frozenset({"b"})))
    others = [T._replace(partitions=5), T._replace(racks=racks), T._replace(racks=racks[:1])]
    assert len({metadata_hash([topic]) for topic in [T, *others]}) == 4
