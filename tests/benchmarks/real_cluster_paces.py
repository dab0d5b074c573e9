"""How long clusters of real brokers take for what fakekafka does at once: the other figures in `pace/measured.py`.

    python -m tests.benchmarks.real_cluster_paces 0.10.2.2 1.1.1 2.8.2 3.9.1 4.3.1

Starts three brokers of each release, has them replicate, kills and restarts them. Prints as `real_paces` does.
"""

import random
import socket
import struct
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka import Release
from fakekafka.records import v1, v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData

from tests.benchmarks.real_paces import HEADER, PATIENCE_S, Client, Seen, rows, until_well
from tests.real_patches.cluster import RealCluster, cluster

TIMES: Final = 20
RESTARTS: Final = 4
DEATHS: Final = 2
BROKERS: Final = 3
CONFIG: Final = {
    "num.partitions": "1",
    "default.replication.factor": str(BROKERS),
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "auto.create.topics.enable": "true",
    "auto.leader.rebalance.enable": "false",
    "group.initial.rebalance.delay.ms": "0",
    "zookeeper.session.timeout.ms": "6000",
    "broker.session.timeout.ms": "6000",
}
FIRST_WITH_TRANSACTIONS: Final = Release.parse("0.11.0.0")
ANY_REPLICA: Final = -2
"""The replica id of a client that also reads from followers, up to what they know to be committed."""
PAUSE_S: Final = 0.002
NO_LEADER: Final = -1
OFFSET_OUT_OF_RANGE: Final = 1
FETCH_VERSIONS: Final = ((Release.parse("2.4.0"), 11), (FIRST_WITH_TRANSACTIONS, 4), (Release.parse("0.8.0"), 3))
"""From 2.4 on, followers serve only clients whose version of Fetch can name a rack."""


def seen_in(release: Release, folder: Path) -> Iterator[list[Seen]]:
    """Everything that a new cluster shows, and then a single broker that is restarted."""
    with cluster(release, release.default_mode, BROKERS, known(release), folder / "cluster") as brokers:
        for node_id in range(BROKERS):
            brokers.start(node_id)
        for part in (_news, _replication, _deaths):
            yield list(part(brokers))
    with cluster(release, release.default_mode, 1, known(release, factor=1), folder / "alone") as brokers:
        brokers.start(0)
        yield list(_restarts(brokers))


def known(release: Release, factor: int = BROKERS) -> dict[str, str]:
    """The properties that a release knows."""
    late = {"group.initial.rebalance.delay.ms", "transaction.state.log.num.partitions"}
    late |= {"transaction.state.log.replication.factor", "transaction.state.log.min.isr"}
    config = {name: value for name, value in CONFIG.items() if release >= FIRST_WITH_TRANSACTIONS or name not in late}
    return config | {"default.replication.factor": str(factor)}


# ---- news


def _leader(client: Client, topic: str) -> tuple[int, int]:
    """The error of a topic of one partition, and the partition's leader."""
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=topic)])
    (found,) = client.ask(asked, 1, MetadataResponse).topics
    if found.error_code or not found.partitions:
        return found.error_code, NO_LEADER
    return found.partitions[0].error_code, found.partitions[0].leader_id


def _all_led(clients: dict[int, Client], topic: str) -> int:
    """Wait until every broker names the same leader, and return it."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        told = {_leader(client, topic) for client in clients.values()}
        if len(told) == 1 and (leader := next(iter(told))[1]) != NO_LEADER:
            return leader
        time.sleep(PAUSE_S)
    raise AssertionError(f"{topic} is not led")


def _news(brokers: RealCluster) -> Iterator[Seen]:
    clients = {node_id: Client(server) for node_id, server in brokers.addresses.items()}
    for n in range(TIMES):
        topic, known_at, errors = f"news-{n}", dict[int, float](), set[int]()
        _leader(clients[n % BROKERS], topic)
        while len(known_at) < BROKERS:
            for node_id in clients.keys() - known_at.keys():
                error, leader = _leader(clients[node_id], topic)
                if leader != NO_LEADER and not error:
                    known_at[node_id] = time.monotonic()
                elif known_at:
                    errors.add(error)
        first = min(known_at.values())
        for at in sorted(known_at.values())[1:]:
            yield Seen("news", 1000 * (at - first), frozenset(errors))


# ---- replication


def _produced(release: Release, topic: str, acks: int) -> tuple[ProduceRequest, int]:
    rows = [Record(0, int(time.time() * 1000), 0, None, b"value")]
    is_new = release >= FIRST_WITH_TRANSACTIONS
    data = PartitionProduceData(index=0, records=bytes(v2.build(rows) if is_new else v1.build(rows)))
    named = TopicProduceData(name=topic, partition_data=[data])
    return ProduceRequest(acks=acks, timeout_ms=10_000, topic_data=[named]), 3 if is_new else 2


def _produce(client: Client, release: Release, topic: str, acks: int) -> tuple[float, int]:
    """How many seconds producing a record takes, and the record's offset."""
    request, version = _produced(release, topic, acks)
    start = time.monotonic()
    (done,) = client.ask(request, version, ProduceResponse).responses[0].partition_responses
    assert not done.error_code, f"error {done.error_code} of an append"
    return time.monotonic() - start, done.base_offset


