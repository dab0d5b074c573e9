"""Which of the two group coordinators a broker has where the release leaves the choice: 3.7 to 3.9 under KRaft."""

from typing import Final

from fakekafka.releases.java_coordinator import of_java_coordinator
from fakekafka.releases.profile import Profile
from fakekafka.state.configs import BrokerConfig

ENABLE: Final = "group.coordinator.new.enable"
PROTOCOLS: Final = "group.coordinator.rebalance.protocols"


def with_chosen_coordinator(profile: Profile, config: BrokerConfig) -> Profile:
    """The profile, with the behaviour of the coordinator that `config` asks for (KafkaConfig)."""
    if not profile.groups.coordinator_may_be_java or profile.groups.coordinator == "java":
        return profile
    protocols = config.value(PROTOCOLS)
    asks = isinstance(protocols, tuple) and "consumer" in protocols
    if not asks and not config.bool(ENABLE):
        return profile
    return profile._replace(groups=of_java_coordinator(profile.groups), offsets=of_java_coordinator(profile.offsets))
