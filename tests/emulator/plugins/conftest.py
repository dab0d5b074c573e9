"""What tests of plug-ins share."""

from collections.abc import Iterator

import pytest
from fakekafka import FakeKafka


@pytest.fixture
def cluster() -> Iterator[FakeKafka]:
    """A broker with two plug-ins that are registered."""
    with FakeKafka("3.9", drafts=["KIP-984"], topics={"t": 1}) as kafka:
        kafka.plugins.register("snappyPlugin")
        kafka.plugins.register("lzmaPlugin")
        yield kafka
