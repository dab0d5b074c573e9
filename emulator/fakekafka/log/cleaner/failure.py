"""When a cleaner cannot go on: the real one ends with an exception, and its thread or its partition is left out."""

from fakekafka.errors import FakeKafkaError


class CleaningFailed(FakeKafkaError):
    """The log stays as it is, except for groups of segments that were already cleaned."""
