"""A Kafka broker of any release, in this process: `FakeKafka`.

These are the public names, and nothing else is public. Each is loaded when it is first used, so that `import fakekafka`
costs next to nothing: the pytest plug-in does it in every run, whether a test uses a broker or not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

__all__ = [
    "NEWEST",
    "BrokerSettings",
    "BrokerWillNotStart",
    "Clock",
    "CommittedOffset",
    "Conversion",
    "Difference",
    "Entry",
    "ErrorCode",
    "FakeKafka",
    "FakeKafkaError",
    "GroupState",
    "Leftover",
    "ManualClock",
    "Options",
    "Phase",
    "Release",
    "Requests",
    "Step",
    "StoredRecord",
    "SystemClock",
    "TransactionState",
    "Upgrade",
    "UsageError",
]

_HOME: Final = {
    "NEWEST": "releases.release",
    "BrokerSettings": "settings.options",
    "BrokerWillNotStart": "errors",
    "Clock": "clock",
    "CommittedOffset": "watching.stored",
    "Conversion": "storage.conversion_bill",
    "Difference": "texts.explanation",
    "Entry": "server.journal",
    "ErrorCode": "errors",
    "FakeKafka": "emulator",
    "FakeKafkaError": "errors",
    "GroupState": "watching.groups",
    "Leftover": "upgrade.leftovers",
    "ManualClock": "clock",
    "Options": "settings.options",
    "Phase": "releases.phases",
    "Release": "releases.release",
    "Requests": "watching.requests",
    "Step": "upgrade.steps",
    "StoredRecord": "watching.stored",
    "SystemClock": "clock",
    "TransactionState": "watching.transactions",
    "Upgrade": "upgrade.steps",
    "UsageError": "errors",
}
"""The module of each name."""

if TYPE_CHECKING:  # the same names for type checkers; a test compares the two
    from fakekafka.clock import Clock, ManualClock, SystemClock
    from fakekafka.emulator import FakeKafka
    from fakekafka.errors import BrokerWillNotStart, ErrorCode, FakeKafkaError, UsageError
    from fakekafka.releases.phases import Phase
    from fakekafka.releases.release import NEWEST, Release
    from fakekafka.server.journal import Entry
    from fakekafka.settings.options import BrokerSettings, Options
    from fakekafka.storage.conversion_bill import Conversion
    from fakekafka.texts.explanation import Difference
    from fakekafka.upgrade.leftovers import Leftover
    from fakekafka.upgrade.steps import Step, Upgrade
    from fakekafka.watching.groups import GroupState
    from fakekafka.watching.requests import Requests
    from fakekafka.watching.stored import CommittedOffset, StoredRecord
    from fakekafka.watching.transactions import TransactionState
else:

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
