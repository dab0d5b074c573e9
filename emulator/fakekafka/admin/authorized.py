"""What a client may do where no authorizer is configured: everything (KIP-430, AclEntry)."""

from typing import Final

from fakekafka.ids import Operations

TOPIC_OPERATIONS: Final = (
    Operations.READ
    | Operations.WRITE
    | Operations.CREATE
    | Operations.DELETE
    | Operations.ALTER
    | Operations.DESCRIBE
    | Operations.DESCRIBE_CONFIGS
    | Operations.ALTER_CONFIGS
)
"""Recorded from 2.3.1 to 4.3.1: admin."""
CLUSTER_OPERATIONS: Final = (
    Operations.CREATE
    | Operations.ALTER
    | Operations.DESCRIBE
    | Operations.CLUSTER_ACTION
    | Operations.DESCRIBE_CONFIGS
    | Operations.ALTER_CONFIGS
    | Operations.IDEMPOTENT_WRITE
)
"""Recorded from 2.3.1 to 4.3.1: handshake."""
