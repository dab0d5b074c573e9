"""Topics' own configs at the start of a broker: what it cannot read keeps it from starting (LogConfig.fromProps).

Another release accepted them, or did not check them: up to 2.0 CreateTopics takes any text for message.format.version,
and the next start fails (recorded from 0.10.2.2 to 0.11.0.3: illegal_configs), as does the start of an older release
that does not know the version yet (recorded from 0.11.0.3 and 1.1.1: random_walks).
"""

from collections.abc import Iterable

from fakekafka.errors import BrokerWillNotStart
from fakekafka.releases.configs.definition import parse_value
from fakekafka.releases.configs.validators import protocol_version_name
from fakekafka.releases.configs.values import InvalidConfig
from fakekafka.releases.profile import Profile
from fakekafka.releases.protocol_versions import known_names
from fakekafka.state.topics import Topic

FORMAT = "message.format.version"


def check_stored_topics(topics: Iterable[Topic], profile: Profile) -> None:
    """Check the configs of `topics` that the release knows. Raises `BrokerWillNotStart` with the broker's words."""
    for topic in topics if profile.topics.configs_checked else ():
        problem = _problem(topic, profile)
        if problem is not None:
            raise BrokerWillNotStart(problem)


def is_readable(topic: Topic, profile: Profile) -> bool:
    """Whether a log can have the topic's configs. Early KRaft takes any, and then hosts the topic nowhere, although
    Metadata names a leader (asked of 2.8.2).
    """
    return profile.topics.configs_checked or _problem(topic, profile) is None


def _problem(topic: Topic, profile: Profile) -> str | None:
    """Why no log can have the topic's configs. Names that the release does not know are skipped."""
    table = profile.topic_configs
    for name, text in topic.overrides.items():
        if name not in table:
            continue  # of another release: not checked
        try:
            parse_value(table[name], text)
        except InvalidConfig as wrong:
            return str(wrong)
        if name == FORMAT and protocol_version_name(text) not in known_names(profile.release):
            return f"Version `{text}` is not a valid version"
    return None
