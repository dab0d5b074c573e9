"""Share groups (KIP-932): a preview in 4.1, where the feature share.version must be raised; switched on from 4.2."""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class ShareGroupsBehaviour(Behaviours):
    """The group coordinator, the share coordinator and the share-partition leaders."""

    exist: bool = history({"0.8.0": False, "4.1": True})
    """Whether share groups can be switched on. The early access of 3.9 and 4.0 is not played. Recorded from 4.1.1 to
    4.3.1: share_group."""

    first_epoch: int = history({"0.8.0": 0, "4.3": 1})
    """Epoch of a group that nobody has joined yet. Recorded from 4.1.1 to 4.3.1: share_group."""

    assignment_interval: bool = history({"0.8.0": False, "4.3": True})
    """Whether a new target assignment is made at most once per group.share.assignment.interval.ms, and the time of the
    last one is stored. Recorded from 4.1.1 to 4.3.1: share_group."""

    complete_count: bool = history({"0.8.0": False, "4.2": True})
    """Whether the state of a share partition counts the finished records (KIP-1226). Recorded from 4.1.1 to 4.3.1:
    share_group."""

    counts_from_given_start: bool = history({"0.8.0": False, "4.2.1": True})
    """Whether the count of finished records begins at 0 for a state that is given a start (AlterShareGroupOffsets);
    otherwise it is unknown. Recorded from 4.2.0 (last without), 4.2.1 (first with) and 4.3.1: share_group; asked of
    4.3.0."""

    rejoins: bool = history({"0.8.0": False, "4.2": True})
    """Whether an existing member may join again at epoch 0 (KAFKA-19862). Asked of 4.1.1 to 4.3.1."""

    waits_anyway: bool = history({"0.8.0": True, "4.2": False})
    """Whether a partition that is assigned to no member raises the group's epoch even if a new assignment without it is
    coming anyway. Asked of 4.1.1 to 4.3.1."""

    assignor: Literal["hashed", "balanced"] = history({"0.8.0": "hashed", "4.2": "balanced"})
    """How the assignor "simple" shares out partitions. Asked of 4.1.1 to 4.3.1."""

    state_writers_epochs: Literal["heeded", "unheeded"] = history({"0.8.0": "heeded", "4.2": "unheeded"})
    """Whether WriteShareGroupState changes the leader epoch and the state epoch that are stored. From 4.2 on only
    ReadShareGroupState and InitializeShareGroupState do. Recorded from 4.1.1 to 4.3.1: share_state."""

    reads_without_epoch: bool = history({"0.8.0": False, "4.3": True})
    """Whether ReadShareGroupState may come without a leader epoch (-1). Recorded from 4.1.1 to 4.3.1: share_state."""

    refused_writes: Literal["by their code", "quoted"] = history({"0.8.0": "by their code", "4.2": "quoted"})
    """How a member is told why its acknowledgements could not be stored: in the words of the error, or in those of the
    share coordinator. Recorded from 4.1.1 to 4.3.1: share_fenced."""

    renewed_sessions_stay: bool = history({"0.8.0": False, "4.2": True})
    """Whether a session that its member reopened over another connection survives the end of the first connection.
    Recorded from 4.1.1 to 4.3.1: share_delivery."""

    released_count: Literal["taken back", "kept"] = history({"0.8.0": "taken back", "4.2": "kept"})
    """Whether records that a member still held when its session ended count as delivered once more. Recorded from 4.1.1
    to 4.3.1: share_group."""

    split_units: Literal["record by record", "joined"] = history({"0.8.0": "record by record", "4.2": "joined"})
    """How ShareFetch lists acquired records that were once delivered together and have since fared differently.
    Recorded from 4.1.1 to 4.3.1: share_group."""

    throttled: bool = history({"0.8.0": False, "4.2": True})
    """Whether records that were returned often are delivered in ever smaller batches, and singly the last time. Asked
    of 4.1.1 to 4.3.1."""

    not_acquired: str = history(
        {
            "0.8.0": "The batch cannot be acknowledged. The offset is not acquired.",
            "4.2": "The offset cannot be acknowledged. The offset is not acquired.",
        }
    )
    """The answer to a member that acknowledges single records which nobody has acquired. Asked of 4.1.1 to 4.3.1."""

    fetch_explains: bool = history({"0.8.0": False, "4.2": True})
    """Whether ShareFetch also says in words why acknowledgements are refused. Recorded from 4.1.1 to 4.3.1:
    share_delivery."""

    released_while_waiting: bool = history({"0.8.0": False, "4.2": True})
    """Whether a waiting fetch gets records that are returned meanwhile, or that it releases itself; in 4.1 only the
    next fetch does. Recorded from 4.1.1 to 4.3.1: share_delivery."""

    reads_released: bool = history({"0.8.0": True, "4.2": False})
    """Whether a fetch reads from the first record on that it releases, which it does not get, so that little else is
    read if it asks for few bytes. Recorded from 4.1.1 and 4.2.1: share_release_fetch."""

    locks_capped: bool = history({"0.8.0": False, "4.2": True})
    """Whether partition.max.record.locks bounds what one fetch gets; in 4.1 it only decides when a fetch gets no more.
    Recorded from 4.1.1 to 4.3.1: share_delivery."""

    alter_offsets: Literal["ignored", "done"] = history({"0.8.0": "ignored", "4.2": "done"})
    """AlterShareGroupOffsets: ignored without an error, except for topics that do not exist; or carried out. Recorded
    from 4.1.1 to 4.3.1: share_group."""

    deletes_nothing: Literal["at once", "if there is a group"] = history(
        {"0.8.0": "at once", "4.2": "if there is a group"}
    )
    """When DeleteShareGroupOffsets without topics succeeds. Recorded from 4.1.1 to 4.3.1: odd_share_groups."""

    delete_writes_topics: bool = history({"0.8.0": False, "4.2": True})
    """Whether DeleteGroups writes the record of topics with state even if there are none. Recorded from 4.1.1 to 4.3.1:
    share_group."""

    unknown_partition: Literal["unknown offset", "no answer"] = history({"0.8.0": "unknown offset", "4.2": "no answer"})
    """DescribeShareGroupOffsets of a partition that does not exist. Recorded from 4.1.1 to 4.3.1: share_group."""

    no_group_id: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "4.3": ErrorCode.INVALID_REQUEST})
    """The answer to ShareFetch and ShareAcknowledge without a group. Recorded from 4.1.1 to 4.3.1: share_nameless."""

    empty_member_id: Literal["in words", "refused"] = history({"0.8.0": "in words", "4.2": "refused"})
    """How an empty member id is refused: by words in the heartbeat and -1 in ShareFetch; or by 42 without words.
    Recorded from 4.1.1 to 4.3.1: share_group."""
