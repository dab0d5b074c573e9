from random import Random

import pytest
from fakekafka.cluster.fetch_sessions import (
    MAX_INT32,
    MIN_EVICTION_MS,
    NO_SESSION,
    CachedPartition,
    Context,
    FetchSessions,
    Key,
    key_of,
    next_epoch,
)
from fakekafka.cluster.reading import NOTHING, Read, ReadData, Wanted
from fakekafka.errors import ErrorCode
from fakekafka.ids import ZERO_UUID, Uuid
from fakekafka.releases.behaviours.behaviour import resolve
from fakekafka.releases.behaviours.fetch import FetchBehaviour
from fakekafka.releases.release import Release
from fakekafka.state.topics import Topic
from fakekafka.wire.apis.fetch import FetchPartition

from tests.support.seeded import batch, booted, partition_of, store

ID = b"i" * 16


def sessions(slots: int = 1000, release: str = "2.8") -> FetchSessions:
    named = Release.parse(release)
    return FetchSessions(slots, resolve(FetchBehaviour, named, named.default_mode), Random(1))


def want(index: int, offset: int = 0, topic_id: Uuid = ZERO_UUID, epoch: int = -1) -> Wanted:
    asked = FetchPartition(partition=index, fetch_offset=offset, current_leader_epoch=epoch)
    return Wanted("t" if topic_id == ZERO_UUID else None, topic_id, asked)


def created(cache: FetchSessions, *indexes: int, privileged: bool = False, by_id: bool = False, now: int = 0) -> int:
    topic_id = ID if by_id else ZERO_UUID
    return cache.create([CachedPartition(want(n, 0, topic_id)) for n in indexes], privileged, by_id, now)[0]


def opened(
    cache: FetchSessions, session_id: int, epoch: int, *wanted: Wanted, forgotten: list[Key] | None = None, now: int = 0
) -> Context:
    context = cache.open(session_id, epoch, list(wanted), forgotten or [], None, now)
    assert isinstance(context, Context)
    return context


def read_of(context: Context) -> list[tuple[int, int]]:
    return [(w.asked.partition, w.asked.fetch_offset) for w in context.wanted]


# ---- requests


def test_a_full_request_reads_the_listed_partitions_and_may_get_a_session() -> None:
    assert opened(sessions(), NO_SESSION, 0, want(1)) == Context([want(1)], wants_session=True)
    assert opened(sessions(), NO_SESSION, -1, want(1)) == Context([want(1)])


def test_an_incremental_request_reads_all_partitions_in_their_order() -> None:
    cache = sessions()
    session_id = created(cache, 0, 1, 2)
    context = opened(cache, session_id, 1, want(1, 5), want(3))
    assert read_of(context) == [(0, 0), (1, 5), (2, 0), (3, 0)]
    assert read_of(opened(cache, session_id, 2, forgotten=[("t", 0), ("t", 9)])) == [(1, 5), (2, 0), (3, 0)]


def test_a_partition_that_a_request_lists_and_forgets_is_gone() -> None:
    cache = sessions()
    session_id = created(cache, 0)
    assert read_of(opened(cache, session_id, 1, want(1), forgotten=[("t", 1)])) == [(0, 0)]


def test_session_epochs_count_up_and_wrap_around_to_1() -> None:
    cache = sessions()
    session_id = created(cache, 0)
    context = opened(cache, session_id, 1)
    assert context.session is not None
    assert context.session.epoch == 2
    context.session.epoch = MAX_INT32
    opened(cache, session_id, MAX_INT32)
    assert context.session.epoch == next_epoch(MAX_INT32) == 1


@pytest.mark.parametrize("epoch", [2, 9, -2])
def test_a_wrong_session_epoch_is_an_error_and_changes_nothing(epoch: int) -> None:
    cache = sessions()
    session_id = created(cache, 0)
    assert cache.open(session_id, epoch, [], [], None, 0) is ErrorCode.INVALID_FETCH_SESSION_EPOCH
    assert read_of(opened(cache, session_id, 1)) == [(0, 0)]


@pytest.mark.parametrize("session_id", [0, 7, -1, MAX_INT32])
def test_an_unknown_session_is_an_error(session_id: int) -> None:
    for release in ("2.8", "3.8"):
        assert sessions(release=release).open(session_id, 1, [], [], None, 0) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND


@pytest.mark.parametrize("epoch", [0, -1])
def test_a_full_request_ends_the_session_it_names(epoch: int) -> None:
    cache = sessions()
    session_id = created(cache, 0)
    opened(cache, session_id, epoch)
    assert len(cache) == 0


def test_a_session_without_partitions_ends_and_the_request_is_served_without_one() -> None:
    cache = sessions()
    session_id = created(cache, 0)
    assert opened(cache, session_id, 1, forgotten=[("t", 0)]) == Context([])
    assert len(cache) == 0


def test_names_and_ids_do_not_mix_in_a_session() -> None:
    cache = sessions(release="3.9")
    named, by_id = created(cache, 0), created(cache, 0, by_id=True)
    for session_id, topics in ((named, dict[Uuid, Topic]()), (by_id, None)):
        assert cache.open(session_id, 1, [], [], topics, 0) is ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR


