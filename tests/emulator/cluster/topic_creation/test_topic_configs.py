import pytest
from fakekafka import FakeKafka
from fakekafka.errors import UsageError


@pytest.mark.parametrize("config", [{"retention.bytes": 100}, {"retention.bytes": 2000, "segment.bytes": 2001}])
@pytest.mark.parametrize(("release", "refused"), [("0.10.1.1", False), ("0.10.2.0", True), ("0.10.2.1", False)])
def test_in_0_10_2_0_a_topic_keeps_at_least_a_segment(release: str, refused: bool, config: dict[str, int]) -> None:
    """KAFKA-4788. Recorded from 0.10.1.1 to 0.10.2.1: retention_questions."""
    kafka = FakeKafka(release).boot()
    if not refused:
        kafka.create_topic("t", config=config)
        assert "t" in kafka._running.cluster.topics
        return
    with pytest.raises(UsageError, match="is not less than or equal to"):
        kafka.create_topic("t", config=config)


def test_in_0_10_2_0_a_topic_may_keep_everything_or_a_segment() -> None:
    kafka = FakeKafka("0.10.2.0").boot()
    kafka.create_topic("t", config={"retention.bytes": 2000, "segment.bytes": 2000})
    kafka.create_topic("u", config={"retention.bytes": -1})
    assert set(kafka._running.cluster.topics) == {"t", "u"}
