"""What a broker checks between its configs when it starts, and again when one is changed while it runs.

Each rule is a function from the values to the broker's words, or None if all is well; a table says in which releases it
holds. The words are those of an exception that ends the broker with exit status 1 (KafkaConfig.validateValues;
GroupCoordinatorConfig.java; recorded from 0.9.0.1 to 3.9.1: illegal_configs). Scala's `require` puts "requirement
failed: " before them.

Not here: rules about listeners (`security.between_brokers`), other rules about security, and tiered storage.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from fakekafka.releases.configs.connections import connections_by_address, somebody_may_connect
from fakekafka.releases.configs.synonyms import topic_default
from fakekafka.releases.configs.under_zookeeper import no_controllers, no_new_consumer_groups, ready_to_migrate
from fakekafka.releases.configs.values import ConfigValue
from fakekafka.releases.message_formats import FIRST_OF_FORMAT, FORMAT_2_ONLY_FROM, format_of, order_of
from fakekafka.releases.protocol_versions import known_names
from fakekafka.releases.release import Mode, Release, starting

Lookup: TypeAlias = Callable[[str], ConfigValue]
"""An effective value by name; None if it is not set, or the release has no such config."""

PROTOCOL: Final = "inter.broker.protocol.version"
FORMAT: Final = "log.message.format.version"
MEGABYTE: Final = 1 << 20
IN_KRAFT: Final = " (i.e. when running in KRaft mode)."
DIVISION_BY_ZERO: Final = "/ by zero"
"""The text of an ArithmeticException, where other rules have a readable message."""
FAILED: Final = "requirement failed: "


FormatsCompared: TypeAlias = Literal["by order", "by magic"]
"""See `LogBehaviour.formats_compared`."""


class Rule(NamedTuple):
    """One check. `until` is the first release without it."""

    since: str
    until: str | None
    mode: Mode | None
    """The only mode in which the rule holds; None: both."""
    check: Callable[[Lookup, Release], str | None]
    formats: FormatsCompared | None = None
    """The only way of comparing formats with which the rule holds; None: any."""


def first_problem(value: Lookup, release: Release, mode: Mode, formats: FormatsCompared) -> str | None:
    """The broker's words about the first combination that it refuses; None if it starts."""
    return next(_problems(value, release, mode, formats), None)


def _problems(value: Lookup, release: Release, mode: Mode, formats: FormatsCompared) -> Iterator[str]:
    for rule in _rules(release, mode, formats):
        if (problem := rule.check(value, release)) is not None:
            yield problem


@cache
def _rules(release: Release, mode: Mode, formats: FormatsCompared) -> tuple[Rule, ...]:
    """The checks of this release."""
    return tuple(
        rule
        for rule in RULES
        if starting(rule.since) <= release
        and (rule.until is None or release < starting(rule.until))
        and rule.mode in (None, mode)
        and rule.formats in (None, formats)
    )


# ---- protocol and format


def _protocol_is_known(value: Lookup, release: Release) -> str | None:
    """Up to 2.0 protocol versions are checked here; later by the configs' own validators (KAFKA-7409)."""
    for name in (PROTOCOL, FORMAT):
        version = value(name)
        if isinstance(version, str) and version and _counting_part(version) not in known_names(release):
            if release < starting("0.10.0"):
                return f"key not found: {_counting_part(version)}"
            return f"Version `{version}` is not a valid version"
    return None


def _counting_part(version: str) -> str:
    return ".".join(version.split(".")[: 3 if version.startswith("0.") else 2])


def _protocol_fits_kraft(value: Lookup, _: Release) -> str | None:
    protocol = value(PROTOCOL)
    at, first = order_of(str(protocol)), order_of(FORMAT_2_ONLY_FROM)
    if at is None or first is None or at >= first:
        return None
    return f"A non-KRaft version {protocol} given for {PROTOCOL}. The minimum version is {FORMAT_2_ONLY_FROM}"


