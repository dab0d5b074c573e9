"""Single brokers of a cluster."""

from fakekafka import FakeKafka


def stop_broker(cluster: FakeKafka) -> None:
    cluster.stop_broker(0)
    assert sorted(cluster.brokers()) == [1, 2]
    cluster.send("orders", b"two apples")  # another broker leads


def kill_broker(cluster: FakeKafka) -> None:
    cluster.kill_broker(0, unsynced="lost")
    assert 0 not in cluster.brokers()
    cluster.start_broker(0)


def start_broker(cluster: FakeKafka) -> None:
    cluster.stop_broker(2)
    cluster.start_broker(2, "4.0")  # as another release, on its files
    assert cluster.brokers()[2] == "4.0.2"


def brokers(cluster: FakeKafka) -> None:
    assert cluster.brokers() == {0: "3.9.2", 1: "3.9.2", 2: "3.9.2"}


def pause_replication(cluster: FakeKafka) -> None:
    leader = cluster.describe_topics()["orders"].partitions[0].leader
    follower = next(node_id for node_id in range(3) if node_id != leader)
    cluster.pause_replication(follower)
    cluster.send("orders", b"two apples")
    assert cluster.records("orders", broker=follower) == []


def resume_replication(cluster: FakeKafka) -> None:
    cluster.pause_replication(2)
    cluster.send("orders", b"two apples")
    cluster.resume_replication(2)
    assert len(cluster.records("orders", broker=2)) == 1


def elect_leader(cluster: FakeKafka) -> None:
    epoch = cluster.elect_leader("orders", 0, broker=2)
    assert epoch > 0
    assert cluster.describe_topics()["orders"].partitions[0].leader == 2
