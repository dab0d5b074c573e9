"""Fetch sessions: what a client asked for is remembered, so that it need only name what changes (KIP-227,
FetchSession).

A session is a list of partitions with what is asked of each and what the last answer said. Incremental requests add,
change and remove partitions; their answers leave out those without news. The cache has a fixed number of slots
and gives one to a new session only if that is worth more than an old one.

A session's order matters, as the budget of bytes is spent from its front. So partitions that were
answered go to the end.
"""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Final, NamedTuple, TypeAlias

from fakekafka.cluster.reading import NOTHING, FetchFails, Read, Wanted
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_EPOCH, NO_OFFSET, ZERO_UUID, Offset, PartitionIndex, TimestampMs, TopicName, Uuid
from fakekafka.releases.behaviours.fetch import FetchBehaviour
from fakekafka.state.topics import Topic

NO_SESSION: Final = 0
INITIAL_EPOCH: Final = 0
FINAL_EPOCH: Final = -1
MAX_INT32: Final = 2**31 - 1
MIN_EVICTION_MS: Final = 120_000
"""A session that has not been used for longer may always be evicted; consumers cannot evict one that was created since.
"""

Key: TypeAlias = tuple[TopicName | Uuid | None, PartitionIndex]
"""A partition, its topic given by name or by id, as the client does."""


def key_of(wanted: Wanted) -> Key:
    """The key of a partition in a session. It begins with None if the client gave the id of zeros."""
    return (wanted.name if wanted.topic_id == ZERO_UUID else wanted.topic_id, wanted.asked.partition)


class CachedPartition:
    """One partition of a session: what is asked of it, and what its last answer said."""

    __slots__ = ("high_watermark", "log_start_offset", "wanted")

    def __init__(
        self, wanted: Wanted, high_watermark: Offset = NO_OFFSET, log_start_offset: Offset = NO_OFFSET
    ) -> None:
        self.wanted = wanted
        self.high_watermark = high_watermark
        self.log_start_offset = log_start_offset

    def is_news(self, high_watermark: Offset, log_start_offset: Offset) -> bool:
        """Note what an answer says about the ends of the log, and return whether that differs from the last time."""
        news = high_watermark != self.high_watermark or log_start_offset != self.log_start_offset
        self.high_watermark = high_watermark
        self.log_start_offset = log_start_offset
        return news


class FetchSession:
    """One client's session. `privileged`: a follower's."""

    __slots__ = (
        "cached_size",
        "created_ms",
        "epoch",
        "evictable_by_all",
        "evictable_by_privileged",
        "id",
        "last_used_ms",
        "partitions",
        "privileged",
        "uses_topic_ids",
    )

    def __init__(
        self,
        id: int,
        partitions: dict[Key, CachedPartition],
        privileged: bool,
        uses_topic_ids: bool,
        now: TimestampMs,
    ) -> None:
        self.id = id
        self.partitions = partitions
        """In the order in which they are read."""
        self.privileged = privileged
        self.uses_topic_ids = uses_topic_ids
        self.epoch = INITIAL_EPOCH + 1
        """The epoch that the next request must have."""
        self.created_ms = self.last_used_ms = now
        self.touch(now)

    def touch(self, now: TimestampMs) -> None:
        """Note that the session is used. What may evict it is decided here, not at the time of eviction."""
        self.last_used_ms = now
        self.cached_size = len(self.partitions)
        self.evictable_by_all = now - self.created_ms > MIN_EVICTION_MS
        self.evictable_by_privileged = not self.privileged or self.evictable_by_all

    @property
    def value(self) -> tuple[bool, int, int]:
        """The value of the session: the least valuable is evicted first."""
        return self.privileged, self.cached_size, self.id

    def update(self, wanted: Iterable[Wanted], forgotten: Iterable[Key]) -> None:
        """Add and change partitions, then remove some."""
        for want in wanted:
            key = key_of(want)
            known = self.partitions.get(key)
            if known is None:
                self.partitions[key] = CachedPartition(want)
            else:
                known.wanted = known.wanted._replace(asked=want.asked)
        for key in forgotten:
            self.partitions.pop(key, None)

    def wanted(self, topics: Mapping[Uuid, Topic]) -> list[Wanted]:
        """What is read, in order. Names of topics that have become known are filled in and kept."""
        if self.uses_topic_ids:
            for cached in self.partitions.values():
                want = cached.wanted
                if want.name is None and want.topic_id in topics:
                    cached.wanted = want._replace(name=topics[want.topic_id].name)
        return [cached.wanted for cached in self.partitions.values()]

    def without_idle(self, reads: Iterable[Read]) -> list[Read]:
        """The reads, without those whose state the session already knows: in a quiet session, nearly all."""
        kept = []
        for read in reads:
            wanted, partition, result = read
            if result is NOTHING and partition is not None:
                cached = self.partitions.get(key_of(wanted))
                if (
                    cached is not None
                    and cached.high_watermark == partition.high_watermark
                    and cached.log_start_offset == partition.log.log_start_offset
                ):
                    continue
            kept.append(read)
        return kept

    def undo(self) -> Callable[[], int]:
        """What takes back what an answer is about to change here, and returns the id of the session."""
        before = dict(self.partitions)
        ends = [(one, one.high_watermark, one.log_start_offset) for one in before.values()]

        def undo() -> int:
            self.partitions = before
            for one, high_watermark, log_start_offset in ends:
                one.is_news(high_watermark, log_start_offset)
            return self.id

        return undo

    def move_to_end(self, key: Key) -> None:
        """Have the partition read last the next time."""
        self.partitions[key] = self.partitions.pop(key)


