"""FakeKafka: a Kafka cluster of any release, in this process.

The object is a handle. State lives in `Cluster` and `Broker` values that one thread owns; every method here runs its
work on that thread and waits for it.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from fakekafka.broker.broker import Broker
from fakekafka.broker.cluster import Cluster
from fakekafka.broker.configs import BrokerConfig
from fakekafka.caps import capped
from fakekafka.client_configs import client_config
from fakekafka.clock import Clock, ManualClock, SystemClock
from fakekafka.errors import UsageError
from fakekafka.explain import Difference, differences
from fakekafka.ids import BrokerId, LeaderEpoch, Offset, PartitionIndex, TimestampMs, TopicName
from fakekafka.log.files import Directory, DiskDirectory, MemoryDirectory
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.release import NEWEST, Release
from fakekafka.server.core import Core
from fakekafka.server.memory import MemoryClient
from fakekafka.server.tcp import TcpServer
from fakekafka.stored import CommittedOffset, StoredRecord, committed_offsets, stored_records

T = TypeVar("T")
ApiRange = int | tuple[int, int]
"""Highest version, or (lowest, highest)."""
