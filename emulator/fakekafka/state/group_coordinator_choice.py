"""Which of the two group coordinators a broker has where the release leaves the choice: 3.7 to 3.9 under KRaft."""

from typing import Final

from fakekafka.releases.behaviours.behaviour import Area, fields
from fakekafka.releases.profile import Profile
from fakekafka.releases.release import starting
from fakekafka.state.configs import BrokerConfig

FIRST_BY_DEFAULT: Final = "4.0"
OF_COORDINATOR: Final = frozenset({
    "coordinator", "initial_delay_extended_for", "new_group_record", "tombstone_of_generation_0",
    "described_assignment", "commits_kept", "fetch_kept", "numbered_batches", "tombstones", "groups_outlive_offsets",
    "map_order", "expired_order", "refusal_completes_join",
})  # fmt: skip
"""The behaviours that depend on the coordinator and not on the release."""


def of_java_coordinator(area: Area) -> Area:
    """`groups` with the behaviours of the coordinator in Java."""
    kind, since = type(area), starting(FIRST_BY_DEFAULT)
    instance = object.__new__(kind)
    later = {name: field.at(since, "kraft") for name, field in fields(kind) if name in OF_COORDINATOR}
    instance.__dict__.update(area.values() | later)
    return instance


ENABLE: Final = "group.coordinator.new.enable"
PROTOCOLS: Final = "group.coordinator.rebalance.protocols"


def with_chosen_coordinator(profile: Profile, config: BrokerConfig) -> Profile:
    """The profile, with the behaviour of the coordinator that `config` asks for (KafkaConfig).

    `profile`: of a release that has both.
    """
    protocols = config.value(PROTOCOLS)
    asks = isinstance(protocols, tuple) and "consumer" in protocols
    if not asks and not config.bool(ENABLE):
        return profile
    return profile._replace(groups=of_java_coordinator(profile.groups), offsets=of_java_coordinator(profile.offsets))
