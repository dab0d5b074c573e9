"""Which versions of which API each release serves: the history of the protocol, folded up to one release.

Three lists of cited steps (`zookeeper_era`, `two_modes`, `kraft_era`) hold that history; `advertised` is what
ApiVersions answers on a client's listener, `accepted` what the broker accepts. The two differ in a few places, all
written here. Ranges are those of the default configuration; the parameters stand for configuration that adds or hides
some.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from fakekafka.ids import ApiKey
from fakekafka.releases.dated import at
from fakekafka.releases.history import kraft_era, two_modes, zookeeper_era
from fakekafka.releases.history.step import ApiStep, ApiTable, Versions
from fakekafka.releases.release import Mode, Release, starting

ON_TELEMETRY: Final = frozenset({ApiKey.GET_TELEMETRY_SUBSCRIPTIONS, ApiKey.PUSH_TELEMETRY})
"""Keys on ApiVersions' list only where a telemetry receiver is configured (KIP-714)."""

ON_RECORD_V2: Final = frozenset({
    ApiKey.ADD_PARTITIONS_TO_TXN, ApiKey.ADD_OFFSETS_TO_TXN, ApiKey.END_TXN, ApiKey.WRITE_TXN_MARKERS,
    ApiKey.TXN_OFFSET_COMMIT,
})  # fmt: skip
"""Keys that a ZooKeeper broker hides while inter.broker.protocol.version is below 0.11.0 (ApiVersionsResponse.java)."""

INTER_BROKER: Final = frozenset({
    ApiKey.LEADER_AND_ISR, ApiKey.STOP_REPLICA, ApiKey.UPDATE_METADATA, ApiKey.CONTROLLED_SHUTDOWN,
    ApiKey.WRITE_TXN_MARKERS, ApiKey.VOTE, ApiKey.BEGIN_QUORUM_EPOCH, ApiKey.END_QUORUM_EPOCH, ApiKey.ALTER_PARTITION,
    ApiKey.ENVELOPE, ApiKey.FETCH_SNAPSHOT, ApiKey.BROKER_REGISTRATION, ApiKey.BROKER_HEARTBEAT,
    ApiKey.ALLOCATE_PRODUCER_IDS, ApiKey.CONTROLLER_REGISTRATION, ApiKey.ASSIGN_REPLICAS_TO_DIRS,
    ApiKey.INITIALIZE_SHARE_GROUP_STATE, ApiKey.READ_SHARE_GROUP_STATE, ApiKey.WRITE_SHARE_GROUP_STATE,
    ApiKey.DELETE_SHARE_GROUP_STATE, ApiKey.READ_SHARE_GROUP_STATE_SUMMARY,
})  # fmt: skip
"""Keys that brokers and controllers send each other, not clients."""

CO_RESIDENT: Final[Mapping[str, tuple[frozenset[ApiKey], dict[ApiKey, Versions]]]] = {
    "2.8": (frozenset({ApiKey.UNREGISTER_BROKER}), {}),
    "3.0": (frozenset({ApiKey.DESCRIBE_QUORUM}), {ApiKey.UPDATE_FEATURES: Versions(0, 0)}),
    "3.2": (frozenset({ApiKey.DESCRIBE_QUORUM}), {}),
    "3.3": (frozenset(), {}),
}
"""KAFKA-13228, fixed in 3.3: a node that is broker and controller compares what it passes on with the list of a
ZooKeeper broker, instead of the controller's. By release: keys that vanish as a result, and keys that appear. Seen on
2.8.2, 3.0.2, 3.1.2 and 3.2.3 in KRaft mode."""


def steps() -> Iterator[tuple[str, ApiStep]]:
    """The whole history, oldest step first, each with the release that brought it."""
    for era in (zookeeper_era.STEPS, two_modes.STEPS, kraft_era.STEPS):
        for date, changes in era.items():
            yield from ((date, step) for step in changes)


def advertised(
    release: Release,
    mode: Mode,
    *,
    co_resident: bool = False,
    ibp_below_0_11: bool = False,
    telemetry: bool = False,
    unstable: bool = False,
) -> dict[ApiKey, Versions]:
    """What the release's ApiVersions answer lists, in key order; before 0.10, which has no ApiVersions, what the broker
    accepts.

    `co_resident`: the KRaft node is broker and controller in one. `ibp_below_0_11`: inter.broker.protocol.version is
    below 0.11.0. `telemetry`: a metrics reporter takes client telemetry. `unstable`: unstable.api.versions.enable.
    """
    hidden: frozenset[ApiKey] = frozenset()
    if ibp_below_0_11 and mode == "zk":
        hidden |= ON_RECORD_V2
    if not telemetry:
        hidden |= ON_TELEMETRY
    shown: dict[ApiKey, Versions] = {}
    if co_resident and mode == "kraft":
        gone, shown = at(CO_RESIDENT, release, before=(frozenset[ApiKey](), dict[ApiKey, Versions]()))
        hidden |= gone
    ranges = {key: versions for key, versions in _served(release, mode, unstable).items() if key not in hidden}
    return dict(sorted((ranges | shown).items())) if shown else ranges


def accepted(release: Release, mode: Mode, *, unstable: bool = False) -> dict[ApiKey, Versions]:
    """What the release's broker accepts on a client's listener, in key order: advertised or not.

    Keys that are only hidden are accepted: transactions under an old inter-broker protocol, telemetry without a
    receiver.
    """
    ranges = advertised(release, mode, telemetry=True, unstable=unstable)
    wider = accepted_not_advertised(release, mode)
    if release >= starting("4.0"):
        # KAFKA-18659: librdkafka needs to see version 0 or it stops compressing. Versions 0-2 close the connection.
        ranges[ApiKey.PRODUCE] = Versions(3, ranges[ApiKey.PRODUCE].high)
    return dict(sorted((ranges | wider).items())) if wider else ranges


def accepted_not_advertised(release: Release, mode: Mode) -> dict[ApiKey, Versions]:
    """Ranges that are wider than the advertised ones, whatever the configuration."""
    if starting("0.10.0") <= release < starting("1.0"):
        # Protocol.java's minimum is 1, but ControlledShutdownRequest.scala still reads version 0.
        return {ApiKey.CONTROLLED_SHUTDOWN: Versions(0, 1)}
    if mode == "kraft" and starting("3.0") <= release < starting("3.2"):
        # The broker passes it on, but the controller of these releases does not offer it: ApiVersionManager drops it.
        return {ApiKey.UPDATE_FEATURES: Versions(0, 0)}
    return {}


@cache
def _served(release: Release, mode: Mode, unstable: bool) -> Mapping[ApiKey, Versions]:
    """What the release serves in a mode, hidden or not, in key order. The result is cached: every start asks twice."""
    table = _table(release)
    ranges = ((key, _range(table, key, unstable)) for key in sorted(table.served[mode]))
    return {key: versions for key, versions in ranges if versions is not None}


def _range(table: ApiTable, key: ApiKey, unstable: bool) -> Versions | None:
    stable = table.ranges.get(key)
    if not unstable or key not in table.unstable:
        return stable
    return Versions(stable.low if stable else 0, table.unstable[key])


@cache
def _table(release: Release) -> ApiTable:
    table = ApiTable()
    for date, step in steps():
        if starting(date) > release:
            break
        table.apply(step)
    return table