def test_a_topic_that_is_known_later_gets_its_name_and_keeps_it() -> None:
    cache = sessions(release="3.9")
    session_id = created(cache, 0, by_id=True)
    names: list[object] = []
    for epoch, topics in enumerate(({}, {ID: Topic("t", ID, {})}, {}), start=1):
        context = cache.open(session_id, epoch, [], [], topics, 0)
        assert isinstance(context, Context)
        names.append(context.wanted[0].name)
    assert names == [None, "t", "t"]


@pytest.mark.parametrize(("release", "kept"), [("2.4", -1), ("2.5", 7)])
def test_leader_epochs_are_kept_from_2_5_on(release: str, kept: int) -> None:
    cache = sessions(release=release)
    session_id, _ = cache.create([CachedPartition(want(0, epoch=7))], False, False, 0)
    context = opened(cache, session_id, 1, want(1, epoch=7))
    assert [w.asked.current_leader_epoch for w in context.wanted] == [kept, kept]


# ---- news


def test_an_unchanged_partition_is_not_news() -> None:
    cached = CachedPartition(want(0), 5, 0)
    assert not cached.is_news(5, 0)
    assert cached.is_news(6, 0)
    assert cached.is_news(6, 1)
    assert not cached.is_news(6, 1)


def test_partitions_without_news_are_left_out_before_they_are_answered() -> None:
    kafka = booted("2.8")
    store(kafka, batch(0))
    partition = partition_of(kafka)
    cache = sessions()
    context = opened(cache, cache.create([CachedPartition(want(0), 2, 0)], False, False, 0)[0], 1)
    assert context.session is not None
    quiet, loud = Read(want(0), partition, NOTHING), Read(want(0), partition, ReadData([b"x"], 1))
    assert context.session.without_idle([quiet, loud]) == [loud]
    store(kafka, batch(2))
    assert context.session.without_idle([quiet]) == [quiet]


def test_a_partition_can_move_to_the_end_of_its_session() -> None:
    cache = sessions()
    session_id = created(cache, 0, 1, 2)
    session = opened(cache, session_id, 1).session
    assert session is not None
    session.move_to_end(key_of(want(0)))
    assert read_of(opened(cache, session_id, 2)) == [(1, 0), (2, 0), (0, 0)]


# ---- slots


def test_the_number_of_sessions_of_a_cache_is_limited() -> None:
    cache = sessions(2)
    assert NO_SESSION not in (created(cache, 0), created(cache, 0))
    assert created(cache, 0) == NO_SESSION
    assert created(sessions(0), 0) == NO_SESSION


def test_the_stalest_session_is_evicted_after_two_minutes() -> None:
    cache = sessions(2)
    old, young = created(cache, 0, now=0), created(cache, 0, now=1)
    assert created(cache, 0, now=MIN_EVICTION_MS) == NO_SESSION
    new = created(cache, 0, now=MIN_EVICTION_MS + 1)
    assert new not in (NO_SESSION, old, young)
    assert cache.open(old, 1, [], [], None, 0) is ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_a_used_session_is_evicted_only_for_a_larger_one() -> None:
    cache = sessions(1)
    session_id = created(cache, 0, 1)
    now = MIN_EVICTION_MS + 1
    opened(cache, session_id, 1, now=now)
    assert created(cache, 0, 1, now=now) == NO_SESSION
    assert created(cache, 0, 1, 2, now=now) != NO_SESSION


def test_a_young_session_is_safe_from_consumers_but_not_from_followers() -> None:
    cache = sessions(1)
    created(cache, 0)
    assert created(cache, 0, 1, 2) == NO_SESSION
    assert created(cache, 0, privileged=True) != NO_SESSION
    assert created(cache, 0, 1, 2, privileged=True) == NO_SESSION


@pytest.mark.parametrize(("release", "survives"), [("2.4", False), ("2.5", True)])
def test_from_2_5_on_use_keeps_a_session_alive(release: str, survives: bool) -> None:
    """KAFKA-9137."""
    cache = sessions(1, release)
    session_id = created(cache, 0, 1)
    opened(cache, session_id, 1, now=MIN_EVICTION_MS)
    assert (created(cache, 0, now=MIN_EVICTION_MS + 1) == NO_SESSION) is survives


def test_from_3_8_on_sessions_are_distributed_among_shards() -> None:
    """KAFKA-9401."""
    cache = sessions(16, "3.8")
    ids = [created(cache, 0) for _ in range(16)]
    assert NO_SESSION not in ids
    assert [n // (MAX_INT32 // 8) for n in ids] == [*range(8), *range(8)]
    assert created(cache, 0) == NO_SESSION
    for session_id in ids:
        opened(cache, session_id, 1)


def test_clearing_the_cache_forgets_every_session() -> None:
    cache = sessions()
    created(cache, 0)
    cache.clear()
    assert len(cache) == 0
