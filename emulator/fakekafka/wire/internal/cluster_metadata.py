"""Records of __cluster_metadata: the state of a KRaft cluster (KIP-631).

    uvarint frame version, 1 | uvarint record key | uvarint version | body

The layouts are those from 3.0 on; the early access in 2.8 had others for keys 0, 3 and 4. Some records were defined,
with another layout, long before any broker wrote them: FeatureLevelRecord before 3.3, UserScramCredentialRecord before
3.5, DelegationTokenRecord before 3.6. The classes are in the order of their names; `RECORDS` is in the order of the
keys.
"""

from fakekafka.wire.message import (
    Message,
    Struct,
    binary,
    boolean,
    field,
    float64,
    int8,
    int16,
    int32,
    int64,
    string,
    uint16,
    uuid,
)


class AbortTransactionRecord(Message, versions="0", flexible="0+"):
    """Key 25, since 3.6: the records since BeginTransactionRecord do not count (KIP-868)."""

    reason: string | None = field("0+", default=None, tag=0)


class AccessControlEntryRecord(Message, versions="0", flexible="0+"):
    """Key 18, since 3.2: an ACL."""

    id: uuid = field("0+")
    resource_type: int8 = field("0+")  # numbers as in CreateAcls
    resource_name: string = field("0+")
    pattern_type: int8 = field("0+")
    principal: string = field("0+")
    host: string = field("0+")
    operation: int8 = field("0+")
    permission_type: int8 = field("0+")


class AccessControlRecord(Message, versions="0", flexible="0+"):
    """Key 6: never written."""

    resource_type: int8 = field("0+")
    resource_name: string | None = field("0+")
    pattern_type: int8 = field("0+")
    principal: string = field("0+")
    host: string = field("0+")
    operation: int8 = field("0+")
    permission_type: int8 = field("0+")


class BeginTransactionRecord(Message, versions="0", flexible="0+"):
    """Key 23, since 3.6: the records up to the end or abort belong together (KIP-868)."""

    name: string | None = field("0+", default=None, tag=0)


class BrokerRegistrationChangeRecord(Message, versions="0-3", flexible="0+"):
    """Key 17: part of a registration changed. Written from metadata.version 3.3-IV2 on.

    v1 in controlled shutdown (KIP-841), v2 log directories (KIP-858), v3 cordoned log directories (KIP-1066).
    """

    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+")
    fenced: int8 = field("0+", tag=0)  # -1 unfence, 0 unchanged, 1 fence
    in_controlled_shutdown: int8 = field("1+", tag=1)  # 0 unchanged, 1 in controlled shutdown
    log_dirs: list[uuid] = field("2+", tag=2)  # empty: unchanged
    cordoned_log_dirs: list[uuid] | None = field("3+", default=None, tag=3)  # null: unchanged


class ClearElrRecord(Message, versions="0", flexible="0+"):
    """Key 28, since 4.0: forget the eligible leader replicas (KIP-966)."""

    topic_name: string = field("0+")


class EntityData(Struct):
    entity_type: string = field("0+")
    entity_name: string | None = field("0+")  # null: the default


class ClientQuotaRecord(Message, versions="0", flexible="0+"):
    """Key 14, since 3.0: a client quota."""

    entity: list[EntityData] = field("0+")
    key: string = field("0+")
    value: float64 = field("0+")
    remove: boolean = field("0+")  # if true, the value does not matter


class ConfigRecord(Message, versions="0", flexible="0+"):
    """Key 4: a dynamic setting."""

    resource_type: int8 = field("0+")  # 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group
    resource_name: string = field("0+")
    name: string = field("0+")
    value: string | None = field("0+")  # null: removed


class DelegationTokenRecord(Message, versions="0", flexible="0+"):
    """Key 10, used since 3.6: a delegation token."""

    owner: string = field("0+")
    requester: string = field("0+")
    renewers: list[string] = field("0+")
    issue_timestamp: int64 = field("0+")  # all three in milliseconds
    max_timestamp: int64 = field("0+")
    expiration_timestamp: int64 = field("0+")
    token_id: string = field("0+")