def _format_by_order(value: Lookup, _: Release) -> str | None:
    protocol, form = value(PROTOCOL), value(FORMAT)
    highest, at = order_of(str(protocol)), order_of(str(form))
    if highest is None or at is None or highest >= at:
        return None
    return f"{FAILED}{FORMAT} {form} cannot be used when {PROTOCOL} is set to {protocol}"


def _format_by_magic(value: Lookup, _: Release) -> str | None:
    form = value(FORMAT)
    highest, magic = format_of(str(value(PROTOCOL))), format_of(str(form))
    if highest is None or magic is None or highest >= magic:
        return None
    lowest = FIRST_OF_FORMAT[magic].partition("-")[0]
    return f"{FAILED}{FORMAT} {form} can only be used when {PROTOCOL} is set to version {lowest} or higher"


# ---- the log


def _longer_than(name: str, least: int, words: dict[str, str]) -> Callable[[Lookup, Release], str | None]:
    """A rule about a time setting of the log, which may also be given in coarser units."""

    def check(value: Lookup, release: Release) -> str | None:
        time_ms = topic_default(name, value)
        if not isinstance(time_ms, int) or time_ms >= least or (name == "retention.ms" and time_ms == -1):
            return None
        return FAILED + next(text for since, text in reversed(list(words.items())) if starting(since) <= release)

    return check


def _enough_for_the_cleaner(value: Lookup, _: Release) -> str | None:
    size, threads = value("log.cleaner.dedupe.buffer.size"), value("log.cleaner.threads")
    if not isinstance(size, int) or not isinstance(threads, int):
        return None
    if threads == 0:
        return DIVISION_BY_ZERO
    if size // threads > MEGABYTE:
        return None
    return f"{FAILED}log.cleaner.dedupe.buffer.size must be at least 1MB per cleaner thread."


def _compression_is_known(value: Lookup, release: Release) -> str | None:
    zstd = ("zstd",) if release >= starting("2.1") else ()
    known = ("uncompressed", *zstd, "lz4", "snappy", "gzip") if zstd else ("uncompressed", "snappy", "lz4", "gzip")
    chosen = value("compression.type")
    if chosen in (*known, "producer"):
        return None
    return f"{FAILED}compression.type : {chosen} is not valid. Valid options are {','.join((*known, 'producer'))}"


# ---- numbers that must fit each other


def _at_most(low: str, high: str, words: str) -> Callable[[Lookup, Release], str | None]:
    """The value of `low` may not exceed that of `high`."""

    def check(value: Lookup, _: Release) -> str | None:
        less, more = value(low), value(high)
        fits = not isinstance(less, int) or not isinstance(more, int) or less <= more
        return None if fits else words

    return check


def _in_order(middle: str, least: str, most: str, since: str = "3.5") -> Iterator[Rule]:
    """A group config's default must lie between its bounds (KIP-848, KIP-932, KIP-1071)."""
    yield from _at_least(most, least, since)
    yield from _at_least(middle, least, since)
    yield from _reworded(f"{middle} must be less than or {{}} to {most}", middle, most, since)


def _at_least(high: str, low: str, since: str) -> Iterator[Rule]:
    """The value of one group config must not lie below that of another."""
    return _reworded(f"{high} must be greater than or {{}} to {low}", low, high, since)


def _reworded(words: str, low: str, high: str, since: str) -> Iterator[Rule]:
    """The value of `low` may not exceed that of `high`. The words lost their prefix in 3.9 and a letter in 4.0."""
    eras = (("3.5", "3.9", FAILED + words.format("equals")), ("3.9", "4.0", words.format("equals")))
    for begins, until, text in (*eras, ("4.0", None, words.format("equal"))):
        first = max(begins, since, key=starting)
        if until is None or starting(first) < starting(until):
            yield Rule(first, until, None, _at_most(low, high, text))


def _beats_in_time(kind: str, since: str) -> Iterator[Rule]:
    """A member must send a heartbeat before its session ends."""
    low, high = f"group.{kind}.heartbeat.interval.ms", f"group.{kind}.session.timeout.ms"
    yield Rule(since, None, None, _less_than(low, high, f"{low} must be less than {high}"))


