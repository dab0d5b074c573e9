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
        problem = unreadable(topic.overrides, table)
        if problem is not None:
            raise BrokerWillNotStart(problem)


def unreadable(overrides: Mapping[str, str], table: Mapping[str, ConfigDef]) -> str | None:
    """Why no log can have these configs of a topic; None if it can. Names that the release does not know are passed."""
    for name, text in overrides.items():
        if name not in table:
            continue
        try:
            parse_value(table[name], text)
        except InvalidConfig as wrong:
            return str(wrong)
        if name == FORMAT and order_of(text) is None:
            return f"Version `{text}` is not a valid version"
    return None
