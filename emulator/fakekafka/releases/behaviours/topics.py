"""Topics by request: creating and deleting them, adding partitions, electing leaders.

Up to 3.2 a ZooKeeper broker checks; under KRaft the controller does, and is stricter. So most fields have two
histories.
"""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class TopicsBehaviour(Behaviours):
    """The answers of CreateTopics and its kin (AdminManager; under KRaft ReplicationControlManager)."""

    bad_replicas: Literal["created", "refused"] = history({"0.8.0": "created"}, kraft={"2.8": "refused"})
    """Assignment to brokers that are not there, or to none: the topic is created and the request ends with 7 after its
    timeout; or error 39. Recorded from 0.10.1.1 to 4.3.1: admin."""

    indexes_checked: bool = history({"0.8.0": False, "2.3": True})
    """Must the indexes of an assignment begin with 0 and have no gap, else error 39? Recorded from 1.1.1 to 4.3.1:
    admin."""

    same_index_twice: Literal["taken", "refused"] = history({"0.8.0": "taken"}, kraft={"2.8": "refused"})
    """An assignment that names one index twice; refused with 39. Recorded from 0.10.1.1 to 4.3.1: admin."""

    invalid_config: ErrorCode = history({"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR, "2.1": ErrorCode.INVALID_CONFIG})
    """CreateTopics with a config value that is not valid. Recorded from 0.10.1.1 to 4.3.1: admin."""

    null_config: ErrorCode | None = history(
        {"0.8.0": None, "0.11.0": ErrorCode.UNKNOWN_SERVER_ERROR, "2.6": ErrorCode.INVALID_REQUEST},
        kraft={"2.8": ErrorCode.INVALID_CONFIG},
    )
    """CreateTopics with null for a config's value. None: the connection closes. Recorded from 0.11.0.3 to 4.3.1:
    admin; closed by 0.10.2.2, too."""

    defaults_for_counts: bool = history({"0.8.0": False, "2.4": True})
    """Does -1 for partitions or replicas, without an assignment, mean num.partitions and default.replication.factor, at
    any version (KIP-464)? Else 37 and 38. Recorded from 1.1.1 to 4.3.1: admin."""

    colliding_names: Literal["refused", "taken"] = history({"0.8.0": "refused"}, kraft={"2.8": "taken"})
    """Two new names in one request that differ only in "." and "_": the second gets 17. Recorded from 0.10.1.1 to
    4.3.1: admin."""

    created_twice: Literal["once", "each"] = history({"0.8.0": "once", "2.3": "each"}, kraft={"2.8": "once"})
    """How often a topic that CreateTopics names twice is answered with 42. Recorded from 0.10.1.1 to 4.3.1: admin."""

    deleted_id_twice: ErrorCode = history({"0.8.0": ErrorCode.NONE}, kraft={"2.8": ErrorCode.INVALID_REQUEST})
    """DeleteTopics 6 that names one topic id twice. Recorded from 2.8.2 to 4.3.1: admin."""

    deleted_without_name: ErrorCode = history(
        {"0.8.0": ErrorCode.TOPIC_AUTHORIZATION_FAILED}, kraft={"2.8": ErrorCode.INVALID_REQUEST}
    )
    """DeleteTopics 6 with neither name nor id. Recorded from 2.8.2 to 4.3.1: admin."""

    partitions_of_no_name: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR}, kraft={"2.8": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    )
    """CreatePartitions for the topic "". Recorded from 1.1.1 to 4.3.1: admin."""

    needless_election: ErrorCode = history({"0.8.0": ErrorCode.NONE, "2.4": ErrorCode.ELECTION_NOT_NEEDED})
    """ElectLeaders where the leader is the preferred one. Recorded from 2.2.2 to 4.3.1: admin."""

    unknown_election: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_SERVER_ERROR}, kraft={"2.8": ErrorCode.INVALID_REQUEST}
    )
    """ElectLeaders with an election type that means nothing. Recorded from 2.7.2 to 4.3.1: admin."""

    election_for_all: Literal["every partition", "nothing", "empty topics"] = history(
        {"0.8.0": "every partition", "2.4": "nothing"}, kraft={"2.8": "empty topics"}
    )
    """What ElectLeaders with null for its topics names in the answer, if no election is needed: every partition;
    nothing; or every topic without partitions. Recorded from 2.2.2 to 4.3.1: admin."""
