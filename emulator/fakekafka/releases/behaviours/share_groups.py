"""Share groups (KIP-932): a preview in 4.1, where the feature share.version must be raised; on from 4.2 on."""

from typing import Literal

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class ShareGroupsBehaviour(Behaviours):
    """The group coordinator, the share coordinator and the share-partition leaders."""

    exist: bool = history({"0.8.0": False, "4.1": True})
    """Can share groups be switched on? The early access of 3.9 and 4.0 is not done. Recorded from 4.1.1 to 4.3.1:
    share_group."""

    first_epoch: int = history({"0.8.0": 0, "4.3": 1})
    """Epoch of a group that nobody has joined yet. Recorded from 4.1.1 to 4.3.1: share_group."""

    assignment_interval: bool = history({"0.8.0": False, "4.3": True})
    """Is a new target assignment made at most once per group.share.assignment.interval.ms, and the time of the last one
    written down? Recorded from 4.1.1 to 4.3.1: share_group."""

    complete_count: bool = history({"0.8.0": False, "4.2": True})
    """Does the state of a share partition count the records that are done with (KIP-1226)? Recorded from 4.1.1 to
    4.3.1: share_group."""

    rejoins: bool = history({"0.8.0": False, "4.2": True})
    """May a member join again, at epoch 0, that is there already (KAFKA-19862)? Asked of 4.1.1 to 4.3.1."""

    waits_anyway: bool = history({"0.8.0": True, "4.2": False})
    """Does a partition that nobody is to have raise the group's epoch even if there will be a new assignment without?
    Asked of 4.1.1 to 4.3.1."""

    assignor: Literal["hashed", "balanced"] = history({"0.8.0": "hashed", "4.2": "balanced"})
    """How the assignor "simple" shares out partitions. Asked of 4.1.1 to 4.3.1."""

    state_writers_epochs: Literal["heeded", "unheeded"] = history({"0.8.0": "heeded", "4.2": "unheeded"})
    """Does WriteShareGroupState change the leader epoch and the state epoch that are written down? From 4.2 on only
    ReadShareGroupState and InitializeShareGroupState do. Recorded from 4.1.1 to 4.3.1: share_state."""

    reads_without_epoch: bool = history({"0.8.0": False, "4.3": True})
    """May ReadShareGroupState come without a leader epoch (-1)? Recorded from 4.1.1 to 4.3.1: share_state."""

    renewed_sessions_stay: bool = history({"0.8.0": False, "4.2": True})
    """Does a session stay that its member opened anew over another connection, when the first one ends? Recorded from
    4.1.1 to 4.3.1: share_delivery."""

    released_count: Literal["taken back", "kept"] = history({"0.8.0": "taken back", "4.2": "kept"})
    """Does it count as a delivery what a member still had when its session ended? Recorded from 4.1.1 to 4.3.1:
    share_group."""

    split_units: Literal["record by record", "joined"] = history({"0.8.0": "record by record", "4.2": "joined"})
    """How ShareFetch shows what is acquired of records that were given out together and then went several ways.
    Recorded from 4.1.1 to 4.3.1: share_group."""

    throttled: bool = history({"0.8.0": False, "4.2": True})
    """Do records that came back often go out in ever smaller numbers, and alone for the last time? Asked of 4.1.1 to
    4.3.1."""

    not_acquired: str = history(
        {
            "0.8.0": "The batch cannot be acknowledged. The offset is not acquired.",
            "4.2": "The offset cannot be acknowledged. The offset is not acquired.",
        }
    )
    """What is said to a member that speaks of single records that nobody has. Asked of 4.1.1 to 4.3.1."""

    fetch_explains: bool = history({"0.8.0": False, "4.2": True})
    """Does ShareFetch say in words, too, why what a member says of records is refused? Recorded from 4.1.1 to 4.3.1:
    share_delivery."""

    released_while_waiting: bool = history({"0.8.0": False, "4.2": True})
    """Does a fetch that waits get records that come back meanwhile, or those that it releases itself? In 4.1 the next
    one does. Recorded from 4.1.1 to 4.3.1: share_delivery."""

    locks_capped: bool = history({"0.8.0": False, "4.2": True})
    """Does partition.max.record.locks bound what one fetch gets? In 4.1 it only says when no more is given. Recorded
    from 4.1.1 to 4.3.1: share_delivery."""

    alter_offsets: Literal["ignored", "done"] = history({"0.8.0": "ignored", "4.2": "done"})
    """AlterShareGroupOffsets: nothing happens and nothing is said of it. Recorded from 4.1.1 to 4.3.1: share_group."""

    delete_writes_topics: bool = history({"0.8.0": False, "4.2": True})
    """Does DeleteGroups write down the topics with state even if there are none? Recorded from 4.1.1 to 4.3.1:
    share_group."""

    unknown_partition: Literal["unknown offset", "no answer"] = history({"0.8.0": "unknown offset", "4.2": "no answer"})
    """DescribeShareGroupOffsets of a partition that is not there. Recorded from 4.1.1 to 4.3.1: share_group."""

    empty_member_id: Literal["in words", "refused"] = history({"0.8.0": "in words", "4.2": "refused"})
    """How an empty member id is refused: by words in the heartbeat and -1 in ShareFetch; or by 42 without words.
    Recorded from 4.1.1 to 4.3.1: share_group."""
