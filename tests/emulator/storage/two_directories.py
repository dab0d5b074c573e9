"""Brokers with two log directories, and what is in each."""

from fakekafka import FakeKafka, ManualClock
from fakekafka.cluster.broker import Broker
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.alter_replica_log_dirs import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopic,
)
from fakekafka.wire.apis.describe_log_dirs import DescribeLogDirsRequest, DescribeLogDirsResponse

from tests.support.brokers import answer
from tests.support.seeded import NOW

TWO = {"log.dirs": "/one,/two"}


def started(release: str, topics: int = 4, **config: object) -> FakeKafka:
    """A broker with two directories, and topics t0, t1 … of one partition."""
    given = TWO | {name.replace("_", "."): value for name, value in config.items()}
    kafka = FakeKafka(release, config=given, clock=ManualClock(NOW)).boot()
    for n in range(topics):
        kafka.create_topic(f"t{n}")
    return kafka


def broker_of(kafka: FakeKafka) -> Broker:
    return kafka._running.cluster.brokers[0]


def described(kafka: FakeKafka) -> DescribeLogDirsResponse:
    version = broker_of(kafka).advertised[ApiKey.DESCRIBE_LOG_DIRS][0]
    return answer(kafka, DescribeLogDirsRequest(topics=None), version, DescribeLogDirsResponse)


def placed(kafka: FakeKafka) -> dict[str, list[str]]:
    """The topics in each directory."""
    return {result.log_dir: sorted(topic.name for topic in result.topics) for result in described(kafka).results}


def move(kafka: FakeKafka, topic: str, path: str) -> int:
    asked = AlterReplicaLogDirTopic(name=topic, partitions=[0])
    request = AlterReplicaLogDirsRequest(dirs=[AlterReplicaLogDir(path=path, topics=[asked])])
    version = broker_of(kafka).advertised[ApiKey.ALTER_REPLICA_LOG_DIRS][0]
    found = answer(kafka, request, version, AlterReplicaLogDirsResponse)
    return found.results[0].partitions[0].error_code


def values(kafka: FakeKafka, topic: str) -> list[bytes | None]:
    return [record.value for record in kafka.records(topic)]
