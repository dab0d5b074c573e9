"""A request as rules, and the journal's filters, see it."""

from fakekafka.cluster.broker import Broker
from fakekafka.faults.fetch_in_full import places_of_session
from fakekafka.faults.match import Seen
from fakekafka.faults.subjects import Subjects, TopicNamed, TopicOrPartition, subjects
from fakekafka.handlers.call import Call
from fakekafka.ids import ApiKey, DurationMs, TopicName, Uuid
from fakekafka.wire.message import Request


def seen(call: Call, body: Request, elapsed_ms: DurationMs = 0) -> Seen:
    """What can be asked about a request. `elapsed_ms`: the time on the broker's clock."""
    return Seen(
        call.key,
        call.version,
        body,
        lambda: _subjects(call, body),
        call.client_id or "",
        call.software.name,
        "" if call.principal is None else call.principal,
        call.broker.node_id,
        call.connection_id,
        elapsed_ms,
    )


def _subjects(call: Call, body: Request) -> Subjects:
    named = subjects(body, names_of(call.broker))
    return named if named.places else named._replace(places=tuple(_unnamed(call, body)))


def names_of(broker: Broker) -> TopicNamed:
    """The names of the topics of a broker's cluster, by their ids."""

    def named(topic_id: Uuid) -> TopicName | None:
        topic = broker.cluster.topics_by_id.get(topic_id)
        return None if topic is None else topic.name

    return named


def _unnamed(call: Call, body: Request) -> list[TopicOrPartition]:
    """The topics of a request that names none: those of its fetch session, or all topics."""
    if call.key is ApiKey.FETCH:
        return places_of_session(call.broker, body)
    topics = vars(body).get("topics", ())
    asks_for_all = topics is None or (call.key is ApiKey.METADATA and call.version == 0)
    return [TopicOrPartition(name, None) for name in call.broker.cluster.topics] if asks_for_all else []
