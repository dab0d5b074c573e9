"""Where a follower truncates its log when it gets a leader: at the point up to which both logs agree, as far as it can
tell.

Up to 0.11 that is its own high watermark, which may be too far down or not far enough (KIP-101). Later it asks where
its last epoch ended in the leader's log, repeatedly if the answer is about an older epoch (KIP-279); in the latest
releases its fetches find that out (KIP-595, `follower`). A log without epochs, such as one of format 0 or 1, is cut at
the high watermark in every release. ReplicaFetcherThread, AbstractFetcherThread.
"""

from collections.abc import Callable
from typing import TypeAlias, assert_never

from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_EPOCH, NO_OFFSET, LeaderEpoch, Offset, TimestampMs
from fakekafka.log.leader_epochs import EpochEnd
from fakekafka.releases.replication_versions import Parting
from fakekafka.storage.log_manager import LogManager
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from fakekafka.wire.message import Request, Response

Ask: TypeAlias = Callable[[Request, int], Response | None]
"""Sends the leader a request, in a version. None: it closes the connection, or never answers."""

FOUND, NOT_FOUND = 1, 0
"""The versions of OffsetForLeaderEpoch that say, and do not say, to which epoch an end belongs."""


def latest_epoch(partition: Partition) -> LeaderEpoch:
    """The newest leader epoch in a log; -1 if it has none."""
    epochs = partition.log.epochs
    return NO_EPOCH if epochs is None else epochs.latest


def cut(logs: LogManager, partition: Partition, ask: Ask, how: Parting, now: TimestampMs) -> bool:
    """Cut a follower's log before its first fetch from a leader. False if the leader does not say where."""
    epoch = latest_epoch(partition)
    if epoch == NO_EPOCH:
        how = "high watermark"
    match how:
        case "high watermark":
            cut_to(logs, partition, partition.high_watermark, now)
            return True
        case "fetch":
            return True
        case "epoch found":
            version = FOUND
        case "epoch":
            version = NOT_FOUND
        case _:
            assert_never(how)
    ended = _end_of_epoch(partition, ask, epoch, version)
    if ended is None:
        return False
    is_done = cut_at(logs, partition, ended, now)
    return is_done or latest_epoch(partition) == epoch or cut(logs, partition, ask, how, now)


def cut_at(logs: LogManager, partition: Partition, ended: EpochEnd, now: TimestampMs) -> bool:
    """Cut a follower's log by the end of an epoch in the leader's. False if only a part of the divergence has been
    removed.
    """
    log, end = partition.log, partition.log.log_end_offset
    if ended.end_offset == NO_OFFSET:
        cut_to(logs, partition, partition.high_watermark, now)
        return True
    if ended.epoch == NO_EPOCH:  # the leader does not say which epoch that is
        cut_to(logs, partition, min(ended.end_offset, end), now)
        return True
    own = log.end_of_epoch(ended.epoch)
    if own.epoch not in (ended.epoch, NO_EPOCH):  # an epoch that is not in this log
        cut_to(logs, partition, min(own.end_offset, end), now)
        return False
    known = [own.end_offset] if own.end_offset != NO_OFFSET else []
    cut_to(logs, partition, min(ended.end_offset, end, *known), now)
    return True


def cut_to(logs: LogManager, partition: Partition, end: Offset, now: TimestampMs) -> bool:
    """Cut a follower's log, and record at once that it is only safe up to there (LogManager.truncateTo). False if there
    is nothing to cut.
    """
    is_cut = partition.log.truncate_to(end, now)
    if is_cut:
        logs.checkpoints.write_recovery_points()
    return is_cut


def _end_of_epoch(partition: Partition, ask: Ask, epoch: LeaderEpoch, version: int) -> EpochEnd | None:
    asked = OffsetForLeaderPartition(partition=partition.index, leader_epoch=epoch)
    topic = OffsetForLeaderTopic(topic=partition.topic.name, partitions=[asked])
    answer = ask(OffsetForLeaderEpochRequest(topics=[topic]), version)
    if not isinstance(answer, OffsetForLeaderEpochResponse):
        return None
    row = answer.topics[0].partitions[0]
    if row.error_code != ErrorCode.NONE:
        return None
    return EpochEnd(row.leader_epoch if version == FOUND else NO_EPOCH, row.end_offset)
