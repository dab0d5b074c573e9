"""Types that methods of `FakeKafka` name for type checkers only, since their modules are loaded when first needed."""

from collections.abc import Mapping
from typing import Any, Final

from fakekafka.client_configs import Client, ClientConfig
from fakekafka.impatience.quick_settings import Role
from fakekafka.overview.groups import GroupOverview
from fakekafka.overview.topics import TopicOverview
from fakekafka.overview.transactions import TransactionOverview
from fakekafka.security.authorizer import Denial
from fakekafka.texts.explanation import Difference
from fakekafka.upgrade.scan import Held
from fakekafka.watching.groups import GroupState
from fakekafka.watching.transactions import TransactionState

NAMED_TYPES: Final[Mapping[str, Any]] = {
    "Client": Client,
    "ClientConfig": ClientConfig,
    "Denial": Denial,
    "Difference": Difference,
    "GroupOverview": GroupOverview,
    "GroupState": GroupState,
    "Held": Held,
    "Role": Role,
    "TopicOverview": TopicOverview,
    "TransactionOverview": TransactionOverview,
    "TransactionState": TransactionState,
}
