"""Configs whose values are versions of the inter-broker protocol: what each release defaults to and what it accepts."""

from collections.abc import Mapping
from typing import Final

from fakekafka.releases.configs.definition import GONE, Default
from fakekafka.releases.configs.validators import ProtocolVersion
from fakekafka.releases.protocol_versions import BY_RELEASE, known_names
from fakekafka.releases.release import starting

PROTOCOL_DEFAULTS: Final[Mapping[str, Default]] = {
    **{line: versions[-1] for line, versions in BY_RELEASE.items()},
    "0.9.0": "0.9.0.X",
    "4.0": GONE,
}
"""Each release speaks its own newest version; only 0.9.0 writes it in this form."""

FORMAT_DEFAULTS: Final[Mapping[str, Default]] = {
    line: default
    for line, default in PROTOCOL_DEFAULTS.items()
    if starting("0.10.0") <= starting(line) <= starting("3.0") or default is GONE
}
"""Each release writes its own newest format; 3.0 is the last that could change it (KIP-724)."""

TOPIC_VERSION_NAMES: Final[Mapping[str, ProtocolVersion]] = {
    line: ProtocolVersion(known_names(starting(line)), "`" if starting(line) < starting("3.3") else "")
    for line in BY_RELEASE
    if starting(line) >= starting("0.10.0")
}
"""The versions that a topic's config may name, by release, since each one knows more names. Whether a release checks
them is `TopicsBehaviour.format_checked`."""

VERSION_NAMES: Final[Mapping[str, ProtocolVersion]] = {
    line: names for line, names in TOPIC_VERSION_NAMES.items() if starting(line) >= starting("2.1")
}
"""The versions that a broker's config may name. Before 2.1 the value was not checked until the broker started
(KAFKA-7409)."""
