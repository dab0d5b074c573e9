import json
import socket
import urllib.request

import pytest
from programs import one_replica, running

CONVERTER = "org.apache.kafka.connect.storage.StringConverter"


@pytest.fixture
def rest() -> str:
    """Where the worker listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"http://127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture
def worker(fake_kafka, rest, tmp_path):
    """A worker of a distributed Connect cluster, whose sources write exactly once."""
    settings = {
        "bootstrap.servers": fake_kafka.bootstrap_servers,
        "group.id": "connect",
        "listeners": rest,
        "key.converter": CONVERTER,
        "value.converter": CONVERTER,
        "exactly.once.source.support": "enabled",
        "offset.flush.interval.ms": 200,
        **{f"{kind}.storage.topic": f"connect-{kind}" for kind in ("config", "offset", "status")},
        **one_replica("config.storage", "offset.storage", "status.storage"),
    }
    main = "org.apache.kafka.connect.cli.ConnectDistributed"
    with running(main, settings, tmp_path, until="Kafka Connect started"):
        fake_kafka.wait_for_group("connect", state="Stable", members=1, timeout=60)
        yield rest


def start_connector(rest: str, name: str, kind: str, **config: str) -> None:
    """Give the worker a connector of that class."""
    body = json.dumps({"connector.class": kind, **config}).encode()
    address = f"{rest}/connectors/{name}/config"
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"}, method="PUT")
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.status == 201


@pytest.mark.fake_kafka(release=["2.3", "4.3"], topics={"lines": 1})
def test_a_file_passes_through_a_topic(fake_kafka, worker, tmp_path):
    (tmp_path / "in.txt").write_text("two apples\na pear\n")
    start_connector(worker, "source", "FileStreamSource", file=f"{tmp_path}/in.txt", topic="lines")
    lines = fake_kafka.wait_for_records("lines", 2, timeout=60)
    assert [line.value for line in lines] == [b"two apples", b"a pear"]
    assert fake_kafka.wait_for_transaction("connect-source-0", "CompleteCommit", timeout=60)

    start_connector(worker, "sink", "FileStreamSink", file=f"{tmp_path}/out.txt", topics="lines")
    fake_kafka.wait_for_commit("connect-sink", "lines", partition=0, offset=2, timeout=60)
    assert (tmp_path / "out.txt").read_text() == "two apples\na pear\n"
