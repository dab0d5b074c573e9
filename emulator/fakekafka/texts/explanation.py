"""How a broker differs from a real one of its release, and why: `FakeKafka.explain()`.

Defaults come from `state.configs.own_defaults`, APIs from `handlers.SERVED`, quirks from the switches, the rest from
`STANDING`.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from fakekafka.handlers import SERVED
from fakekafka.ids import ApiKey
from fakekafka.releases.configs.plugins import plugin_property
from fakekafka.releases.history import INTER_BROKER
from fakekafka.releases.profile import profile
from fakekafka.releases.quirks import QUIRKS
from fakekafka.settings.blueprint import WITH_KAFKAS_DEFAULTS, Blueprint
from fakekafka.state.configs import own_defaults


class Difference(NamedTuple):
    """One difference. Prints as one line."""

    what: str
    """The config, API or ability that differs."""
    real: str
    """What a real broker does."""
    here: str
    """What this one does."""
    why: str
    """The reason."""

    def __str__(self) -> str:
        return f"{self.what}: {self.here} here, {self.real} in a real broker: {self.why}"


def differences(blueprint: Blueprint) -> list[Difference]:
    """Every difference of a cluster with this blueprint, those of single brokers last."""
    shared = _of_one(blueprint)
    own = [(node_id, difference) for node_id, other in sorted(blueprint.own.items()) for difference in _of_one(other)]
    return shared + [d._replace(what=f"broker {node_id}: {d.what}") for node_id, d in own if d not in shared]


def _of_one(blueprint: Blueprint) -> list[Difference]:
    """Every difference of a broker with this blueprint."""
    standing = [Difference(*words) for applies, *words in STANDING if applies(blueprint)]
    return [
        *_ignored(blueprint),
        *_unplayed(blueprint),
        *_of_plugins(blueprint),
        *_of_security(blueprint),
        *_quirks(blueprint),
        *_drafts(blueprint),
        *_defaults(blueprint),
        *standing,
        *_unserved(blueprint),
    ]


def _ignored(blueprint: Blueprint) -> Iterator[Difference]:
    for name, known in blueprint.ignored.items():
        why = f"Kafka {blueprint.release} has no such config: it {known}"
        yield Difference(f"config {name}", "ignored, from 0.9 on silently", "ignored, with a warning", why)


def _unplayed(blueprint: Blueprint) -> Iterator[Difference]:
    for name, what in blueprint.unplayed.items():
        yield Difference(f"config {name}", what, "only shown", "it is not played")


def _of_plugins(blueprint: Blueprint) -> Iterator[Difference]:
    for name in blueprint.config:
        known = plugin_property(name, blueprint.release)
        if known is not None and not known.is_played:
            yield Difference(f"config {name}", f"read by {known.read_by}", "only shown", "no such plug-in runs here")


def _of_security(blueprint: Blueprint) -> Iterator[Difference]:
    for name in blueprint.config:
        why = blueprint.unplayed_of_security(name)
        if why is not None:
            yield Difference(f"config {name}", "has an effect", "only shown", why)


def _quirks(blueprint: Blueprint) -> Iterator[Difference]:
    """The quirks that are switched to something other than what the release shipped."""
    rules = blueprint.profile
    shipped = profile(rules.release, rules.mode)
    for row in QUIRKS:
        if row.is_in(rules) != row.is_in(shipped):
            real, here = ("shipped", "off") if row.is_in(shipped) else ("not shipped", "on")
            invented = "; every release has it" if here == "off" and row.off_as_in() is None else ""
            yield Difference(f"quirk {row.name}", real, here, f"it was switched: {row.effect}{invented}")


def _drafts(blueprint: Blueprint) -> Iterator[Difference]:
    if not blueprint.drafts:
        return
    from fakekafka.drafts.known import drafts_of, parse_drafts

    for draft in drafts_of(parse_drafts(blueprint.drafts)):
        yield Difference(draft.what, draft.real, draft.here, f"the draft {draft.name} was asked for")


def _defaults(blueprint: Blueprint) -> Iterator[Difference]:
    table = blueprint.profile.broker_configs
    for own in own_defaults(blueprint.brokers):
        if blueprint.pace == "lifelike" and own.name in WITH_KAFKAS_DEFAULTS:
            continue
        if own.name in table and own.name not in blueprint.config and table[own.name].default != own.value:
            yield Difference(own.name, str(table[own.name].default), own.value, own.why)


def _unserved(blueprint: Blueprint) -> Iterator[Difference]:
    for key in blueprint.accepted:
        if key not in SERVED:
            here = "the connection closes" if key in INTER_BROKER else "error 35"
            yield Difference(f"API {key.name} ({int(key)})", "served", here, "not built")


def _always(_: Blueprint) -> bool:
    return True


def _lifelike(blueprint: Blueprint) -> bool:
    return blueprint.pace == "lifelike"


def _lifelike_under_zookeeper(blueprint: Blueprint) -> bool:
    return _lifelike(blueprint) and _under_zookeeper(blueprint)


def _if_instant(applies: Callable[[Blueprint], bool]) -> Callable[[Blueprint], bool]:
    """A condition that no lifelike cluster meets, since it does as a real one."""
    return lambda blueprint: blueprint.pace == "instant" and applies(blueprint)


def _in_kraft(blueprint: Blueprint) -> bool:
    return blueprint.profile.has_quorum


def _under_zookeeper(blueprint: Blueprint) -> bool:
    return not blueprint.profile.has_quorum


def _can_be_idle(blueprint: Blueprint) -> bool:
    return "connections.max.idle.ms" in blueprint.profile.broker_configs


def _in_memory(blueprint: Blueprint) -> bool:
    return not blueprint.log_dirs


def _with_several_brokers(blueprint: Blueprint) -> bool:
    return blueprint.brokers > 1


def _awaits_producer_ids(blueprint: Blueprint) -> bool:
    return blueprint.profile.transactions.first_producer_id == "14 meanwhile"


def _has_early_streams_groups(blueprint: Blueprint) -> bool:
    return ApiKey.STREAMS_GROUP_HEARTBEAT in blueprint.ranges and not blueprint.profile.streams_groups.exist


def _has_later_streams_groups(blueprint: Blueprint) -> bool:
    return ApiKey.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE in blueprint.ranges


def _has_message_lag(blueprint: Blueprint) -> bool:
    return blueprint.brokers > 1 and "replica.lag.max.messages" in blueprint.profile.broker_configs


def _with(key: ApiKey, version: int = 0) -> Callable[[Blueprint], bool]:
    """A condition: the API is served in this version or a newer one."""
    return lambda blueprint: key in blueprint.ranges and blueprint.ranges[key][1] >= version


STANDING: Final[tuple[tuple[Callable[[Blueprint], bool], str, str, str, str], ...]] = (
    (_always, "ids of clusters, topics and members", "random", "from a seed", "so that runs repeat"),
    (_in_memory, "log.dirs", "a directory", "/memory/broker-N", "no log_dir was given: files are kept in memory"),
    (
        _if_instant(_can_be_idle), "idle connections", "closed after connections.max.idle.ms", "kept",
        "time may leap in tests",
    ),
    (_always, "thread counts, buffer sizes", "have an effect", "only shown", "one thread does everything, at once"),
    (
        _lifelike, "what takes time", "everything, as its machine allows",
        "topics, coordinators, markers, reassignments, replication, elections, deaths, restarts; as long as measured",
        "times are drawn from a seed, so that runs repeat; what was not measured happens at once",
    ),
    (
        _if_instant(_always), "FindCoordinator before the internal topic exists", "15, try again later", "answered",
        "the topic is created at once, and clients lose up to 500 ms by asking again",
    ),
    (
        _awaits_producer_ids, "a broker's first InitProducerId", "14 until the controller has sent a block of ids",
        "answered", "the block is available at once, and clients lose 100 ms by asking again",
    ),
    (
        _if_instant(_with(ApiKey.END_TXN)), "markers of a transaction",
        "written a moment after the answer to EndTxn; 51 until then",
        "written before it", "one thread does everything, at once",
    ),
    (
        _with(ApiKey.ALTER_CONFIGS), "configs that are altered", "reach the logs a moment after the answer",
        "are in force before it", "tests need not wait",
    ),
    (_with(ApiKey.INCREMENTAL_ALTER_CONFIGS), "log levels by request", "log4j's", "none", "there is no log4j"),
    (
        _with(ApiKey.DESCRIBE_CONFIGS, 3), "documentation of configs", "its text", "where to find it",
        "the texts are Kafka's",
    ),
    (
        _with(ApiKey.SASL_HANDSHAKE), "clients that have not logged in", "as many as connect, for as long as they send",
        "1000 at a time, for a minute each, with half a megabyte", "strangers must not cost much",
    ),
    (_with(ApiKey.SASL_HANDSHAKE), "SASL GSSAPI", "served", "refused at the start", "it needs a KDC"),
    (
        _with(ApiKey.DESCRIBE_LOG_DIRS, 4), "size of the disk", "the file system's", "1 TiB",
        "answers do not depend on the machine",
    ),
    (
        _has_early_streams_groups, "streams groups", "in early access", "error 35",
        "only their final form is built (KIP-1071)",
    ),
    (
        _has_later_streams_groups, "streams groups", "as its branch has them", "as in 4.3",
        "the release is not out, and its branch still changes",
    ),
    (
        _if_instant(_under_zookeeper), "a broker that has just started",
        "knows no topics until the controller tells it what it leads: 3, 5 or 15 until then, 38 up to 0.10.2",
        "knows everything", "tests need not wait",
    ),
    (
        _lifelike_under_zookeeper, "a broker that has just started", "answers 38 at first, up to 0.10.2",
        "answers 5", "the moment before it is registered with ZooKeeper was not measured",
    ),
    (
        _if_instant(_with_several_brokers), "replication", "in the background, a few milliseconds behind the leader",
        "after each request, before its answer is sent", "tests need not wait; pause_replication() makes a broker lag",
    ),
    (
        _with_several_brokers, "a follower's fetches", "many partitions in one, in a session (KIP-227)",
        "one partition in one, without a session", "only a broker's metrics would show it",
    ),
    (
        _with_several_brokers, "an active segment's indexes after a truncation",
        "what was cut stays behind the entries", "zeros",
        "no broker reads it: a stop trims the files, and a start after a crash makes them again",
    ),
    (
        _with_several_brokers, "replica.lag.time.max.ms", "since the follower last had everything",
        "since it first did not", "a follower has everything until it is paused or cannot fetch",
    ),
    (
        _has_message_lag, "replica.lag.max.messages", "followers that are this many records behind are out of sync",
        "without effect", "followers do not lag by themselves",
    ),
    (
        _with_several_brokers, "commits and other writes of coordinators", "answered when all in sync have them",
        "answered at once, if there are min.insync.replicas", "it matters only while a follower is paused",
    ),
    (
        _if_instant(_with_several_brokers), "a broker that dies",
        "noticed after its session with ZooKeeper or the controllers", "noticed at once", "tests need not wait",
    ),
    (
        _with_several_brokers, "auto.leader.rebalance.enable", "leaders are checked every check interval",
        "one check interval after a broker came or a leader was moved", "an idle cluster stays idle",
    ),
    (
        _if_instant(_with_several_brokers), "leaders, and who is in sync", "learnt by brokers one after the other",
        "known to all at once", "there is one controller in one thread, and no consensus",
    ),
    (
        _in_kraft, "the controller's listener", "open", "shown at the next port, and closed",
        "clients talk to brokers",
    ),
    (_in_kraft, "the metadata log", "grows", "grows only when features change", "there is no quorum to keep it"),
    (
        _in_kraft, "a lower metadata.version", "allowed if nothing is lost", "refused",
        "what would be lost is not known here",
    ),
)  # fmt: skip
"""Differences that no configuration changes: a condition, and the fields of the `Difference`."""
