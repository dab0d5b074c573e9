"""What lies in a directory, and how the brokers of a cluster stop and start one by one."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from fakekafka import BrokerSettings, BrokerWillNotStart, FakeKafka, UsageError
from fakekafka.admin.reassignments import reassign
from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId, Offset
from fakekafka.releases.release import NEWEST
from fakekafka.runtime.assembly import broker_folder, what_lies_in
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic, OffsetFetchResponse
from fakekafka.wire.apis.produce import ProduceResponse
from fakekafka.wire.frames import read_response, request_frame

from tests.support.brokers import answer
from tests.support.clusters import cluster_of, ends, formed, state_of, values
from tests.support.producing import batch, errors, parts, produce, request

IN_KRAFT_MODE = {"process.roles": "broker,controller"}


def test_a_directory_says_its_release_and_its_brokers(tmp_path: Path) -> None:
    with FakeKafka("0.11.0", brokers=2, log_dir=tmp_path / "two", topics={"t": 1}).boot():
        pass
    assert what_lies_in(tmp_path / "two") == ("0.11.0.3", 2, "zk", ())
    assert (tmp_path / "two" / broker_folder(1)).is_dir()


def test_an_unknown_directory_counts_as_one_of_the_newest_release(tmp_path: Path) -> None:
    assert what_lies_in(tmp_path) == (NEWEST, 1, None, ())
    with pytest.raises(UsageError, match="is not a directory"):
        what_lies_in(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("properties", "mode"), [("version=0\nbroker.id=0\n", "zk"), ("version=1\nnode.id=0\n", "kraft"), ("", None)]
)
def test_a_real_brokers_directory_says_who_kept_the_metadata(tmp_path: Path, properties: str, mode: str | None) -> None:
    (tmp_path / "meta.properties").write_text(properties, "utf-8")
    assert what_lies_in(tmp_path).mode == mode
    (tmp_path / "__cluster_metadata-0").mkdir()
    assert what_lies_in(tmp_path).mode == "kraft"


@pytest.mark.parametrize("config", [{"broker.id": 5}, {"process.roles": "broker,controller", "node.id": 5}], ids=str)
def test_a_broker_has_the_id_in_its_properties(config: dict[str, object]) -> None:
    kafka = FakeKafka("3.9", config=config).boot()
    assert list(kafka.brokers()) == [5]
    kafka.stop()


def test_a_broker_id_of_minus_one_gives_the_usual_id() -> None:
    kafka = FakeKafka("2.3", config={"broker.id": -1}).boot()
    assert list(kafka.brokers()) == [0]
    kafka.stop()


def test_each_of_several_brokers_may_have_its_own_id() -> None:
    brokers = [BrokerSettings(config={"broker.id": n}) for n in (7, 3)]
    kafka = FakeKafka("2.3", brokers=brokers, topics={"t": 1}).boot()
    assert sorted(kafka.brokers()) == [3, 7]
    kafka.stop()


def test_brokers_with_one_id_are_refused() -> None:
    with pytest.raises(UsageError, match="different ids"):
        FakeKafka("2.3", brokers=2, config={"broker.id": 1}).boot()


def test_files_of_another_broker_are_refused(tmp_path: Path) -> None:
    FakeKafka("2.3", log_dir=tmp_path, config={"broker.id": 5}).boot().stop()
    with pytest.raises(BrokerWillNotStart, match="5"):
        FakeKafka("2.3", log_dir=tmp_path, config={"broker.id": 6}).boot()
    kafka = FakeKafka("2.3", log_dir=tmp_path).boot()
    assert list(kafka.brokers()) == [5]
    kafka.stop()


def test_brokers_go_and_come_back() -> None:
    kafka = formed()
    kafka.stop_broker(1)
    kafka.kill_broker(2)
    assert kafka.brokers() == {0: "2.8.2"}
    kafka.start_broker(2)
    kafka.start_broker(1, "3.0", {"inter.broker.protocol.version": "2.8"})
    assert kafka.brokers() == {0: "2.8.2", 1: "3.0.2", 2: "2.8.2"}
    kafka.restart()
    assert kafka.brokers() == {0: "2.8.2", 1: "3.0.2", 2: "2.8.2"}
    kafka.restart("2.7")
    assert set(kafka.brokers().values()) == {"2.7.2"}


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda kafka: kafka.stop_broker(7), r"broker 7 does not run; these do: \[0, 2\]"),
        (lambda kafka: kafka.kill_broker(1), "broker 1 does not run"),
        (lambda kafka: kafka.start_broker(0), "broker 0 runs already"),
        (lambda kafka: kafka.start_broker(7), r"there is no broker 7; there are \[0, 1, 2\]"),
        (lambda kafka: kafka.start_broker(1, "4.0"), "all under ZooKeeper or all in KRaft mode"),
        (lambda kafka: kafka.connect(1), "broker 1 does not run"),
        (lambda kafka: kafka.pause_replication(1), "broker 1 does not run"),
        (lambda kafka: kafka.records("t", broker=1), "broker 1 does not run"),
        (lambda kafka: kafka.elect_leader("t", 0, broker=1), r"broker 1 cannot lead t-0: in sync are \[0, 2\]"),
    ],
)
def test_impossible_calls_are_refused(act: Callable[[FakeKafka], object], words: str) -> None:
    kafka = formed()
    kafka.stop_broker(1)
    with pytest.raises(UsageError, match=words):
        act(kafka)


def test_a_broker_that_does_not_start_stays_away() -> None:
    kafka = formed("2.8")
    kafka.stop_broker(1)
    with pytest.raises(BrokerWillNotStart):
        kafka.start_broker(1, config={"log.retention.bytes": "none"})
    with pytest.raises(UsageError):
        kafka.start_broker(1, config={"no.such.config": 1})
    assert sorted(kafka.brokers()) == [0, 2]
    kafka.start_broker(1)
    assert sorted(kafka.brokers()) == [0, 1, 2]


def test_leadership_can_be_moved() -> None:
    kafka = formed()
    kafka.send("t", b"a")
    assert kafka.elect_leader("t", 0, broker=2) == 1
    assert state_of(kafka).leader == 2
    kafka.send("t", b"b")
    assert values(kafka, 0) == values(kafka, 1) == values(kafka, 2) == [b"a", b"b"]


def test_without_a_leader_nothing_can_be_sent_or_read() -> None:
    kafka = formed(brokers=2)
    kafka.stop_broker(1)
    kafka.send("t", b"a")
    kafka.kill_broker(0)
    kafka.start_broker(1)
    with pytest.raises(UsageError, match=r"no broker leads t-0: its replicas are on brokers \[0, 1\]"):
        kafka.send("t", b"b")
    with pytest.raises(UsageError, match="no broker leads t-0"):
        kafka.records("t")
    assert values(kafka, 1) == []
    assert kafka.committed("g") == {}


def test_each_broker_has_its_own_release() -> None:
    kafka = formed("2.3")
    kafka.stop_broker(1)
    kafka.start_broker(1, "2.8", {"inter.broker.protocol.version": "2.3"})
    newest = [
        {
            key.api_key: key.max_version
            for key in answer(kafka, ApiVersionsRequest(), 2, ApiVersionsResponse, n).api_keys
        }
        for n in (0, 1)
    ]
    assert [versions[1] for versions in newest] == [11, 12]


def test_connections_of_a_broker_that_goes_are_closed() -> None:
    kafka = formed()
    gone, stays = kafka.connect(1), kafka.connect(2)
    kafka.stop_broker(1)
    assert gone.send(b"") == b""
    gone.receive()
    assert gone.closed
    assert not stays.closed


def test_a_request_that_waits_at_a_broker_that_dies_is_forgotten() -> None:
    kafka = formed()
    kafka.pause_replication(1)
    client = kafka.connect(0)
    client.send(request_frame(request({("t", 0): batch()}, acks=-1), 8, 1, "c"))
    kafka.kill_broker(0)
    kafka.resume_replication(1)
    assert client.receive() == b""
    assert client.closed
    assert not kafka.failures


def test_a_leader_that_loses_the_lead_answers_waiting_clients() -> None:
    kafka = formed(brokers=2)
    kafka.pause_replication(1)
    client = kafka.connect(0)
    assert client.send(request_frame(request({("t", 0): batch()}, acks=-1), 8, 1, "c")) == b""
    kafka.elect_leader("t", 0, broker=1)
    assert errors(read_response(ProduceResponse, 8, client.receive()[4:])[1]) == {("t", 0): 6}


def test_ports_refuse_connections_while_a_broker_is_away() -> None:
    with FakeKafka("2.8", brokers=2) as kafka:
        ports = [int(address.rpartition(":")[2]) for address in kafka.bootstrap_servers.split(",")]
        with socket.create_connection(("127.0.0.1", ports[1])) as client:
            kafka.stop_broker(1)
            assert client.recv(1) == b""
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", ports[1]))
        kafka.start_broker(1)
        socket.create_connection(("127.0.0.1", ports[1])).close()
        assert [int(address.rpartition(":")[2]) for address in kafka.bootstrap_servers.split(",")] == ports


@pytest.mark.parametrize("refusing", [False, True], ids=["listening", "refusing clients"])
@pytest.mark.parametrize("leave", [FakeKafka.stop_broker, FakeKafka.kill_broker], ids=["stopped", "killed"])
def test_no_other_program_gets_the_port_of_a_broker_that_is_away(
    leave: Callable[[FakeKafka, int], None], refusing: bool
) -> None:
    with FakeKafka("2.8", brokers=2) as kafka, socket.socket() as other:
        port = int(kafka.bootstrap_servers.rpartition(":")[2])
        rule = kafka.faults.refuse_connections(broker=1, expected=False) if refusing else None
        leave(kafka, 1)
        if rule is not None:
            rule.remove()
        for _ in range(2):  # also when the broker has been away before
            with pytest.raises(OSError, match="in use"):
                other.bind(("127.0.0.1", port))
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port))
            kafka.start_broker(1)
            socket.create_connection(("127.0.0.1", port)).close()
            leave(kafka, 1)
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))  # a stopped cluster keeps nothing


def test_coordinators_move_with_their_partition() -> None:
    kafka = formed("2.8", offsets_topic_num_partitions=1)
    coordinator = found(kafka, 0)
    commit(kafka, coordinator, 7)
    kafka.kill_broker(coordinator)
    successor = found(kafka, (coordinator + 1) % 3)
    assert successor != coordinator
    assert committed(kafka, successor) == (0, 7)
    assert committed(kafka, 3 - successor - coordinator)[0] == ErrorCode.NOT_COORDINATOR
    kafka.start_broker(coordinator)
    commit(kafka, successor, 8)
    kafka.elect_leader("__consumer_offsets", 0, broker=coordinator)
    assert committed(kafka, coordinator) == (0, 8)
    assert committed(kafka, successor)[0] == ErrorCode.NOT_COORDINATOR
    assert not kafka.failures


def found(kafka: FakeKafka, node_id: BrokerId) -> BrokerId:
    """The coordinator of the group "g" according to one broker."""
    node: BrokerId = answer(kafka, FindCoordinatorRequest(key="g"), 2, FindCoordinatorResponse, node_id).node_id
    return node


def commit(kafka: FakeKafka, node_id: BrokerId, offset: Offset) -> None:
    place = OffsetCommitRequestPartition(partition_index=0, committed_offset=offset)
    topics = [OffsetCommitRequestTopic(name="t", partitions=[place])]
    sent = OffsetCommitRequest(group_id="g", topics=topics)
    (topic,) = answer(kafka, sent, 7, OffsetCommitResponse, node_id).topics
    assert topic.partitions[0].error_code == 0


def committed(kafka: FakeKafka, node_id: BrokerId) -> tuple[int, Offset]:
    """The error and the offset in one broker's answer."""
    sent = OffsetFetchRequest(group_id="g", topics=[OffsetFetchRequestTopic(name="t", partition_indexes=[0])])
    response = answer(kafka, sent, 5, OffsetFetchResponse, node_id)
    if response.error_code:
        return response.error_code, -1
    (topic,) = response.topics
    return topic.partitions[0].error_code, topic.partitions[0].committed_offset


