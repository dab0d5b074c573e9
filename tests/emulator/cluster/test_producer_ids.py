"""Producer ids come in blocks."""

import pytest
from fakekafka.clock import ManualClock
from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.producer_ids import BLOCK, ProducerIds

from tests.support.clusters import cluster_of, formed


def test_a_broker_counts_producer_ids_within_its_block() -> None:
    ids = ProducerIds(Cluster(ManualClock()).next_producer_id_block)
    assert [ids.next() for _ in range(3)] == [0, 1, 2]


def test_every_broker_has_its_own_blocks_of_producer_ids() -> None:
    cluster = Cluster(ManualClock())
    one, other = ProducerIds(cluster.next_producer_id_block), ProducerIds(cluster.next_producer_id_block)
    assert [one.next(), other.next(), one.next(), other.next()] == [0, BLOCK, 1, BLOCK + 1]


def test_after_the_last_id_of_a_block_comes_the_next_block() -> None:
    cluster = Cluster(ManualClock())
    one, other = ProducerIds(cluster.next_producer_id_block), ProducerIds(cluster.next_producer_id_block)
    assert [one.next() for _ in range(BLOCK)][-1] == BLOCK - 1
    assert other.next() == BLOCK
    assert one.next() == 2 * BLOCK


@pytest.mark.parametrize(
    ("release", "protocol", "first", "second"),
    [
        ("0.11.0", "0.11.0", 2 * BLOCK, 3 * BLOCK),
        ("2.8", "2.8", 2 * BLOCK, 3 * BLOCK),
        ("3.2", "2.8", 2 * BLOCK, 3 * BLOCK),
        ("3.2", "3.2", 0, BLOCK),
    ],
)
def test_under_zookeeper_each_broker_takes_a_block_when_it_starts(
    release: str, protocol: str, first: int, second: int
) -> None:
    """Recorded from 2.8.2: coordinators of tests/golden/trio_recordings. ProducerIdManager."""
    kafka = formed(release, inter_broker_protocol_version=protocol)
    brokers = cluster_of(kafka).brokers
    assert brokers[2].producer_ids.next() == first
    kafka.stop_broker(1)
    kafka.start_broker(1)
    assert brokers[1].producer_ids.next() == second


def test_in_kraft_mode_a_block_is_taken_when_it_is_needed() -> None:
    assert cluster_of(formed("3.9")).brokers[2].producer_ids.next() == 0
