"""Producer ids come in blocks."""

from fakekafka.clock import ManualClock
from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.producer_ids import BLOCK, ProducerIds


def test_a_broker_counts_within_its_block() -> None:
    ids = ProducerIds(Cluster(ManualClock()).next_producer_id_block)
    assert [ids.next() for _ in range(3)] == [0, 1, 2]


def test_every_broker_has_blocks_of_its_own() -> None:
    cluster = Cluster(ManualClock())
    one, other = ProducerIds(cluster.next_producer_id_block), ProducerIds(cluster.next_producer_id_block)
    assert [one.next(), other.next(), one.next(), other.next()] == [0, BLOCK, 1, BLOCK + 1]


def test_after_the_last_id_of_a_block_comes_the_next_block() -> None:
    cluster = Cluster(ManualClock())
    one, other = ProducerIds(cluster.next_producer_id_block), ProducerIds(cluster.next_producer_id_block)
    assert [one.next() for _ in range(BLOCK)][-1] == BLOCK - 1
    assert other.next() == BLOCK
    assert one.next() == 2 * BLOCK
