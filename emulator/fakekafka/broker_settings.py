"""What is different about one broker of several: `FakeKafka(brokers=[BrokerSettings(), BrokerSettings("0.11.0")])`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from fakekafka.errors import UsageError


class BrokerSettings(NamedTuple):
    """One broker of several. What is None is as it is for all."""

    release: str | None = None
    config: Mapping[str, object] | None = None
    """Properties over those of all."""
    log_dir: str | Path | None = None
    """Where it keeps its files, in place of a folder in the cluster's directory."""

    def __repr__(self) -> str:
        return f"<BrokerSettings {self.release}, properties {sorted(self.config or ())}>"  # values may be secrets


Brokers: TypeAlias = int | Sequence[BrokerSettings]
"""How many alike, or each."""


def each(brokers: Brokers) -> Sequence[BrokerSettings]:
    """The settings of every broker. Raises `UsageError` for no broker."""
    settings = [BrokerSettings()] * brokers if isinstance(brokers, int) else brokers
    if not settings:
        raise UsageError("brokers: at least 1")
    return settings
