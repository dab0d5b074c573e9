"""A real broker that takes over a directory of the emulator, unchanged.

A KRaft broker keeps a log only if its quorum knows the topic by the same id. What `fakekafka-cluster.json` says about
the topics therefore goes into `bootstrap.checkpoint`: the records with which a new quorum's log begins
(BootstrapMetadata). The quorum's own files lie in a directory beside it.
"""

import json
import socket
import subprocess
from base64 import b64decode, urlsafe_b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from confluent_kafka.admin import AdminClient
from fakekafka.binary import uvarint
from fakekafka.log.checkpoints import Checkpoints
from fakekafka.log.files import DiskDirectory
from fakekafka.log.names import CLUSTER_FILE, META_PROPERTIES
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.wire.codec import encode_bytes
from fakekafka.wire.internal.cluster_metadata import (
    RECORDS,
    ConfigRecord,
    FeatureLevelRecord,
    PartitionRecord,
    ProducerIdsRecord,
    TopicRecord,
)
from fakekafka.wire.message import Message

from tests.real_kafka.jars import java

OF_A_TOPIC: Final = 2
"""The resource type of a topic in a ConfigRecord."""
WITH_DIRECTORIES: Final = 1
"""The version of a PartitionRecord that names directories (KIP-858)."""
PRODUCER_ID_BLOCK: Final = 1000
START_S: Final = 120


class RealBroker(NamedTuple):
    """A broker that is running."""

    servers: str
    log: Path
    """The broker's log, as SLF4J's simple logger writes it."""


@contextmanager
def real_broker(folder: Path, config: dict[str, object]) -> Iterator[RealBroker]:
    """Kafka 3.9.1, broker and controller in one, on the logs in `folder`, until it has stopped cleanly."""
    beside = folder.with_name(folder.name + "-quorum")
    begin_quorum(folder, beside)
    port, controller_port = _free_ports()
    settings = config | {
        "process.roles": "broker,controller",
        "node.id": 0,
        "controller.quorum.voters": f"0@127.0.0.1:{controller_port}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}",
        "log.dirs": folder,
        "metadata.log.dir": beside,
        "log.cleaner.dedupe.buffer.size": 2 << 20,
    }
    properties, log = beside / "server.properties", beside / "server.log"
    properties.write_text("".join(f"{name}={value}\n" for name, value in settings.items()), "utf-8")
    with subprocess.Popen(java(f"-Dorg.slf4j.simpleLogger.logFile={log}", "kafka.Kafka", str(properties))) as broker:
        try:
            servers = f"127.0.0.1:{port}"
            AdminClient({"bootstrap.servers": servers, "log_level": 0}).list_topics(timeout=START_S)
            yield RealBroker(servers, log)
            broker.terminate()
            assert broker.wait(60) in (0, 143), "no clean stop"
        finally:
            broker.kill()


def begin_quorum(folder: Path, beside: Path) -> None:
    """Make the files of a quorum that knows what lies in `folder`."""
    beside.mkdir()
    properties = Checkpoints(DiskDirectory(folder)).meta_properties()
    meta = properties | {"directory.id": "AAAAAAAAAAAAAAAAAAAAZg"}
    (beside / META_PROPERTIES).write_text("".join(f"{name}={value}\n" for name, value in meta.items()), "utf-8")
    state = json.loads((folder / CLUSTER_FILE).read_text("utf-8"))
    messages = _messages(state, urlsafe_b64decode(properties["directory.id"] + "=="))
    records = [Record(n, 0, 0, None, _metadata_record(message)) for n, message in enumerate(messages)]
    (beside / "bootstrap.checkpoint").write_bytes(v2.build(records))


def _messages(state: dict[str, Any], directory: bytes) -> Iterator[Message]:
    """Records of what the emulator's controller knows. The first one must be metadata.version."""
    for name, level in state["settings"]["features"].items():
        yield FeatureLevelRecord(name=name, feature_level=level)
    yield ProducerIdsRecord(broker_id=0, next_producer_id=state["producer_ids"] + PRODUCER_ID_BLOCK)
    for topic in state["topics"]:
        topic_id = b64decode(topic["id"])
        yield TopicRecord(name=topic["name"], topic_id=topic_id)
        for name, value in topic["configs"].items():
            yield ConfigRecord(resource_type=OF_A_TOPIC, resource_name=topic["name"], name=name, value=value)
        for part in topic["partitions"]:
            yield PartitionRecord(
                partition_id=part["index"],
                topic_id=topic_id,
                replicas=part["replicas"],
                isr=part["isr"],
                leader=part["leader"],
                leader_epoch=part["leader_epoch"],
                partition_epoch=0,
                directories=[directory],
            )


def _metadata_record(message: Message) -> bytes:
    """A record as in the quorum's log: frame version, key, version, body."""
    (key,) = (key for key, kind in RECORDS.items() if isinstance(message, kind))
    version = WITH_DIRECTORIES if isinstance(message, PartitionRecord) else 0
    return uvarint(1) + uvarint(key) + uvarint(version) + encode_bytes(message, version)


def _free_ports() -> tuple[int, int]:
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
        return one.getsockname()[1], other.getsockname()[1]
