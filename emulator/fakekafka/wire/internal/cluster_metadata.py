"""cluster_metadata"""

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
    reason: string | None = field("0+", default=None, tag=0)


class AccessControlEntryRecord(Message, versions="0", flexible="0+"):
    id: uuid = field("0+")
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")
    pattern_type: int8 = field("0+")
    principal: string = field("0+")
    host: string = field("0+")
    operation: int8 = field("0+")
    permission_type: int8 = field("0+")


class AccessControlRecord(Message, versions="0", flexible="0+"):
    resource_type: int8 = field("0+")
    resource_name: string | None = field("0+")
    pattern_type: int8 = field("0+")
    principal: string = field("0+")
    host: string = field("0+")
    operation: int8 = field("0+")
    permission_type: int8 = field("0+")


class BeginTransactionRecord(Message, versions="0", flexible="0+"):
    name: string | None = field("0+", default=None, tag=0)


class BrokerRegistrationChangeRecord(Message, versions="0-3", flexible="0+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+")
    fenced: int8 = field("0+", tag=0)
    in_controlled_shutdown: int8 = field("1+", tag=1)
    log_dirs: list[uuid] = field("2+", tag=2)
    cordoned_log_dirs: list[uuid] | None = field("3+", default=None, tag=3)


class ClearElrRecord(Message, versions="0", flexible="0+"):
    topic_name: string = field("0+")


class EntityData(Struct):
    entity_type: string = field("0+")
    entity_name: string | None = field("0+")


class ClientQuotaRecord(Message, versions="0", flexible="0+"):
    entity: list[EntityData] = field("0+")
    key: string = field("0+")
    value: float64 = field("0+")
    remove: boolean = field("0+")


class ConfigRecord(Message, versions="0", flexible="0+"):
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")
    name: string = field("0+")
    value: string | None = field("0+")


class DelegationTokenRecord(Message, versions="0", flexible="0+"):
    owner: string = field("0+")
    requester: string = field("0+")
    renewers: list[string] = field("0+")
    issue_timestamp: int64 = field("0+")
    max_timestamp: int64 = field("0+")
    expiration_timestamp: int64 = field("0+")
    token_id: string = field("0+")


class EndTransactionRecord(Message, versions="0", flexible="0+"):
    """No fields."""


class FeatureLevelRecord(Message, versions="0", flexible="0+"):
    name: string = field("0+")
    feature_level: int16 = field("0+")


class FenceBrokerRecord(Message, versions="0", flexible="0+"):
    id: int32 = field("0+")
    epoch: int64 = field("0+")


class NoOpRecord(Message, versions="0", flexible="0+"):
    """No fields."""


class PartitionChangeRecord(Message, versions="0-2", flexible="0+"):
    partition_id: int32 = field("0+", default=-1)
    topic_id: uuid = field("0+")
    isr: list[int32] | None = field("0+", default=None, tag=0)
    leader: int32 = field("0+", default=-2, tag=1)
    replicas: list[int32] | None = field("0+", default=None, tag=2)
    removing_replicas: list[int32] | None = field("0+", default=None, tag=3)
    adding_replicas: list[int32] | None = field("0+", default=None, tag=4)
    leader_recovery_state: int8 = field("0+", default=-1, tag=5)
    eligible_leader_replicas: list[int32] | None = field("2+", default=None, tag=6)
    last_known_elr: list[int32] | None = field("2+", default=None, tag=7)
    directories: list[uuid] | None = field("1+", default=None, tag=8)


class PartitionRecord(Message, versions="0-2", flexible="0+"):
    partition_id: int32 = field("0+", default=-1)
    topic_id: uuid = field("0+")
    replicas: list[int32] = field("0+")
    isr: list[int32] = field("0+")
    removing_replicas: list[int32] = field("0+")
    adding_replicas: list[int32] = field("0+")
    leader: int32 = field("0+", default=-1)
    leader_epoch: int32 = field("0+", default=-1)
    partition_epoch: int32 = field("0+", default=-1)
    directories: list[uuid] = field("1+")
    leader_recovery_state: int8 = field("0+", tag=0)
    eligible_leader_replicas: list[int32] | None = field("2+", default=None, tag=1)
    last_known_elr: list[int32] | None = field("2+", default=None, tag=2)


class ProducerIdsRecord(Message, versions="0", flexible="0+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+", default=-1)
    next_producer_id: int64 = field("0+")


class BrokerEndpoint(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")
    security_protocol: int16 = field("0+")


class BrokerFeature(Struct):
    name: string = field("0+")
    min_supported_version: int16 = field("0+")
    max_supported_version: int16 = field("0+")


class RegisterBrokerRecord(Message, versions="0-4", flexible="0+"):
    broker_id: int32 = field("0+")
    is_migrating_zk_broker: boolean = field("2+")
    incarnation_id: uuid = field("0+")
    broker_epoch: int64 = field("0+")
    end_points: list[BrokerEndpoint] = field("0+")
    features: list[BrokerFeature] = field("0+")
    rack: string | None = field("0+")
    fenced: boolean = field("0+", default=True)
    in_controlled_shutdown: boolean = field("1+")
    log_dirs: list[uuid] = field("3+", tag=0)
    cordoned_log_dirs: list[uuid] | None = field("4+", default=None, tag=1)


class ControllerEndpoint(Struct):
    name: string = field("0+")
    host: string = field("0+")
    port: uint16 = field("0+")
    security_protocol: int16 = field("0+")


class ControllerFeature(Struct):
    name: string = field("0+")
    min_supported_version: int16 = field("0+")
    max_supported_version: int16 = field("0+")


class RegisterControllerRecord(Message, versions="0", flexible="0+"):
    controller_id: int32 = field("0+")
    incarnation_id: uuid = field("0+")
    zk_migration_ready: boolean = field("0+")
    end_points: list[ControllerEndpoint] = field("0+")
    features: list[ControllerFeature] = field("0+")


class RemoveAccessControlEntryRecord(Message, versions="0", flexible="0+"):
    id: uuid = field("0+")


class RemoveDelegationTokenRecord(Message, versions="0", flexible="0+"):
    token_id: string = field("0+")


class RemoveTopicRecord(Message, versions="0", flexible="0+"):
    topic_id: uuid = field("0+")


class RemoveUserScramCredentialRecord(Message, versions="0", flexible="0+"):
    name: string = field("0+")
    mechanism: int8 = field("0+")


class TopicRecord(Message, versions="0", flexible="0+"):
    name: string = field("0+")
    topic_id: uuid = field("0+")


class UnfenceBrokerRecord(Message, versions="0", flexible="0+"):
    id: int32 = field("0+")
    epoch: int64 = field("0+")


class UnregisterBrokerRecord(Message, versions="0", flexible="0+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+")


class UnregisterControllerRecord(Message, versions="0", flexible="0+"):
    controller_id: int32 = field("0+")


class UserScramCredentialRecord(Message, versions="0", flexible="0+"):
    name: string = field("0+")
    mechanism: int8 = field("0+")
    salt: binary = field("0+")
    stored_key: binary = field("0+")
    server_key: binary = field("0+")
    iterations: int32 = field("0+")


class ZkMigrationStateRecord(Message, versions="0", flexible="0+"):
    zk_migration_state: int8 = field("0+")
