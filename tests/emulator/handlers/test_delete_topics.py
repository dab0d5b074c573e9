from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka
from fakekafka.log import names
from fakekafka.pieces import FEW_PER_STEP
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse, DeleteTopicState
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer
from tests.support.functions_passed import functions_passed
from tests.support.seeded import broker_of

MANY: Final = [f"topic-{n}" for n in range(40)]


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


@pytest.mark.parametrize("release", ["1.0", "2.3", "3.9", "4.3"])
def test_deleting_many_topics_costs_hardly_more_if_there_are_many_others(release: str) -> None:
    def cost(others: int) -> int:
        kafka = FakeKafka(release, topics={**dict.fromkeys(MANY, 4), **{f"other-{n}": 4 for n in range(others)}}).boot()
        kafka.delete_topic(MANY[0])  # loads modules
        asked = DeleteTopicsRequest(topic_names=MANY[1:], timeout_ms=1000)
        passed = functions_passed(lambda: answer(kafka, asked, 1, DeleteTopicsResponse))
        assert len(kafka.topics()) == others
        return passed

    assert cost(others=120) < 2 * cost(others=0)


@pytest.mark.parametrize("release", ["1.1", "2.3", "3.9", "4.3"])
def test_topics_that_were_deleted_together_are_in_no_checkpoint(release: str, tmp_path: Path) -> None:
    kafka = FakeKafka(release, topics={**dict.fromkeys(MANY, 2), "kept": 2}, log_dir=tmp_path).boot()
    asked = DeleteTopicsRequest(topic_names=MANY, timeout_ms=1000)
    assert {each.error_code for each in answer(kafka, asked, 1, DeleteTopicsResponse).responses} == {0}
    recovery_points = (tmp_path / names.RECOVERY_POINTS).read_text("utf-8").splitlines()
    assert sorted(recovery_points[2:]) == ["kept 0 0", "kept 1 0"]
    kafka.stop()


def test_topics_of_a_request_are_deleted_in_steps() -> None:
    kafka = FakeKafka("3.9", topics=dict.fromkeys(MANY, 1)).boot()
    client = kafka.connect()
    client.connection.receive(request_frame(DeleteTopicsRequest(topic_names=MANY, timeout_ms=1000), 1, 1, "c"))
    left = []
    while client.connection.has_request:
        client.core.step(client.connection)
        left.append(len(kafka.topics()))
    assert left[0] == len(MANY) - FEW_PER_STEP
    assert left[-1] == 0
