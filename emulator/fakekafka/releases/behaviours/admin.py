"""Administration that is neither about topics nor about configs: quotas, log directories, features."""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class AdminBehaviour(Behaviours):
    """The answers of single APIs (KafkaApis, AdminManager, ClientQuotaControlManager, FeatureControlManager)."""

    by_controllers: bool = history({"0.8.0": False}, kraft={"2.8": True})
    """Whether KRaft's controllers check requests and carry them out, rather than the broker that is ZooKeeper's
    controller. Their order of checks and their messages differ. Recorded from 0.10.1.1 to 4.3.1: admin."""

    failed_controller: Literal["refuses", "silent"] = history(
        {"0.8.0": "refuses"}, kraft={"2.8": "refuses", "3.3": "silent"}
    )
    """What comes of requests that are passed on to a controller that has failed: 41, or nothing. Recorded from 2.8.2:
    controller_lost; from 3.3.0 and 3.3.1: dotted_questions."""

    deadlines_kept: bool = history({"0.8.0": False}, kraft={"2.8": False, "3.0": True})
    """Whether a request whose timeout is 0 or less has no effect: everything that it asks for gets 7. It holds for
    topics, partitions, elections and reassignments (KafkaEventQueue). Recorded from 2.8.2 to 4.3.1: odd_requests."""

    listing_has_deadline: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.3": False})
    """Whether ListPartitionReassignments without time is answered like the requests of `deadlines_kept`: with 7, and
    what it asks about (QuorumController.listPartitionReassignments). Recorded from 3.0.0 to 4.3.1: odd_admin."""

    client_quotas: frozenset[str] = history(
        {
            "0.8.0": frozenset(),
            "0.9.0": frozenset({"producer_byte_rate", "consumer_byte_rate"}),
            "0.11.0": frozenset({"producer_byte_rate", "consumer_byte_rate", "request_percentage"}),
            "2.7": frozenset(
                {"producer_byte_rate", "consumer_byte_rate", "request_percentage", "controller_mutation_rate"}
            ),
        }
    )
    """Quotas that users and clients can have: KIP-13, KIP-124, KIP-599."""

    user_quotas: bool = history({"0.8.0": False, "0.10.1": True})
    """Whether users can have quotas, and not only client ids (KIP-55)."""

    quota_names_sanitized: bool = history({"0.8.0": True}, kraft={"2.8": False})
    """Whether messages about an entity show its name as ZooKeeper's nodes spell it: percent-encoded (Sanitizer)."""

    scram_users_encoded: bool = history({"0.8.0": True, "3.5.2": False}, kraft={"2.8": False})
    """Whether DescribeUserScramCredentials gives the names of all users as ZooKeeper's nodes spell them (KAFKA-15243).
    Recorded at 2.8.1, and under ZooKeeper at 3.5.1 and 3.5.2: scram_questions."""

    ip_quotas: bool = history({"0.8.0": False, "2.8": True})
    """Whether addresses can have quotas (KIP-612)."""

    quota_refusals_lost: bool = history({"0.8.0": False}, kraft={"2.8": True, "3.0": False})
    """Whether an unknown or wrong quota is left out without an error (ClientQuotaControlManager). Recorded from 2.8.2
    to 4.3.1: admin."""

    quotas_positive: bool = history({"0.8.0": False}, kraft={"2.8": False, "3.5": True})
    """Whether a quota must be greater than 0. Recorded from 2.7.2 to 4.3.1: admin; 3.3.2 and 3.4.1 asked."""

    no_quota_message: str | None = history({"0.8.0": None, "2.8": ""})
    """The error message of DescribeClientQuotas where there is no error. Recorded from 2.7.2 to 4.3.1: admin."""

    matches_checked: Literal["when read", "42"] = history({"0.8.0": "when read"}, kraft={"2.8": "42"})
    """When DescribeClientQuotas notices an unknown match type, or an exact match of null: the request cannot be read,
    -1; or it is refused with 42, as is a name that comes with the other types. Recorded from 2.7.2 to 4.3.1: admin;
    names asked of 2.7.2, 3.9.1 and 4.3.1."""

    moves_replicas: bool = history({"0.8.0": False, "1.1": True})
    """Whether AlterReplicaLogDirs moves replicas that exist (KIP-113). Recorded: storage_log_dirs."""

    move_of_unknown: ErrorCode = history(
        {"0.8.0": ErrorCode.REPLICA_NOT_AVAILABLE, "2.1": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    )
    """What AlterReplicaLogDirs answers for a partition that does not exist. Recorded from 1.1.1 to 4.1.1:
    storage_log_dirs."""

    long_moves_refused: bool = history({"0.8.0": False, "2.2": True})
    """Whether AlterReplicaLogDirs refuses a topic whose name leaves no room for the name of a future directory with 17,
    before it looks at the directory (KAFKA-4893). Recorded from 2.1.1 to 4.3.1: odd_admin."""

    log_dirs_topics: Literal["asked", "all"] = history({"0.8.0": "asked", "2.6": "all", "3.7.1": "asked"})
    """Topics in DescribeLogDirs' answer: those asked for, or every topic of the broker, without partitions if it was
    not asked for. Recorded from 1.1.1 to 4.3.1: admin."""

    update_features: Literal["each", "whole"] = history({"0.8.0": "each"}, kraft={"2.8": "each", "4.0": "whole"})
    """What fails when an unknown feature is updated: that feature alone, or the request as a whole. Recorded from 2.7.2
    to 4.3.1: admin."""

    feature_updates_known: bool = history({"0.8.0": True}, kraft={"2.8": False, "3.3": True})
    """Whether controllers know UpdateFeatures, which brokers pass on to them; if not: -1. Recorded from 2.7.2 to 4.3.1:
    admin."""

    kraft_version: Literal["finalized", "ignored", "followed"] = history(
        {"0.8.0": "finalized"}, kraft={"2.8": "finalized", "4.0": "ignored", "4.1": "followed"}
    )
    """What an update of the feature kraft.version changes: the finalized level alone, nothing although it is
    acknowledged, or the quorum, which does not go back (KAFKA-16538). Recorded from 3.9.1 to 4.3.1: kraft_version."""

    downgrades_by_flag: bool = history({"0.8.0": True}, kraft={"2.8": False})
    """Whether the flag of UpdateFeatures 0 allows a downgrade. Asked of 3.5.2 to 4.3.1."""

    updated_message: str | None = history({"0.8.0": None}, kraft={"2.8": None, "4.0": "NONE"})
    """The error message of a feature that was updated. Asked of 3.3.2 to 4.3.1."""

    no_update_message: str | None = history({"0.8.0": None}, kraft={"2.8": "", "4.0": None})
    """The error message of UpdateFeatures as a whole, where there is no error. Recorded from 2.7.2 to 4.3.1: admin."""

    credentials_by_log: bool = history({"0.8.0": False}, kraft={"2.8": True})
    """Whether brokers learn of SCRAM credentials step by step from the metadata log, and so may lose some
    (ScramDelta). Recorded at 3.9.1: random_users; 3.6.2, 4.0.0 and 4.3.1 asked."""

    credential_message: str | None = history({"0.8.0": ""}, kraft={"2.8": None})
    """The error message of AlterUserScramCredentials where there is no error. Recorded from 2.7.2 to 4.3.1: admin."""

    no_reassignment_message: str | None = history({"0.8.0": ""}, kraft={"2.8": None})
    """The error message of AlterPartitionReassignments and ListPartitionReassignments as a whole, where there is no
    error. Recorded from 2.7.2 to 4.3.1: admin; 2.4.1 asked."""

    creation_elsewhere: str | None = history({"0.8.0": None, "2.3": ""})
    """The error message of CreateTopics at another broker than the controller: from the answer's generated class on,
    the default of its field. Recorded from clusters of three of 1.1.1 to 3.9.1: elsewhere."""

    controlled_shutdown: ErrorCode | None = history({"0.8.0": ErrorCode.BROKER_NOT_AVAILABLE}, kraft={"2.8": None})
    """ControlledShutdown from a client, for a broker that does not exist. None: the connection closes, as it does for
    all other requests between brokers. Recorded from 0.9.0.1 to 4.3.1: admin."""

    alter_partition: ErrorCode | None = history({"0.8.0": ErrorCode.STALE_BROKER_EPOCH}, kraft={"2.8": None})
    """AlterPartition from a client. None: the connection closes. Recorded from 2.7.2 to 4.3.1: admin."""

    envelope: ErrorCode | None = history({"0.8.0": None}, kraft={"2.8": ErrorCode.UNSUPPORTED_VERSION, "3.2": None})
    """Envelope from a client. None: the connection closes. Recorded from 2.8.2 to 4.3.1: admin."""

    describe_quorum: ErrorCode = history(
        {"0.8.0": ErrorCode.NONE}, kraft={"2.8": ErrorCode.UNKNOWN_SERVER_ERROR, "3.0": ErrorCode.NONE}
    )
    """How DescribeQuorum is refused: the first brokers that offer it have no code for it (KafkaApis.scala). Recorded
    from 2.8.2 to 4.3.1: admin, every_version."""

    allocate_producer_ids: ErrorCode | None = history(
        {"0.8.0": ErrorCode.BROKER_ID_NOT_REGISTERED}, kraft={"2.8": None}
    )
    """AllocateProducerIds from a client. None: the connection closes. Recorded from 3.0.2 to 4.3.1: admin."""

    token_renewals_capped: bool = history({"0.8.0": False}, kraft={"2.8": True})
    """Whether renewing a delegation token for longer than delegation.token.expiry.time.ms, or for 0, renews it for that
    time. Recorded from 1.1.1 to 4.3.1: tokens."""

    token_renewals_checked: Literal["owner first", "expiry first"] = history(
        {"0.8.0": "owner first"}, kraft={"2.8": "expiry first"}
    )
    """What RenewDelegationToken says about an expired token of somebody else: 63 or 66
    (DelegationTokenControlManager.java)."""

    token_endings_checked: Literal["owner first", "expiry first", "owner alone"] = history(
        {"0.8.0": "owner first"},
        kraft={"2.8": "expiry first", "3.7.2": "owner alone", "3.8": "expiry first", "3.8.1": "owner alone"},
    )
    """What ExpireDelegationToken says about such a token. "owner alone": an expired token can be ended at once
    (KAFKA-17315)."""

    ended_token_time_shown: bool = history(
        {"0.8.0": True}, kraft={"2.8": False, "3.7.2": True, "3.8": False, "3.8.1": True}
    )
    """Whether ExpireDelegationToken reports the time at which it ended a token, rather than the negative period that it
    was asked for (KAFKA-17315). Recorded from 3.6.2 to 3.9.1: tokens, token_questions."""

    token_times_wrap: bool = history({"0.8.0": True}, kraft={"2.8": True, "4.0": False})
    """Whether a period that leads beyond the end of all times leads to the beginning of all times (KAFKA-17415).
    Recorded from 2.8.1 to 4.1.1: token_questions."""

    tokens_swept_at_start: bool = history({"0.8.0": True}, kraft={"2.8": False})
    """Whether expired delegation tokens are swept away as soon as there is a controller, rather than after
    delegation.token.expiry.check.interval.ms (KafkaController, QuorumController). Recorded at 2.0.1: random_users."""

    refused_token_expiry: int = history({"0.8.0": -1}, kraft={"2.8": 0})
    """The time of expiry of a delegation token that was not renewed or ended. Recorded: tokens."""
