import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse, DeleteTopicState

from tests.support.brokers import answer
from tests.support.seeded import broker_of


@pytest.mark.parametrize(
    ("release", "protocol", "refused"),
    [
        ("2.8.0", "2.7", (35, "Topic IDs are not supported on the server.")),
        ("2.8.0", "2.8", (100, None)),
        ("2.8.1", "2.7", (100, None)),
    ],
)
def test_in_2_8_0_ids_of_topics_need_an_inter_broker_protocol_that_has_them(
    release: str, protocol: str, refused: tuple[int, str | None]
) -> None:
    """KAFKA-12976. Recorded from 2.8.0 and 2.8.1: old_protocol_questions."""
    kafka = FakeKafka(release, config={"inter.broker.protocol.version": protocol}).boot()
    asked = DeleteTopicsRequest(topics=[DeleteTopicState(name=None, topic_id=b"1" * 16)], timeout_ms=1000)
    (done,) = answer(kafka, asked, 6, DeleteTopicsResponse).responses
    assert (done.error_code, done.error_message) == refused


def test_a_topic_that_is_named_by_name_and_by_id_stays() -> None:
    """Recorded from 3.3.2 to 4.3.1: control_questions."""
    kafka = FakeKafka("3.9", topics={"orders": 1}).boot()
    by_id = DeleteTopicState(name=None, topic_id=broker_of(kafka).cluster.topics["orders"].id)
    asked = DeleteTopicsRequest(topics=[DeleteTopicState(name="orders"), by_id], timeout_ms=1000)
    (done,) = answer(kafka, asked, 6, DeleteTopicsResponse).responses
    assert (done.name, done.error_code) == ("orders", 42)
    assert "orders" in broker_of(kafka).cluster.topics
