"""Everything that can be waited for in one cluster. Imported by the first wait, as it imports the coordinators."""

from typing import TYPE_CHECKING, Any

from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.watching.conditions import CommitThere, RecordsThere
from fakekafka.watching.groups import GroupThere
from fakekafka.watching.requests import RequestsThere, Wanted
from fakekafka.watching.transactions import TransactionThere
from fakekafka.watching.waits import Loop

if TYPE_CHECKING:
    from fakekafka.faults.match import Apis


class Conditions:
    """Makes conditions. See the methods `wait_for_…` of `FakeKafka` for what each means."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop

    def _cluster(self) -> Any:
        return self.loop.core.cluster

    def records(self, topic: TopicName, count: int, partition: PartitionIndex | None) -> RecordsThere:
        return RecordsThere(self._cluster, topic, count, partition)

    def commit(
        self, group: str, topic: TopicName, partition: PartitionIndex | None, offset: Offset | None
    ) -> CommitThere:
        return CommitThere(self._cluster, group, topic, partition, offset)

    def group(self, group: str, state: str | None, members: int | None) -> GroupThere:
        return GroupThere(self._cluster, group, state, members)

    def transaction(self, transactional_id: str, state: str) -> TransactionThere:
        return TransactionThere(self._cluster, transactional_id, state)

    def requests(
        self, api: "Apis", count: int, error: str | None, answered: bool | None, match: dict[str, Any]
    ) -> RequestsThere:
        return RequestsThere(lambda: self.loop.core.router.journal, Wanted(api, error, answered, match), count)
