"""The keys of the maps in which brokers have partitions."""

from fakekafka.handlers.orders.keys import hash_of_id_places, hash_of_places
from fakekafka.ids import ZERO_UUID
from fakekafka.jvm.chains import case_class_hash, id_place_hash, place_hash
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse

from tests.support.brokers import answer
from tests.support.handled import handled
from tests.support.seeded import booted


def test_a_key_is_a_case_class_a_place_or_a_place_with_the_id_of_its_topic() -> None:
    kafka = booted("4.1.1")
    topic_id = kafka._running.cluster.topics["t"].id
    with handled() as calls:
        answer(kafka, MetadataRequest(topics=None), 1, MetadataResponse)
    call = calls[-1]
    place, unknown = ("t", 1), ("nope", 1)
    assert hash_of_places("TopicPartition", call)(place) == place_hash(place)
    assert hash_of_places("TopicAndPartition", call)(place) == case_class_hash(place)
    assert hash_of_places("TopicIdPartition", call)(place) == id_place_hash(topic_id, place)
    assert hash_of_places("TopicIdPartition", call)(unknown) == id_place_hash(ZERO_UUID, unknown)
    assert hash_of_id_places(call)((topic_id, 1)) == id_place_hash(topic_id, place)
    assert hash_of_id_places(call)((ZERO_UUID, 1)) == id_place_hash(ZERO_UUID, ("", 1))