def test_files_survive_on_disk(tmp_path: Path) -> None:
    kafka = FakeKafka("2.8", brokers=2, config={"default.replication.factor": 2}, log_dir=tmp_path).boot()
    kafka.create_topic("t")
    kafka.send("t", b"a")
    kafka.kill_broker(1)
    kafka.send("t", b"b")
    kafka.start_broker(1, "3.0")
    assert ends(kafka) == {0: (2, 2), 1: (2, 2)}
    kafka.stop()
    logs = sorted(tmp_path.glob("broker-*/t-0/*.log"))
    assert len({path.read_bytes() for path in logs}) == 1
    assert len(logs) == 2


def test_records_deleted_while_a_broker_was_away_do_not_come_back() -> None:
    kafka = formed()
    kafka.send("t", b"old")
    kafka.stop_broker(2)
    kafka.delete_topic("t")
    with pytest.raises(UsageError, match="already exists"):
        kafka.create_topic("t")
    kafka.start_broker(2)
    kafka.create_topic("t")
    assert values(kafka, 2) == []


def test_a_reset_brings_all_brokers_back_as_they_were_at_first() -> None:
    kafka = formed(replica_lag_time_max_ms=1000)
    kafka.send("t", b"old")
    kafka.kill_broker(1)
    kafka.stop_broker(2)
    kafka.start_broker(2, "3.0", {"inter.broker.protocol.version": "2.8"})
    kafka.pause_replication(2)
    kafka.reset()
    assert kafka.brokers() == dict.fromkeys(range(3), "2.8.2")
    kafka.send("t", b"new")
    assert [values(kafka, n) for n in range(3)] == [[b"new"]] * 3
    assert ends(kafka) == dict.fromkeys(range(3), (1, 1))
    kafka.restart()
    assert kafka.brokers() == dict.fromkeys(range(3), "2.8.2")