class EndTransactionRecord(Message, versions="0", flexible="0+"):
    """Key 24, since 3.6: no fields."""


class FeatureLevelRecord(Message, versions="0", flexible="0+"):
    """Key 12: the finalized level of a feature, metadata.version among them."""

    name: string = field("0+")
    feature_level: int16 = field("0+")  # 0: the feature is switched off


class FenceBrokerRecord(Message, versions="0", flexible="0+"):
    """Key 7: a broker is fenced, and leads nothing. From metadata.version 3.3-IV2 on key 17 takes its place."""

    id: int32 = field("0+")
    epoch: int64 = field("0+")


class NoOpRecord(Message, versions="0", flexible="0+"):
    """Key 20, since 3.3: no fields. The leader writes it to move the offset forward (KIP-835)."""


class PartitionChangeRecord(Message, versions="0-2", flexible="0+"):
    """Key 5: what changed in a partition; fields that are left out did not.

    v1 directories (KIP-858), v2 eligible leader replicas (KIP-966).
    """

    partition_id: int32 = field("0+", default=-1)
    topic_id: uuid = field("0+")
    isr: list[int32] | None = field("0+", default=None, tag=0)  # null: unchanged, here and below
    leader: int32 = field("0+", default=-2, tag=1)  # -1 none, -2 unchanged
    replicas: list[int32] | None = field("0+", default=None, tag=2)  # since 3.0, like the two below
    removing_replicas: list[int32] | None = field("0+", default=None, tag=3)
    adding_replicas: list[int32] | None = field("0+", default=None, tag=4)
    leader_recovery_state: int8 = field("0+", default=-1, tag=5)  # -1 unchanged, 0 recovered, 1 recovering
    eligible_leader_replicas: list[int32] | None = field("2+", default=None, tag=6)
    last_known_elr: list[int32] | None = field("2+", default=None, tag=7)
    directories: list[uuid] | None = field("1+", default=None, tag=8)


class PartitionRecord(Message, versions="0-2", flexible="0+"):
    """Key 3: a partition. v1 directories (KIP-858), v2 eligible leader replicas (KIP-966)."""

    partition_id: int32 = field("0+", default=-1)
    topic_id: uuid = field("0+")
    replicas: list[int32] = field("0+")
    isr: list[int32] = field("0+")
    removing_replicas: list[int32] = field("0+")
    adding_replicas: list[int32] = field("0+")
    leader: int32 = field("0+", default=-1)  # -1: none
    leader_epoch: int32 = field("0+", default=-1)
    partition_epoch: int32 = field("0+", default=-1)
    directories: list[uuid] = field("1+")
    leader_recovery_state: int8 = field("0+", tag=0)  # 0 recovered, 1 recovering after an unclean election
    eligible_leader_replicas: list[int32] | None = field("2+", default=None, tag=1)
    last_known_elr: list[int32] | None = field("2+", default=None, tag=2)


class ProducerIdsRecord(Message, versions="0", flexible="0+"):
    """Key 15, since 3.0: producer ids up to here are handed out (KIP-730)."""

    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+", default=-1)
    next_producer_id: int64 = field("0+")  # first one that is not handed out


