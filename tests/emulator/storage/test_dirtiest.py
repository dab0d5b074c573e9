"""Which of several logs is cleaned first. Recorded: cleaner_order, where the cleaner dies of one of them."""

from typing import cast

import pytest
from fakekafka.log.cleaner.cleanable import Candidate, Cleanable
from fakekafka.log.partition_log import PartitionLog
from fakekafka.releases.behaviours.order_maps import NamedKey
from fakekafka.storage.dirtiest import dirtiest

KNOWN = [("t", 0), ("orders", 0)]


def candidate(name: str, dirty_bytes: int) -> Candidate:
    part = Cleanable(0, 1, 100 - dirty_bytes, dirty_bytes, is_overdue=False, corrected=False, is_fatal=False)
    return Candidate((name, 0), cast("PartitionLog", None), part)


@pytest.mark.parametrize("key", ["TopicAndPartition", "TopicPartition"])
def test_the_log_with_the_largest_share_of_dirty_bytes_comes_first(key: NamedKey) -> None:
    for dirty in ("t", "orders"):
        candidates = [candidate(name, 90 if name == dirty else 80) for name, _ in KNOWN]
        assert dirtiest(candidates, KNOWN, key).key == (dirty, 0)


@pytest.mark.parametrize(("key", "first"), [("TopicAndPartition", "orders"), ("TopicPartition", "t")])
def test_of_equally_dirty_logs_the_first_in_the_map_of_logs_comes_first(key: NamedKey, first: str) -> None:
    candidates = [candidate(name, 90) for name, _ in KNOWN]
    assert dirtiest(candidates, KNOWN, key).key == (first, 0)
    assert dirtiest(candidates[::-1], KNOWN[::-1], key).key == (first, 0)
