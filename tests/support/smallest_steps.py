"""Every request in the smallest steps, so that whatever can happen between two of them happens."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Final

import pytest
from fakekafka.server import manners
from fakekafka.wire import reading_in_steps, writing_in_steps

COUNTING: Final = (
    "aside", "pieces", "handlers.fetch", "handlers.metadata", "handlers.offset_fetch", "handlers.produce",
    "handlers.write_txn_markers",
)  # fmt: skip
FEW: Final = (
    "pieces", "handlers.add_partitions_to_txn", "handlers.delete_topics", "handlers.describe_configs",
    "cluster.topic_creation.creation",
)  # fmt: skip
"""The modules that count what they do in one step."""


@contextmanager
def smallest_steps() -> Iterator[None]:
    counting, few = ([import_module(f"fakekafka.{name}") for name in names] for names in (COUNTING, FEW))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manners, "LONG", 0)
        patch.setattr(reading_in_steps, "ELEMENTS_PER_STEP", 1)
        patch.setattr(reading_in_steps, "FEW", 0)
        patch.setattr(writing_in_steps, "FEW", 0)
        patch.setattr(writing_in_steps, "PIECES_PER_STEP", 1)
        for module in counting:
            patch.setattr(module, "PER_STEP", 1)
        for module in few:
            patch.setattr(module, "FEW_PER_STEP", 1)
        yield
