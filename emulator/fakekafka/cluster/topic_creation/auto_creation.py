"""Topics that are created because a client asked for their metadata (AutoTopicCreationManager, KafkaApis)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.cluster.failed_controller import check_controller, check_names
from fakekafka.cluster.internal_topics import ensure
from fakekafka.cluster.topic_creation.creation import create_planned, plan_topic
from fakekafka.cluster.topic_creation.new_topics import NewTopic
from fakekafka.cluster.topic_creation.request_bounds import check_asked, check_records
from fakekafka.cluster.topic_creation.topic_names import check_topic_name
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import TopicName

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker


def check_creation(broker: "Broker", names: Sequence[TopicName]) -> None:
    """Validate how many topics one request creates by asking for them: it has the bounds of CreateTopics, which a KRaft
    broker sends to its controllers. Raises `ApiError`, for all of them.
    """
    check_asked(broker, map(NewTopic, names))
    if broker.profile.admin.by_controllers:
        check_records(broker, len(names) * (1 + broker.config.int("num.partitions", 1)))


def create_missing(broker: "Broker", name: TopicName) -> None:
    """Create a topic with the broker's defaults. Raises `ApiError`.

    A KRaft broker asks its controller and does not wait: only a bad name shows.
    """
    check_topic_name(broker.profile, name)
    try:
        _create(broker, name)
    except ApiError as refused:
        if refused.code is ErrorCode.TOPIC_ALREADY_EXISTS:
            return  # the broker does not know it: it has never had a leader, or is being deleted
        if not broker.profile.admin.by_controllers:
            raise


def _create(broker: "Broker", name: TopicName) -> None:
    if name in broker.profile.metadata.internal_topics:
        if ensure(broker, name, at_once=False) is None:
            raise ApiError(ErrorCode.INVALID_REPLICATION_FACTOR)
        return
    check_controller(broker)
    check_names(broker, [name])
    partitions, factor = broker.config.int("num.partitions", 1), broker.config.int("default.replication.factor", 1)
    create_planned(broker, name, plan_topic(broker, NewTopic(name, partitions, factor)), at_once=False)
