"""Topics' own configs at the start of a broker: what it cannot read keeps it from starting (LogConfig.fromProps).

An older release accepted them, or did not check them: up to 1.1 CreateTopics takes any text for message.format.version,
and the next start fails (recorded from 0.10.2.2 to 0.11.0.3: illegal_configs).
"""

from collections.abc import Iterable, Mapping

from fakekafka.errors import BrokerWillNotStart
from fakekafka.releases.configs.definition import ConfigDef, parse_value
from fakekafka.releases.configs.values import InvalidConfig
from fakekafka.releases.message_formats import order_of
from fakekafka.state.topics import Topic

FORMAT = "message.format.version"


def check_stored_topics(topics: Iterable[Topic], table: Mapping[str, ConfigDef]) -> None:
    """Check the configs of `topics` that the release knows. Raises `BrokerWillNotStart` with the broker's words."""
    for topic in topics:
        for name, text in topic.overrides.items():
            if name not in table:
                continue  # of another release: not checked
            try:
                parse_value(table[name], text)
            except InvalidConfig as wrong:
                raise BrokerWillNotStart(str(wrong)) from wrong
            if name == FORMAT and order_of(text) is None:
                raise BrokerWillNotStart(f"Version `{text}` is not a valid version")
