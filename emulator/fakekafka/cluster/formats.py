"""The message format in which a topic's records are stored: the result of its configs, the broker's and the protocol.

It decides what Produce stores, and whether Fetch converts (upgrade phases of KIP-31 and KIP-98). A log keeps the
decision in `PartitionLog.config.message_format`; code that has the partition asks the log. A topic's own format
that is newer than the inter-broker protocol may not count (`LogBehaviour.newer_format`).

Drafts have their own units.
"""

from typing import assert_never

from fakekafka.ids import Magic
from fakekafka.records.batch import Dialect
from fakekafka.releases.behaviours.append import AppendBehaviour
from fakekafka.releases.behaviours.log import LogBehaviour
from fakekafka.releases.message_formats import order_of, written_format
from fakekafka.state.configs import BrokerConfig
from fakekafka.state.drafts import Drafts
from fakekafka.state.topics import Topic

BROKER_CONFIG = "log.message.format.version"
TOPIC_CONFIG = "message.format.version"


def message_format(config: BrokerConfig, rules: LogBehaviour, topic: Topic, *, newly_created: bool = False) -> Magic:
    """The format of records that are appended to `topic` on a broker with that configuration."""
    protocol, configured = config.text("inter.broker.protocol.version"), config.text(BROKER_CONFIG)
    own = topic.overrides.get(TOPIC_CONFIG)
    if own is not None and order_of(own) is not None and not _left_out(rules, own, protocol, newly_created):
        configured = own
    return written_format(rules.message_format, protocol, configured)


def _left_out(rules: LogBehaviour, version: str, protocol: str, newly_created: bool) -> bool:
    """Whether a topic's format is ignored because it is newer than the protocol."""
    own, highest = order_of(version), order_of(protocol)
    newer = own is not None and highest is not None and own > highest
    match rules.newer_format:
        case "applied":
            return False
        case "applied at creation":
            return newer and not newly_created
        case "left out":
            return newer
        case word:
            assert_never(word)


def units_of(
    drafts: Drafts, plugged: Dialect | None, append: AppendBehaviour
) -> tuple[Dialect | None, AppendBehaviour]:
    """How units are read, and sets appended, by the drafts that are played."""
    if drafts.first_sets:
        from fakekafka.records.drafts.first_set import FirstSets  # only a draft needs it

        return FirstSets(), append.with_value("era", "first draft of KIP-98")
    if drafts.stamped_by_broker:
        return plugged, append.with_value("era", "first draft of KIP-31")
    return plugged, append
