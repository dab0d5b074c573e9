import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
)

from tests.support.brokers import answer
from tests.support.clusters import cluster_of

KRAFT = {"process.roles": "broker,controller"}


@pytest.mark.parametrize(
    ("release", "config", "partitions"), [("3.2.0", KRAFT, 3), ("3.2.1", KRAFT, 1), ("3.2.0", {}, 1)]
)
def test_early_controllers_of_kraft_add_partitions_that_were_only_to_be_validated(
    release: str, config: dict[str, str], partitions: int
) -> None:
    """KAFKA-13861. Recorded from 3.2.0 to 3.2.1: patch_questions."""
    kafka = FakeKafka(release, config=config, topics={"t": 1}).boot()
    growth = CreatePartitionsTopic(name="t", count=3, assignments=None)
    asked = CreatePartitionsRequest(topics=[growth], timeout_ms=1000, validate_only=True)
    (found,) = answer(kafka, asked, 2, CreatePartitionsResponse).results
    assert found.error_code == 0
    assert len(cluster_of(kafka).topics["t"].partitions) == partitions