class BrokerEndpoint(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")
    security_protocol: int16 = field("0+")  # 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL


class BrokerFeature(Struct):
    name: string = field("0+")
    min_supported_version: int16 = field("0+")
    max_supported_version: int16 = field("0+")


class RegisterBrokerRecord(Message, versions="0-4", flexible="0+"):
    """Key 0: a broker registered.

    v1 in controlled shutdown (KIP-841), v2 migration (KIP-866), v3 log directories (KIP-858), v4 cordoned log
    directories (KIP-1066).
    """

    broker_id: int32 = field("0+")
    is_migrating_zk_broker: boolean = field("2+")
    incarnation_id: uuid = field("0+")  # new for each start
    broker_epoch: int64 = field("0+")
    end_points: list[BrokerEndpoint] = field("0+")
    features: list[BrokerFeature] = field("0+")
    rack: string | None = field("0+")
    fenced: boolean = field("0+", default=True)
    in_controlled_shutdown: boolean = field("1+")
    log_dirs: list[uuid] = field("3+", tag=0)
    cordoned_log_dirs: list[uuid] | None = field("4+", default=None, tag=1)  # null: not known


class ControllerEndpoint(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")
    security_protocol: int16 = field("0+")  # 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL


class ControllerFeature(Struct):
    name: string = field("0+")
    min_supported_version: int16 = field("0+")
    max_supported_version: int16 = field("0+")


class RegisterControllerRecord(Message, versions="0", flexible="0+"):
    """Key 27, since 3.7: a controller registered (KIP-919)."""

    controller_id: int32 = field("0+")
    incarnation_id: uuid = field("0+")
    zk_migration_ready: boolean = field("0+")
    end_points: list[ControllerEndpoint] = field("0+")
    features: list[ControllerFeature] = field("0+")


class RemoveAccessControlEntryRecord(Message, versions="0", flexible="0+"):
    """Key 19, since 3.2."""

    id: uuid = field("0+")


class RemoveDelegationTokenRecord(Message, versions="0", flexible="0+"):
    """Key 26, since 3.6."""

    token_id: string = field("0+")


class RemoveTopicRecord(Message, versions="0", flexible="0+"):
    """Key 9."""

    topic_id: uuid = field("0+")


class RemoveUserScramCredentialRecord(Message, versions="0", flexible="0+"):
    """Key 22, since 3.5."""

    name: string = field("0+")
    mechanism: int8 = field("0+")  # 1 SCRAM-SHA-256, 2 SCRAM-SHA-512


class TopicRecord(Message, versions="0", flexible="0+"):
    """Key 2: a topic; its partitions follow."""

    name: string = field("0+")
    topic_id: uuid = field("0+")


class UnfenceBrokerRecord(Message, versions="0", flexible="0+"):
    """Key 8. From metadata.version 3.3-IV2 on key 17 takes its place."""

    id: int32 = field("0+")
    epoch: int64 = field("0+")


class UnregisterBrokerRecord(Message, versions="0", flexible="0+"):
    """Key 1."""

    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+")


class UnregisterControllerRecord(Message, versions="0", flexible="0+"):
    """Key 29, branch of 4.4 (KIP-1312)."""

    controller_id: int32 = field("0+")


class UserScramCredentialRecord(Message, versions="0", flexible="0+"):
    """Key 11, used since 3.5: SCRAM credentials of a user (KIP-900)."""

    name: string = field("0+")
    mechanism: int8 = field("0+")  # 1 SCRAM-SHA-256, 2 SCRAM-SHA-512
    salt: binary = field("0+")
    stored_key: binary = field("0+")
    server_key: binary = field("0+")
    iterations: int32 = field("0+")


class ZkMigrationStateRecord(Message, versions="0", flexible="0+"):
    """Key 21, since 3.4: how far a migration from ZooKeeper has come (KIP-866)."""

    zk_migration_state: int8 = field("0+")  # 0 none, 1 migration, 2 pre-migration, 3 post-migration


RECORDS: dict[int, type[Message]] = {
    0: RegisterBrokerRecord,
    1: UnregisterBrokerRecord,
    2: TopicRecord,
    3: PartitionRecord,
    4: ConfigRecord,
    5: PartitionChangeRecord,
    6: AccessControlRecord,
    7: FenceBrokerRecord,
    8: UnfenceBrokerRecord,
    9: RemoveTopicRecord,
    10: DelegationTokenRecord,
    11: UserScramCredentialRecord,
    12: FeatureLevelRecord,
    14: ClientQuotaRecord,
    15: ProducerIdsRecord,
    17: BrokerRegistrationChangeRecord,
    18: AccessControlEntryRecord,
    19: RemoveAccessControlEntryRecord,
    20: NoOpRecord,
    21: ZkMigrationStateRecord,
    22: RemoveUserScramCredentialRecord,
    23: BeginTransactionRecord,
    24: EndTransactionRecord,
    25: AbortTransactionRecord,
    26: RemoveDelegationTokenRecord,
    27: RegisterControllerRecord,
    28: ClearElrRecord,
    29: UnregisterControllerRecord,
}
"""Record key -> record. 16 was withdrawn, 13 never used."""
