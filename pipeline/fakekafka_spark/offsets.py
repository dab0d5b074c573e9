"""Offsets of partitions as Spark's Kafka connector writes them: {"orders": {"0": 23, "1": -2}}.

-2 means the beginning and -1 the end, `earliest` and `latest` mean that for all partitions. A plain number, which the
connector does not take, is the offset in every partition.
"""

import json
from collections.abc import Mapping
from typing import TypeAlias

from fakekafka.errors import UsageError
from fakekafka.ids import Offset, PartitionIndex, TopicName

EARLIEST, LATEST = -2, -1
WORDS = {"earliest": EARLIEST, "latest": LATEST}

Offsets: TypeAlias = dict[TopicName, dict[str, Offset]]
"""By topic, then by partition; JSON has texts for keys."""


def parsed(text: str, name: str) -> Offset | Offsets:
    """The value of an option: one offset for all, or one for each partition. Raises `UsageError`."""
    if text in WORDS:
        return WORDS[text]
    if text.isdecimal():
        return int(text)
    try:
        found = json.loads(text)
        return {topic: {str(int(p)): int(o) for p, o in some.items()} for topic, some in found.items()}
    except (ValueError, AttributeError, TypeError):
        raise UsageError(
            f'{name} is earliest, latest, a number, or like {{"orders": {{"0": 23}}}}, not {text!r}'
        ) from None


def of_partition(given: Offset | Mapping[TopicName, Mapping[str, Offset]], topic: TopicName, partition: PartitionIndex,
                 default: Offset) -> Offset:  # fmt: skip
    """What was given for a partition; `default` for one that is not named."""
    if isinstance(given, int):
        return given
    return given.get(topic, {}).get(str(partition), default)
