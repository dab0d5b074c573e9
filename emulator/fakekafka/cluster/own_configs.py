"""Which of a topic's own configs are in force on a broker's logs.

In some releases each change of the defaults makes a log forget which of its configs are the topic's own
(DynamicLogConfig, KAFKA-9254): the next change puts the defaults in their place, until the topic's configs are set
again or the broker starts.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from fakekafka.ids import TopicName
from fakekafka.releases.configs.synonyms import BROKER_NAME

if TYPE_CHECKING:
    from fakekafka.state.topics import Topic

DEFAULTS: Final = frozenset(BROKER_NAME.values()) - {"log.message.format.version"}
"""The configs of brokers whose change reaches every log."""


class OwnConfigs:
    """The topics' own configs, as one broker's logs know them."""

    def __init__(self) -> None:
        self._changes = 0
        self._known_since: dict[TopicName, int] = {}  # how many changes there had been

    def defaults_changed(self, names: Iterable[str]) -> None:
        """Dynamic configs of the broker have changed."""
        if not DEFAULTS.isdisjoint(names):
            self._changes += 1

    def learn(self, topic: "Topic") -> None:
        """The topic's first log was opened, or its configs were set."""
        self._known_since[topic.name] = self._changes

    def of(self, topic: "Topic") -> Mapping[str, str]:
        """What is in force."""
        forgotten = self._changes - self._known_since.get(topic.name, self._changes) > 1
        return {} if forgotten else topic.overrides
