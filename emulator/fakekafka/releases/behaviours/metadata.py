"""What Metadata says about topics and brokers beyond what its version asks for.

Not here, because the version decides and not the release: an empty list means all topics in version 0; topic ids are
refused with error 42 in versions 10 and 11 and served from 12 on (from 2.8.2 to 4.3.1).
"""

from typing import Literal

from fakekafka.errors import ErrorCode
from fakekafka.ids import OPERATIONS_NOT_ASKED_FOR
from fakekafka.releases.behaviours.behaviour import Behaviours, history


class MetadataBehaviour(Behaviours):
    """The answers of Metadata (KafkaApis)."""

    auto_created: ErrorCode = history(
        {"0.8.0": ErrorCode.LEADER_NOT_AVAILABLE}, kraft={"2.8": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    )
    """The error of a topic in the answer to the request that creates it. ZooKeeper: 5, recorded from 0.8.2.2 to 3.2.3;
    KRaft: 3, recorded from 3.3.2 to 4.3.1: handshake."""

    bad_name_spoils: Literal["all", "one"] = history({"0.8.0": "all", "0.9.0": "one"})
    """What one illegal topic name does: no brokers at all, and error 17 on every topic, the good ones included; or
    error 17 on that topic, listed after the good ones. Recorded from 0.8.2.2 to 4.3.1: handshake."""

    longest_topic_name: int = history({"0.8.0": 255, "0.10.0": 249})
    """Characters that a topic name may have; 255 did not leave room for the directory's suffix (KAFKA-3219).
    Recorded from 0.9.0.1 to 4.3.1: admin."""

    brokers_without_topics: bool = history({"0.8.0": False, "0.9.0": True})
    """Whether brokers are listed while the cluster has no topic yet: 0.8 learns of brokers with the first topic, and
    lists none in the answer that creates it (asked of 0.8.2.2; MetadataCache.scala). Recorded: directory_questions."""

    replicas_sorted: bool = history({"0.8.0": False, "0.10.0": True, "0.11.0": False})
    """Whether the replicas of a partition come in the order of a hash set, which sorts small numbers, instead of the
    order of preference. Recorded from 0.10.0.1: canary; asked of 0.8.2.2 to 0.11.0.3. Recorded: listed."""

    isr_shown: Literal["of the epoch", "current"] = history({"0.8.0": "of the epoch", "0.9.0": "current"})
    """The replicas that a broker lists as in sync: those that the controller last reported, or those in sync now
    (KAFKA-1367). Asked of 0.8.2.2 and 0.9.0.1."""

    leaderless_isr: Literal["empty", "kept"] = history({"0.8.0": "empty", "2.4": "kept"})
    """The replicas listed as in sync for a partition without a leader: none, or those that may lead again; none where
    the latter are eligible leader replicas (KIP-966). Asked of 0.8.2.2 to 4.1.1."""

    leaderless_epoch: bool = history({"0.8.0": False, "2.5": True})
    """Whether a partition without a leader shows its leader epoch. Asked of 2.3.1 to 2.8.2."""

    leaderless: ErrorCode = history(
        {
            "0.8.0": ErrorCode.LEADER_NOT_AVAILABLE,
            "2.0": ErrorCode.LISTENER_NOT_FOUND,
            "2.7": ErrorCode.LEADER_NOT_AVAILABLE,
        }
    )
    """The error of a partition without a leader, from version 6 of the request on; it is always 5 below. Asked of 1.1.1
    to 4.1.1."""

    early_ids: Literal["refused", "ignored"] = history({"0.8.0": "ignored", "2.8.1": "refused"})
    """Topic ids in Metadata 10 and 11: refused with 42, as are topics without a name; or not read, and no answer comes
    for topics without a name (KAFKA-12701). Recorded from 2.8.0 and 2.8.1: patch_questions."""

    topic_ids: bool = history({"0.8.0": False, "2.8": True})
    """Whether topics have ids (KIP-516). Under ZooKeeper only with inter.broker.protocol.version 2.8 or newer."""

    unregistered_rack: str | None = history({"0.8.0": None, "2.4": ""})
    """The rack of a broker that has not registered one, since its inter.broker.protocol.version is older than 0.10.0:
    the request that tells brokers of each other has no racks then, and 2.4 generates its classes (KAFKA-8885).
    Recorded from 2.3.1 (last with none), 2.4.1 and 2.8.2: odd_admin; asked of 0.10.2.2 to 2.0.1 and 3.4.1."""

    bad_name_not_created: ErrorCode = history(
        {"0.8.0": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "2.8": ErrorCode.INVALID_TOPIC_EXCEPTION}
    )
    """An illegal topic name where nothing may be created (KafkaApis.scala)."""

    internal_topics: frozenset[str] = history(
        {
            "0.8.0": frozenset[str](),
            "0.8.2": frozenset({"__consumer_offsets"}),
            "0.11.0": frozenset({"__consumer_offsets", "__transaction_state"}),
            "3.9": frozenset({"__consumer_offsets", "__transaction_state", "__share_group_state"}),
        }
    )
    """The broker's own topics (Topic.java). Up to 2.7 they are created for any client that asks for them."""

    internal_always_created: bool = history({"0.8.0": True, "2.8": False})
    """Whether internal topics are created even if the request or auto.create.topics.enable forbids it
    (KafkaApis.scala)."""

    operations_not_asked_for: int = history({"0.8.0": 0, "2.5": OPERATIONS_NOT_ASKED_FOR})
    """Authorized operations where the client did not ask for them (KAFKA-9062). Recorded from 2.3.1 to 4.3.1:
    handshake; 2.5: KafkaApis.scala."""