def _less_than(low: str, high: str, words: str) -> Callable[[Lookup, Release], str | None]:
    """The value of `low` must lie below that of `high`."""

    def check(value: Lookup, _: Release) -> str | None:
        less, more = value(low), value(high)
        return words if isinstance(less, int) and isinstance(more, int) and less >= more else None

    return check


def _known_codec(name: str, words: str) -> Callable[[Lookup, Release], str | None]:
    """The codec of an internal topic must be a known id."""

    def check(value: Lookup, _: Release) -> str | None:
        codec = value(name)
        return words.format(codec) if isinstance(codec, int) and codec not in range(5) else None

    return check


def _classic_is_enabled(value: Lookup, _: Release) -> str | None:
    """The classic protocol, which every client knows, cannot be left out. Asked of 3.7.2 to 4.3.1."""
    protocols = value("group.coordinator.rebalance.protocols")
    left_out = isinstance(protocols, tuple) and "classic" not in protocols
    return "Disabling the 'classic' protocol is not supported." if left_out else None


def _id_below_generated_ones(value: Lookup, release: Release) -> str | None:
    broker, most, generated = value("broker.id"), value("reserved.broker.max.id"), value("broker.id.generation.enable")
    if not isinstance(broker, int) or not isinstance(most, int) or not generated or -1 <= broker <= most:
        return None
    least = "equal or greater than" if release < starting("2.8") else "greater than or equal to"
    return f"{FAILED}broker.id must be {least} -1 and not greater than reserved.broker.max.id"


def _node_has_an_id(value: Lookup, release: Release) -> str | None:
    """Asked of 3.5.2, 3.6.2, 3.9.1, 4.0.1 and 4.3.1."""
    ids = [number for number in (value("node.id"), value("broker.id")) if isinstance(number, int) and number < -1]
    if not ids:
        return None
    if release < starting("4.0"):
        return "Missing configuration `node.id` which is required when `process.roles` is defined" + IN_KRAFT
    return f"Invalid value {ids[0]} for configuration node.id: Value must be at least 0"


def _few_updates_per_snapshot(value: Lookup, _: Release) -> str | None:
    name = "share.coordinator.snapshot.update.records.per.snapshot"
    updates = value(name)
    return f"{name} must be between [0, 500]" if isinstance(updates, int) and not 0 <= updates <= 500 else None


def _acks_of_commits(value: Lookup, release: Release) -> str | None:
    acks, factor = value("offsets.commit.required.acks"), value("offsets.topic.replication.factor")
    if not isinstance(acks, int) or not isinstance(factor, int) or -1 <= acks <= factor:
        return None
    both = "offsets.commit.required.acks must be greater or equal {}-1 and less or equal to {}"
    if release < starting("3.9"):
        return FAILED + both.format("", "offsets.topic.replication.factor")
    return both.format("to ", "offsets.topic.replication.factor")


def _zstd_for_offsets(value: Lookup, _: Release) -> str | None:
    if value("offsets.topic.compression.codec") != 4 or format_of(str(value(PROTOCOL))) == 2:
        return None
    words = f"offsets.topic.compression.codec zstd can only be used when {PROTOCOL} is set to version 2.1 or higher"
    return FAILED + words


def _queue_holds_a_request(value: Lookup, _: Release) -> str | None:
    queue, request = value("queued.max.request.bytes"), value("socket.request.max.bytes")
    if not isinstance(queue, int) or not isinstance(request, int) or queue <= 0 or queue >= request:
        return None
    return f"{FAILED}queued.max.request.bytes must be larger or equal to socket.request.max.bytes"


def _idle_longer_than_delay(value: Lookup, _: Release) -> str | None:
    delay, idle = value("connection.failed.authentication.delay.ms"), value("connections.max.idle.ms")
    if not isinstance(delay, int) or not isinstance(idle, int) or idle < 0 or delay < idle:
        return None
    words = f"connection.failed.authentication.delay.ms={delay} should always be less than"
    return f"{FAILED}{words} connections.max.idle.ms={idle} to prevent failed authentication responses from timing out"


