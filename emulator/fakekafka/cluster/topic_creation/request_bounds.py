"""How much one request may create: the bounds of the releases that have one, and our own for the others.

Controllers write what a request changes as one batch of at most 10,000 records, and refuse what does not fit
(KAFKA-14996): one record for a topic, each of its configs, each partition. CreatePartitions keeps what fits. Before
they had the bound, a larger request ended the controller, or made as many partitions as the machine could hold; here it
is refused, beyond `FakeKafka(partition_limit=...)`.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from fakekafka.cluster.topic_creation.new_topics import UNSET, NewTopic, Plan
from fakekafka.errors import ApiError, ErrorCode

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

TOO_MANY_PARTITIONS: Final = "Excessively large number of partitions per request."
TOO_MANY_RECORDS: Final = "Unable to perform excessively large batch operation."


def check_asked(broker: "Broker", asked: Iterable[NewTopic]) -> None:
    """Validate how many partitions a request wants in all. Raises `ApiError`."""
    default = broker.config.int("num.partitions", 1)
    wanted = sum(
        len(new.assignment) or (default if new.partitions == UNSET else max(0, new.partitions)) for new in asked
    )
    bound = broker.profile.topics.partitions_per_request
    if bound is not None and wanted > bound:
        raise ApiError(ErrorCode.POLICY_VIOLATION, TOO_MANY_PARTITIONS)
    check_own_limit(broker, wanted)


def allows(broker: "Broker", new: NewTopic) -> bool:
    """Whether a request for this topic alone keeps to the bounds."""
    try:
        check_asked(broker, [new])
        check_records(broker, 1 + len(new.configs) + new.partitions)
    except ApiError:
        return False
    return True


def check_own_limit(broker: "Broker", partitions: int) -> None:
    """Refuse what a real broker would not survive. Raises `ApiError`."""
    limit = broker.cluster.partition_limit
    if partitions > limit:
        words = f"{partitions} partitions in one request: FakeKafka(partition_limit={limit}) allows no more"
        raise ApiError(ErrorCode.INVALID_PARTITIONS, words)


def check_plans(broker: "Broker", plans: Iterable[Plan | ApiError]) -> None:
    """Validate the number of records that the plans come to. Raises `ApiError`, for all of them; so does a plan at
    which the controller failed.
    """
    plans = list(plans)
    for plan in plans:
        if isinstance(plan, ApiError) and plan.code is ErrorCode.UNKNOWN_SERVER_ERROR:
            raise plan
    check_records(broker, sum(1 + len(plan.overrides) + len(plan.replicas) for plan in plans if isinstance(plan, Plan)))


def check_records(broker: "Broker", records: int) -> None:
    """Validate the number of records that the controllers would write. Raises `ApiError`."""
    bound = broker.profile.topics.records_per_request
    if bound is not None and records > bound:
        raise ApiError(ErrorCode.POLICY_VIOLATION, TOO_MANY_RECORDS)


class Room:
    """How many partitions a CreatePartitions request may still add."""

    def __init__(self, broker: "Broker") -> None:
        self._left = broker.profile.topics.records_per_request

    def take(self, replicas: Sequence[list[int]]) -> tuple[Sequence[list[int]], ApiError | None]:
        """The partitions that are added, and the error if these are not all."""
        if self._left is None:
            return replicas, None
        added = replicas[: self._left]
        self._left -= len(added)
        return added, None if len(added) == len(replicas) else ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