def test_a_replica_that_was_reassigned_while_its_broker_was_away_is_no_longer_hosted() -> None:
    """Its files stay, as those of 2.8.2 did (recorded: absent)."""
    kafka = formed()
    kafka.send("t", b"a")
    kafka.stop_broker(2)
    cluster, state = cluster_of(kafka), state_of(kafka)
    kafka._on_loop(lambda: reassign(cluster.brokers[0], "t", 0, [0, 1]))
    assert state.replicas == [0, 1]
    kafka.start_broker(2)
    assert ("t", 0) not in cluster.brokers[2].partitions
    assert [*cluster.brokers[2].logs.logs] == [("t", 0)]


def test_a_producer_that_repeats_itself_is_known_to_the_next_leader() -> None:
    kafka = formed()
    sent = request({("t", 0): batch(producer=7, sequence=0)}, acks=-1)
    first = produce(kafka, sent, 8, 0)
    kafka.kill_broker(0)
    again = produce(kafka, request({("t", 0): batch(producer=7, sequence=0)}, acks=-1), 8, 1)
    assert [parts(response)["t", 0].base_offset for response in (first, again)] == [0, 0]
    assert len(values(kafka, 1)) == 2


def test_a_broker_whose_port_is_taken_meanwhile_does_not_start() -> None:
    with FakeKafka("2.8", brokers=2) as kafka:
        port = int(kafka.bootstrap_servers.rpartition(":")[2])
        kafka.stop_broker(1)
        with socket.create_server(("127.0.0.1", port)), pytest.raises(UsageError, match="cannot listen"):
            kafka.start_broker(1)
        assert sorted(kafka.brokers()) == [0]
        kafka.start_broker(1)
        assert sorted(kafka.brokers()) == [0, 1]


