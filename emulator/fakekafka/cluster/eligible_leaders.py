"""Eligible leader replicas (KIP-966): those that may lead a partition while no replica is in sync.

While fewer replicas than `min.insync.replicas` are in sync, the high watermark stands still. So replicas that have left
since then have every committed record, and one of them leads if no replica in sync is there. A replica that did not
stop cleanly may have lost some, and is not eligible when it returns; if none is left, the last leader leads once it is
back. A change of `min.insync.replicas` makes all of them ineligible, whether anybody else may lead or not. New clusters
have this from 4.1 on, as the feature `eligible.leader.replicas.version`. Where it is switched off, replicas that are
eligible stay so until the partition changes. (Recorded from clusters of three of 4.1.1 and 4.3.1: eligible, died,
features; PartitionChangeBuilder.)
"""

from fakekafka.ids import BrokerId
from fakekafka.state.topics import NO_LEADER, PartitionState


def follow_change(state: PartitionState, in_sync: list[BrokerId], leader: BrokerId, least: int) -> None:
    """A partition has changed. `in_sync`, `leader`: as they were before. `least`: `min.insync.replicas` in force."""
    able = {*state.eligible, *in_sync}
    is_unclean = state.leader != NO_LEADER and state.leader not in able
    state.eligible = [] if is_unclean or len(state.isr) >= least else sorted(able.difference(state.isr))
    if state.leader != NO_LEADER:
        state.last_known = []
    elif leader != NO_LEADER and not state.isr:
        state.last_known = [leader]