def _one_id(value: Lookup, _: Release) -> str | None:
    node, broker = value("node.id"), value("broker.id")
    if not isinstance(node, int) or not isinstance(broker, int) or -1 in (node, broker) or node == broker:
        return None
    return "You must set `node.id` to the same value as `broker.id`."


ROLL: Final = {
    "0.8.0": "log.roll.ms must be equal or greater than 1",
    "2.8": "log.roll.ms must be greater than or equal to 1",
}
JITTER: Final = {
    "0.8.0": "log.roll.jitter.ms must be equal or greater than 0",
    "2.8": "log.roll.jitter.ms must be greater than or equal to 0",
}
RETENTION: Final = {
    "0.8.0": "log.retention.ms must be unlimited (-1) or, equal or greater than 1",
    "2.8": "log.retention.ms must be unlimited (-1) or, greater than or equal to 1",
}
SOCKET: Final = (
    f"{FAILED}replica.socket.timeout.ms should always be at least replica.fetch.wait.max.ms"
    " to prevent unnecessary socket timeouts"
)
LAG: Final = f"{FAILED}replica.fetch.wait.max.ms should always be {{}} replica.lag.time.max.ms to prevent frequent"
WAIT, LAGGING = "replica.fetch.wait.max.ms", "replica.lag.time.max.ms"


def _no_tokens(value: Lookup, release: Release) -> str | None:
    """KRaft had no delegation tokens before KIP-900. Asked of 3.5.2."""
    keys = ("delegation.token.secret.key", "delegation.token.master.key")
    return "Delegation tokens are not supported" if any(value(name) for name in keys) else None


GROUPS: Final[tuple[Rule, ...]] = (
    *_in_order("group.consumer.heartbeat.interval.ms", "group.consumer.min.heartbeat.interval.ms",
               "group.consumer.max.heartbeat.interval.ms"),
    *_in_order("group.consumer.session.timeout.ms", "group.consumer.min.session.timeout.ms",
               "group.consumer.max.session.timeout.ms"),
    *_in_order("group.consumer.assignment.interval.ms", "group.consumer.min.assignment.interval.ms",
               "group.consumer.max.assignment.interval.ms", "4.3"),
    *_beats_in_time("consumer", "4.0"),
    *_in_order("group.share.heartbeat.interval.ms", "group.share.min.heartbeat.interval.ms",
               "group.share.max.heartbeat.interval.ms", "3.9"),
    *_in_order("group.share.session.timeout.ms", "group.share.min.session.timeout.ms",
               "group.share.max.session.timeout.ms", "3.9"),
    *_at_least("group.share.record.lock.duration.ms", "group.share.min.record.lock.duration.ms", "3.9"),
    *_at_least("group.share.max.record.lock.duration.ms", "group.share.record.lock.duration.ms", "3.9"),
    *_at_least("group.share.max.share.sessions", "group.share.max.size", "4.1"),
    *_at_least("group.share.partition.max.record.locks", "group.share.min.partition.max.record.locks", "4.3"),
    *_at_least("group.share.max.partition.max.record.locks", "group.share.partition.max.record.locks", "4.3"),
    *_at_least("group.share.delivery.count.limit", "group.share.min.delivery.count.limit", "4.3"),
    *_at_least("group.share.max.delivery.count.limit", "group.share.delivery.count.limit", "4.3"),
    *_in_order("group.share.assignment.interval.ms", "group.share.min.assignment.interval.ms",
               "group.share.max.assignment.interval.ms", "4.3"),
    *_beats_in_time("share", "4.0"),
    *_in_order("group.streams.heartbeat.interval.ms", "group.streams.min.heartbeat.interval.ms",
               "group.streams.max.heartbeat.interval.ms", "4.1"),
    *_in_order("group.streams.session.timeout.ms", "group.streams.min.session.timeout.ms",
               "group.streams.max.session.timeout.ms", "4.1"),
    *_in_order("group.streams.assignment.interval.ms", "group.streams.min.assignment.interval.ms",
               "group.streams.max.assignment.interval.ms", "4.3"),
    *_reworded("group.streams.num.standby.replicas must be less than or {} to group.streams.max.standby.replicas",
               "group.streams.num.standby.replicas", "group.streams.max.standby.replicas", "4.1"),
    *_beats_in_time("streams", "4.1"),
)  # fmt: skip
"""The rules about groups, in the order of the checks of GroupCoordinatorConfig and ShareGroupConfig. 3.5.2, 3.7.2,
3.8.1, 3.9.1, 4.0.1, 4.1.1, 4.2.1 and 4.3.1 were asked with random numbers (tests/real_kafka/bounds.py).
"""
FIRST_CHECKED: Final = "3.9"
"""From this release on groups are checked before everything else, since their configs are objects of their own."""
CODEC_OF_OFFSETS: Final = "offsets.topic.compression.codec"
UNKNOWN_ID: Final = "Unknown compression type id: {}"

