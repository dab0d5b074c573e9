"""How one broker departs from its release's profile: by its configuration, and by the drafts that are played."""

from fakekafka.records.batch import Dialect
from fakekafka.releases.behaviours.append import AppendBehaviour
from fakekafka.releases.profile import Profile
from fakekafka.state.configs import BrokerConfig
from fakekafka.state.drafts import Drafts


def with_own_coordinator(profile: Profile, config: BrokerConfig) -> Profile:
    """The profile, with the manners of the group coordinator that the broker has: 3.7 to 3.9 leave the choice."""
    if not profile.groups.coordinator_may_be_java or profile.groups.coordinator == "java":
        return profile
    from fakekafka.state.group_coordinator_choice import with_chosen_coordinator

    return with_chosen_coordinator(profile, config)


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
