"""Compaction of a log: of all messages with the same key, only the last one stays.

`cleanable` says what part of a log is dirty, `compaction` cleans it: `offset_map` finds each key's last offset,
`groups` puts small segments together, `portions` reads them piece by piece, `keeping` decides batch by batch and record
by record (with what `transactions` knows), `rebuilding` writes what is left of a batch, `output` collects it.
Nothing here has a schedule or knows topics: that is the broker's business. Which release does what:
`releases/behaviours/cleaner.py`.
"""

from fakekafka.errors import FakeKafkaError


class CleaningFailed(FakeKafkaError):
    """The log stays as it is, except for groups of segments that were already cleaned. The real cleaner ends with an
    exception, and its thread, or the partition, is left out from then on.
    """
