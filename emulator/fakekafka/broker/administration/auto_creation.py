"""Topics that come about because somebody asked for their metadata (AutoTopicCreationManager, KafkaApis)."""

from typing import TYPE_CHECKING

from fakekafka.broker.administration.api_error import ApiError
from fakekafka.broker.administration.creation import create_planned, plan_topic
from fakekafka.broker.administration.new_topics import NewTopic
from fakekafka.broker.administration.topic_names import check_topic_name
from fakekafka.broker.internal_topics import ensure
from fakekafka.errors import ErrorCode
from fakekafka.ids import TopicName

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker


def create_missing(broker: "Broker", name: TopicName) -> None:
    """Create a topic with the broker's defaults. Raises `ApiError`.

    A KRaft broker asks its controller and does not wait: only a bad name shows.
    """
    check_topic_name(broker.profile, name)
    if name in broker.cluster.topics:
        return  # there, but without a leader the broker does not know it
    try:
        _create(broker, name)
    except ApiError:
        if broker.profile.topics.decided_by == "broker":
            raise


def _create(broker: "Broker", name: TopicName) -> None:
    if name in broker.profile.metadata.internal_topics:
        if ensure(broker, name) is None:
            raise ApiError(ErrorCode.INVALID_REPLICATION_FACTOR)
        return
    partitions, factor = broker.config.int("num.partitions", 1), broker.config.int("default.replication.factor", 1)
    create_planned(broker, name, plan_topic(broker, NewTopic(name, partitions, factor)))