@pytest.mark.parametrize(("first", "then"), [("2.8.1", "2.8.1"), ("2.8.2", "3.0.2"), ("3.0.2", "3.0.2")])
def test_a_node_of_early_kraft_starts_again(first: str, then: str) -> None:
    """Asked of these releases."""
    kafka = FakeKafka(first, config=IN_KRAFT_MODE).boot()
    kafka.restart(then)
    assert kafka.brokers() == {0: then}
    kafka.stop()


def test_a_node_of_kraft_2_8_2_does_not_start_again() -> None:
    """Asked of 2.8.2, which cannot read in its metadata log that a broker has registered."""
    kafka = FakeKafka("2.8.2", config=IN_KRAFT_MODE).boot()
    with pytest.raises(BrokerWillNotStart, match="Tried to allocate a collection of size 1"):
        kafka.restart()


@pytest.mark.parametrize("leave", [FakeKafka.stop_broker, FakeKafka.kill_broker])
def test_a_reset_starts_a_node_of_kraft_2_8_2_with_a_new_metadata_log(leave: Callable[[FakeKafka, int], None]) -> None:
    kafka = FakeKafka("2.8.2", config=IN_KRAFT_MODE).boot()
    kafka.create_topic("t")
    leave(kafka, 0)
    kafka.reset()
    assert (kafka.brokers(), kafka.topics()) == ({0: "2.8.2"}, {})
    kafka.reset()  # while it runs
    kafka.stop_broker(0)
    with pytest.raises(BrokerWillNotStart, match="Tried to allocate a collection of size 1"):
        kafka.start_broker(0)


def test_several_nodes_of_kraft_2_8_2_never_start() -> None:
    """Asked of three nodes of 2.8.2: the others cannot read it, either."""
    with pytest.raises(BrokerWillNotStart, match="Tried to allocate a collection of size 1"):
        FakeKafka("2.8.2", brokers=3, config=IN_KRAFT_MODE).boot()