def _shows(client: Client, topic: str, offset: int, version: int) -> bool:
    part = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=10_000)
    asked = FetchRequest(
        replica_id=ANY_REPLICA, max_wait_ms=0, min_bytes=0, topics=[FetchTopic(topic=topic, partitions=[part])]
    )
    found = client.ask(asked, version, FetchResponse).responses[0].partitions[0]
    assert found.error_code in (0, OFFSET_OUT_OF_RANGE), f"error {found.error_code} of a follower"
    return found.high_watermark > offset


def _replication(brokers: RealCluster) -> Iterator[Seen]:
    clients = {node_id: Client(server) for node_id, server in brokers.addresses.items()}
    version = next(version for first, version in FETCH_VERSIONS if brokers.release >= first)
    leader = _all_led(clients, "news-0")
    follower = next(node_id for node_id in clients if node_id != leader)
    time.sleep(1)  # until all replicas are in sync
    usual = median(_produce(clients[leader], brokers.release, "news-0", 1)[0] for _ in range(TIMES))
    time.sleep(1)
    for _ in range(TIMES):
        took_s, offset = _produce(clients[leader], brokers.release, "news-0", -1)
        acknowledged = time.monotonic()
        yield Seen("replicated", 1000 * max(0.0, took_s - usual), frozenset())
        while not _shows(clients[follower], "news-0", offset, version):
            pass
        yield Seen("high watermark", 1000 * (time.monotonic() - acknowledged), frozenset())
        time.sleep(0.6)  # until the follower's next fetch waits


# ---- brokers that die


def _deaths(brokers: RealCluster) -> Iterator[Seen]:
    chance = random.Random(1)
    clients = {node_id: Client(server) for node_id, server in brokers.addresses.items()}
    for n in range(DEATHS):
        leader = _all_led(clients, f"news-{n}")
        time.sleep(1 + 2 * chance.random())
        brokers.kill(leader)
        killed = time.monotonic()
        other = next(client for node_id, client in clients.items() if node_id != leader)
        while _leader(other, f"news-{n}")[1] in (leader, NO_LEADER):
            time.sleep(PAUSE_S)
        yield Seen("death noticed", 1000 * (time.monotonic() - killed), frozenset())
        clients.pop(leader).close()


# ---- brokers that start again


def _first_answer(server: str) -> tuple[Client, float, int]:
    """A client connected as soon as the broker accepts connections, the time of its first answer, and that answer's
    error.
    """
    while True:
        try:
            client = Client(server)
            error = _leader(client, "t")[0]
        except (OSError, ValueError, struct.error):
            time.sleep(PAUSE_S)
        else:
            return client, time.monotonic(), error


def _restarts(brokers: RealCluster) -> Iterator[Seen]:
    """The restarts of a broker under ZooKeeper: in KRaft mode a broker serves only when it knows everything."""
    if brokers.release.default_mode == "kraft":
        return
    client = Client(brokers.addresses[0])
    until_well("topic", lambda: _leader(client, "t")[0])
    client.close()
    for _ in range(RESTARTS):
        brokers.stop(0)
        brokers.start(0, waits=False)
        client, answered, error = _first_answer(brokers.addresses[0])
        told = until_well("told what it leads", lambda: _led(client))  # noqa: B023 - it is called at once
        took_ms = 1000 * (time.monotonic() - answered)
        yield told._replace(took_ms=took_ms, errors=told.errors | ({error} - {0}))
        client.close()


def _led(client: Client) -> int:
    error, leader = _leader(client, "t")
    return error if leader == NO_LEADER else 0


def main(arguments: Sequence[str]) -> None:
    socket.setdefaulttimeout(PATIENCE_S)
    print(HEADER)
    for name in arguments:
        with TemporaryDirectory() as folder:
            release, path = Release.parse(name), Path(folder)
            for part in ("cluster", "alone"):
                (path / part).mkdir()
            for seen in seen_in(release, path):
                print(*rows(name, seen), sep="\n", end="\n" if seen else "", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
