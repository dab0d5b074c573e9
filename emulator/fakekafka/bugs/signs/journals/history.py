"""What the lines of a journal have shown before the current one, and what they show as a whole."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from fakekafka.bugs.signs.journals.exchange import FIRST_WITH_TOPIC_IDS, Exchange, Given, Sent
from fakekafka.bugs.signs.units import records_of
from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId, Offset, ProducerId, TimestampMs, TopicName, TopicPartition
from fakekafka.inspection.journal_lines import JournalLine
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record

STANDS_STILL: Final = 4
"""How often a consumer must ask for the same offset in vain before it is a finding."""


Repeated: TypeAlias = tuple[Offset, bytes, bool, bool]
"""An answer for one partition: the offset that was asked for, the records, whether there are more, and whether no other
partition had records either.
"""


class History:
    """Everything that signs remember. `whole`: every line of the journal."""

    def __init__(self, whole: Iterable[Exchange]) -> None:
        self.answered: dict[tuple[BrokerId, str], set[int]] = defaultdict(set)
        """The versions of an API that a broker has ever answered."""
        self.trusted_topic_ids: set[BrokerId] = set()
        """Brokers that have found a topic by its id."""
        self.unanswered: dict[tuple[BrokerId, str], set[str | None]] = defaultdict(set)
        """How requests for an API that got no answer have ended."""
        self.last: dict[str, JournalLine] = {}
        """The last line of each connection."""
        for exchange in whole:
            self._foresee(exchange)
        self.answers: dict[tuple[BrokerId, str, TopicPartition], tuple[Repeated, int]] = {}
        """What each connection was last given for a partition, and how many times in a row."""
        self.taken: dict[TopicPartition, list[Sent]] = defaultdict(list)
        """What has been produced and accepted."""
        self.too_large: dict[tuple[str, TopicPartition], list[Record]] = {}
        """Records with headers that a connection sent in a batch that was too large."""
        self.committed: dict[tuple[str, TopicName, int], TimestampMs] = {}
        """When a group has committed for a partition, if the commit is kept for the broker's default time."""
        self.joined: dict[str, TimestampMs] = {}
        """When a member last joined a group that no member has left since."""
        self.init: dict[str, tuple[ProducerId, int]] = {}
        """Producer id and epoch that the owner of a transactional id was last given."""
        self.begun: dict[ProducerId, set[TopicPartition]] = defaultdict(set)
        """The partitions in a producer's current transaction."""
        self.finished: dict[ProducerId, set[TopicPartition]] = defaultdict(set)
        """The partitions in a producer's transactions that have ended."""
        self.ended: set[ProducerId] = set()
        """Producers whose transaction has ended, and that have not begun another."""
        self.sessions: dict[tuple[BrokerId, int], Any] = {}
        """Fetch sessions, as `sessions` keeps them."""

    def _foresee(self, exchange: Exchange) -> None:
        line = exchange.line
        self.last[line.connection] = line
        if line.response is None:
            self.unanswered[line.broker, line.api].add(line.error)
            return
        self.answered[line.broker, line.api].add(line.version)
        if line.api == "Fetch" and line.version >= FIRST_WITH_TOPIC_IDS:
            codes = {part["error_code"] for topic in line.response["responses"] for part in topic["partitions"]}
            if ErrorCode.NONE in codes:
                self.trusted_topic_ids.add(line.broker)

    def remember(self, exchange: Exchange) -> None:
        """Add a line, after all signs have seen it."""
        for sent in exchange.sent:
            if sent.is_taken:
                self.taken[sent.place].append(sent)
        line = exchange.line
        if line.response is None:
            return
        if exchange.api == "AddPartitionsToTxn":
            self._remember_partitions(line.request)
        elif exchange.api == "EndTxn":
            self._remember_end(line.request, line.response)
        elif exchange.api == "InitProducerId":
            self._remember_producer(line.request, line.response)
        elif exchange.api == "JoinGroup":
            self.joined[line.request["group_id"]] = line.at_ms
        elif exchange.api == "LeaveGroup":
            self.joined.pop(line.request["group_id"], None)

    def foresee(self, exchange: Exchange) -> None:
        """Count how often consumers are given the same answer, before any sign sees the line."""
        nothing = not any(given.data for given in exchange.given)
        for given in exchange.given:
            key = (exchange.line.broker, exchange.line.connection, given.place)
            this = given.offset, given.data, given.high_watermark > given.offset, nothing
            last, times = self.answers.get(key, (None, 0))
            self.answers[key] = this, times + 1 if last == this else 1

    def in_vain(self, exchange: Exchange, given: Given) -> bool:
        """Whether a consumer stands still: it has asked for an offset again and again, and always got the same."""
        key = (exchange.line.broker, exchange.line.connection, given.place)
        return self.answers[key][1] >= STANDS_STILL

    def is_too_large(self, given: Given) -> bool:
        """Whether the record that a consumer asks for was produced in a unit that is too large for its fetch."""
        for sent in self.taken[given.place]:
            first = sent.base_offset
            for unit in sent.batches:
                count = len(records_of(unit))
                if first <= given.offset < first + count and unit.size > given.max_bytes:
                    return True
                first += count
        return False

    def batches(self, place: TopicPartition) -> Iterator[Batch]:
        """What a partition has accepted, as it was sent."""
        return (batch for sent in self.taken[place] for batch in sent.batches)

    def forget_commits(self, groups: set[str]) -> None:
        """Forget the commits of groups that are deleted, or whose offsets are."""
        self.committed = {place: at for place, at in self.committed.items() if place[0] not in groups}

    def _remember_partitions(self, request: dict[str, Any]) -> None:
        alone = {
            "producer_id": request.get("v3_and_below_producer_id", -1),
            "topics": request.get("v3_and_below_topics", ()),
        }
        for one in request.get("transactions", [alone]):
            producer = one["producer_id"]
            for topic in () if one.get("verify_only") else one["topics"]:
                self.begun[producer].update((topic["name"], index) for index in topic["partitions"])
                self.ended.discard(producer)

    def _remember_end(self, request: dict[str, Any], response: dict[str, Any]) -> None:
        if response["error_code"] == ErrorCode.NONE:
            producer = request["producer_id"]
            self.ended.add(producer)
            self.finished[producer] |= self.begun.pop(producer, set())

    def _remember_producer(self, request: dict[str, Any], response: dict[str, Any]) -> None:
        name = request["transactional_id"]
        if name is not None and response["error_code"] == ErrorCode.NONE:
            self.init[name] = response["producer_id"], response["producer_epoch"]


Sign: TypeAlias = Callable[[Exchange, History], str | None]
"""Looks for one bug. Returns what was seen, or None."""
