"""What a client may do where no authorizer is configured: everything that there is to do (KIP-430, AclEntry).

Bit n of a number stands for AclOperation n.
"""

from typing import Final

TOPIC_OPERATIONS: Final = 3576
"""Read, Write, Create, Delete, Alter, Describe, DescribeConfigs, AlterConfigs. Recorded from 2.3.1 to 4.3.1: admin."""
CLUSTER_OPERATIONS: Final = 8096
"""Create, ClusterAction, DescribeConfigs, AlterConfigs, IdempotentWrite, Alter, Describe. Recorded from 2.3.1 to 4.3.1:
handshake."""