class Context(NamedTuple):
    """What one request is to read, and what becomes of its session."""

    wanted: list[Wanted]
    session: FetchSession | None = None
    """The session of an incremental request."""
    wants_session: bool = False
    """Whether it is a full request that asks for a session."""


class FetchSessions:
    """The sessions of one broker. From 3.8 on they are spread over shards, each with its own slots (KAFKA-9401)."""

    def __init__(self, slots: int, behaviour: FetchBehaviour, random: Random) -> None:
        self._behaviour = behaviour
        self._random = random
        self._shards: list[dict[int, FetchSession]] = [{} for _ in range(behaviour.session_shards)]
        self._slots = slots // len(self._shards)
        self._ids = MAX_INT32 // len(self._shards)
        """How many ids each shard has."""
        self._made = 0

    def __len__(self) -> int:
        return sum(map(len, self._shards))

    def clear(self) -> None:
        """Forget all."""
        for shard in self._shards:
            shard.clear()

    # ---- one request

    def open(
        self,
        session_id: int,
        epoch: int,
        wanted: list[Wanted],
        forgotten: Iterable[Key],
        topics: Mapping[Uuid, Topic] | None,
        now: TimestampMs,
    ) -> Context | ErrorCode:
        """The meaning of a request that lists the partitions `wanted`.

        `topics`: the topics by their ids, if that is what the request calls them by. Raises `FetchFails`.
        """
        if epoch in (INITIAL_EPOCH, FINAL_EPOCH):
            if session_id != NO_SESSION:
                self._shard(session_id).pop(session_id, None)
            return Context(wanted, wants_session=epoch == INITIAL_EPOCH)
        session = self._shard(session_id).get(session_id)
        if session is None:
            return ErrorCode.FETCH_SESSION_ID_NOT_FOUND
        if session.epoch != epoch:
            return ErrorCode.INVALID_FETCH_SESSION_EPOCH
        if session.uses_topic_ids != (topics is not None):
            return ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR
        session.update(map(self._kept, wanted), map(self._checked, forgotten))
        if not session.partitions:
            del self._shard(session_id)[session_id]
            return Context(wanted)
        self._note_use(session, now)
        session.epoch = next_epoch(epoch)
        return Context(session.wanted(topics or {}), session)

    def _note_use(self, session: FetchSession, now: TimestampMs) -> None:
        if self._behaviour.session_use_noted:
            session.touch(now)
        elif session.cached_size != len(session.partitions):
            session.touch(session.last_used_ms)

    def _kept(self, wanted: Wanted) -> Wanted:
        """What a session keeps of the request. Raises `FetchFails`."""
        if wanted.name is None:
            self._checked(key_of(wanted))
        if self._behaviour.session_epochs == "forgotten":
            wanted.asked.current_leader_epoch = NO_EPOCH
        return wanted

    def _checked(self, key: Key) -> Key:
        """The key. Raises `FetchFails` if no session can hold it."""
        if key[0] is None and self._behaviour.session_of_zero_id == "fails":
            raise FetchFails
        return key

    def create(
        self, partitions: list[CachedPartition], privileged: bool, by_id: bool, now: TimestampMs
    ) -> tuple[int, Callable[[], int]]:
        """The id of a new session with these partitions; `NO_SESSION` if there is no slot for it. And what takes this
        back, and returns `NO_SESSION`.

        Raises `FetchFails`.
        """
        number = self._made % len(self._shards)
        self._made += 1
        shard = self._shards[number]
        victim = None
        if len(shard) >= self._slots:
            victim = self._victim(shard, (privileged, len(partitions), 0), now)
            if victim is None:
                return NO_SESSION, lambda: NO_SESSION
            del shard[victim.id]
        session_id = self._new_id(number)
        for cached in partitions:
            self._kept(cached.wanted)
        by_key = {key_of(cached.wanted): cached for cached in partitions}
        shard[session_id] = FetchSession(session_id, by_key, privileged, by_id, now)

        def undo() -> int:
            shard.pop(session_id, None)
            if victim is not None:
                shard[victim.id] = victim
            return NO_SESSION

        return session_id, undo

    # ---- slots

    def find(self, session_id: int) -> FetchSession | None:
        """The session with this id, or None. It does not count as used."""
        return self._shard(session_id).get(session_id)

    def _shard(self, session_id: int) -> dict[int, FetchSession]:
        number = session_id // self._ids
        return self._shards[number] if 0 <= number < len(self._shards) else {}

    def _new_id(self, shard: int) -> int:
        while True:
            session_id = self._random.randrange(max(1, shard * self._ids), (shard + 1) * self._ids)
            if session_id not in self._shards[shard]:
                return session_id

    def _victim(
        self, shard: dict[int, FetchSession], value: tuple[bool, int, int], now: TimestampMs
    ) -> FetchSession | None:
        """The session to evict in favour of one of `value`: the stalest, or the least valuable if that is not worth
        more.
        """
        if not shard:
            return None
        stalest = min(shard.values(), key=_age)
        if now - stalest.last_used_ms > MIN_EVICTION_MS:
            return stalest
        open_to = [s for s in shard.values() if (s.evictable_by_privileged if value[0] else s.evictable_by_all)]
        least = min(open_to, key=_value, default=None)
        return None if least is None or value < least.value else least


def next_epoch(epoch: int) -> int:
    """The epoch after `epoch`: 2147483647 is followed by 1."""
    return 1 if epoch == MAX_INT32 else epoch + 1


def _age(session: FetchSession) -> tuple[TimestampMs, int]:
    return session.last_used_ms, session.id


def _value(session: FetchSession) -> tuple[bool, int, int]:
    return session.value