RULES: Final[tuple[Rule, ...]] = (
    Rule("0.9.0", "3.5", None, _known_codec(CODEC_OF_OFFSETS, "{} is an unknown compression codec")),
    Rule("3.5", None, None, _known_codec(CODEC_OF_OFFSETS, UNKNOWN_ID)),
    Rule("4.0", None, None, _known_codec("share.coordinator.state.topic.compression.codec", UNKNOWN_ID)),
    Rule("4.0", "4.3", None, _few_updates_per_snapshot),
    *(rule for rule in GROUPS if starting(rule.since) >= starting(FIRST_CHECKED)),
    Rule("3.7", None, None, _classic_is_enabled),
    Rule("3.8", "4.0", "zk", no_new_consumer_groups),
    Rule("0.9.0", "2.1", None, _protocol_is_known),
    Rule("3.3", "4.0", "kraft", _protocol_fits_kraft),
    Rule("3.1", None, None, _one_id),
    Rule("0.9.0", None, None, connections_by_address),
    Rule("0.9.0", "4.0", "zk", _id_below_generated_ones),
    Rule("3.3", None, "kraft", _node_has_an_id),
    Rule("0.9.0", None, None, _longer_than("segment.ms", 1, ROLL)),
    Rule("0.9.0", None, None, _longer_than("segment.jitter.ms", 0, JITTER)),
    Rule("0.9.0", None, None, _longer_than("retention.ms", 1, RETENTION)),
    Rule("0.8.1", None, None, _enough_for_the_cleaner),
    Rule("0.8.1", None, None, _at_most(WAIT, "replica.socket.timeout.ms", SOCKET)),
    Rule(
        "0.9.0", "0.10.1", None,
        _at_most("message.max.bytes", "replica.fetch.max.bytes",
                 f"{FAILED}replica.fetch.max.bytes should be equal or greater than message.max.bytes"),
    ),
    Rule("0.8.1", "1.0", None, _at_most(WAIT, LAGGING, LAG.format("at least") + " changes in ISR")),
    Rule("1.0", None, None, _at_most(WAIT, LAGGING, LAG.format("less than or equal to") + " changes in ISR")),
    Rule("0.9.0", "4.0", None, _acks_of_commits),
    Rule("3.3", "4.0", "zk", no_controllers),
    Rule("3.4", "4.0", "zk", ready_to_migrate),
    Rule("0.9.0", "3.3", None, _compression_is_known),
    Rule("0.10.0", "4.0", "zk", _format_by_order, "by order"),
    Rule("0.10.0", "3.3", "kraft", _format_by_order, "by order"),
    Rule("0.10.0", "4.0", "zk", _format_by_magic, "by magic"),
    Rule("0.10.0", "3.3", "kraft", _format_by_magic, "by magic"),
    Rule("2.2", "4.0", None, _zstd_for_offsets),
    Rule("1.0", None, None, _queue_holds_a_request),
    Rule("2.0", None, None, somebody_may_connect),
    Rule("2.1", None, None, _idle_longer_than_delay),
    Rule("2.8", "3.6", "kraft", _no_tokens),
    *(rule for rule in GROUPS if starting(rule.since) < starting(FIRST_CHECKED)),
)  # fmt: skip
"""All other rules, in the order of the checks of KafkaConfig."""
