"""When a rule acts: the conditions on a request, and how often and how long the rule applies."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import translate
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

from fakekafka.errors import UsageError
from fakekafka.faults.subjects import Subjects, names_groups, names_topics, names_transactions, topics_named
from fakekafka.ids import ApiKey, BrokerId, DurationMs, PartitionIndex
from fakekafka.wire.apis import request_class
from fakekafka.wire.message import Request

Predicate: TypeAlias = Callable[[Request], bool]
Apis: TypeAlias = str | int | tuple[str | int, ...] | None
"""An API by name ("Produce", "PRODUCE", "OffsetCommit") or key, several of them, or None for all."""


KINDS: Final = (
    (
        ("topic", "group", "transactional_id", "client_id", "software_name", "principal"),
        str,
        'a text, maybe with wildcards: "orders", "slow-*"',
    ),
    (
        ("version", "partition", "broker", "connection", "nth", "times", "after_ms", "until_ms", "seed"),
        int,
        "a whole number",
    ),
    (("probability",), (int, float), "a number between 0 and 1"),
)
"""The kinds of the fields of a match."""
MAY_BE_SEVERAL: Final = ("version", "broker")


@dataclass
class Seen:
    """One request as rules see it."""

    api: ApiKey
    version: int
    body: Request
    find_subjects: Callable[[], Subjects]
    """A function that finds out what the request is about, which takes a while, so only rules that need it call it."""
    client_id: str
    software_name: str
    """The name of the client's software from ApiVersions (KIP-511), or ""."""
    principal: object
    """As text: "User:alice", or "" for a broker."""
    broker: BrokerId
    connection: int
    elapsed_ms: DurationMs
    """On the broker's clock."""

    @cached_property
    def subjects(self) -> Subjects:
        """The topics, partitions, groups and transactional ids that it names."""
        return self.find_subjects()

    @cached_property
    def topics(self) -> Sequence[str]:
        """The topics that it names as text, found quickly; empty if it takes `subjects` to find them."""
        return topics_named(self.body)

    def __str__(self) -> str:
        return f"{api_name(self.api)} v{self.version} by {self.client_id!r}"


class Check(NamedTuple):
    """The check of one field of a match."""

    fits: Callable[[Seen], bool]
    """Whether a request has the right value."""
    words: Callable[[Seen], str]
    """How a request differs, as text."""


ENOUGH: Final = 2
"""The number of differences after which the search stops."""


@dataclass(frozen=True)
class Match:
    """The conditions on a request. None: anything. Texts are shell patterns: "slow-*".

    `version`: one, or the lowest and the highest. `broker`: one, or several. `nth`: only the nth request that matches
    the rest, counted from 1. `times`: how often the rule acts, at most. `after_ms`, `until_ms`: since the rule was
    added, on the broker's clock. `probability`: of acting, drawn with `seed`. `where`: called last, with the decoded
    request.
    """

    api: tuple[ApiKey, ...] | None = None
    version: int | tuple[int, int] | None = None
    topic: str | None = None
    partition: PartitionIndex | None = None
    group: str | None = None
    transactional_id: str | None = None
    client_id: str | None = None
    software_name: str | None = None
    principal: str | None = None
    broker: BrokerId | tuple[BrokerId, ...] | None = None
    connection: int | None = None
    nth: int | None = None
    times: int | None = None
    after_ms: DurationMs | None = None
    until_ms: DurationMs | None = None
    probability: float | None = None
    seed: int = 0
    where: Predicate | None = None

    def __post_init__(self) -> None:
        self._check_kinds()
        for name in ("nth", "times"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise UsageError(f"{name}={number}: it counts from 1")
        if self.probability is not None and not 0 <= self.probability <= 1:
            raise UsageError(f"probability={self.probability}: it must be between 0 and 1")
        for api in self.api or ():
            self._check_names(api)
            self._check_version(api)

    def _check_kinds(self) -> None:
        for names, kind, words in KINDS:
            for name in names:
                value = getattr(self, name)
                several = value if isinstance(value, tuple) and name in MAY_BE_SEVERAL else (value,)
                if value is not None and not all(isinstance(each, kind) and each is not True for each in several):
                    raise UsageError(f"{name}={value!r}: it is {words}")

    def _check_names(self, api: ApiKey) -> None:
        shape = request_class(api)
        for asked, can in (
            ("topic", names_topics),
            ("partition", names_topics),
            ("group", names_groups),
            ("transactional_id", names_transactions),
        ):
            if getattr(self, asked) is not None and not can(shape):
                raise UsageError(f"{api_name(api)} names no {asked.replace('_', ' ')}: leave out {asked}=")

    def _check_version(self, api: ApiKey) -> None:
        versions = request_class(api).VERSIONS
        if self.version is not None and not any(map(self.fits_version, range(versions.low, versions.high + 1))):
            raise UsageError(f"{api_name(api)} has no version {self.version}: it has {versions.low} to {versions.high}")

    @property
    def is_partial(self) -> bool:
        """Whether it applies to only some topics or partitions of a request."""
        return self.topic is not None or self.partition is not None

    def is_like(self, seen: Seen) -> bool:
        """Whether a request matches, regardless of how often and when."""
        return not self.differences(seen)

    def differences(self, seen: Seen) -> list[str]:
        """How a request differs from the conditions; two differences at most, since two are not a near miss."""
        return [check.words(seen) for check in self.differing(seen)]

    def differing(self, seen: Seen) -> list[Check]:
        """The checks that a request does not pass; two at most."""
        not_passed: list[Check] = []
        for check in self._checks:
            if not check.fits(seen):
                not_passed.append(check)
                if len(not_passed) == ENOUGH:
                    return not_passed
        if not not_passed and self.where is not None and not self.where(seen.body):
            not_passed.append(SAID_NO)
        return not_passed

    @cached_property
    def _checks(self) -> tuple[Check, ...]:
        """A check for each field that is given; those of the body come last."""
        return tuple(
            check
            for name, check in (
                ("api", Check(lambda seen: seen.api in (self.api or ()), lambda seen: f"api {api_name(seen.api)}")),
                (
                    "version",
                    Check(lambda seen: self.fits_version(seen.version), lambda seen: f"version {seen.version}"),
                ),
                ("client_id", _like("client id", self.client_id, lambda seen: (seen.client_id,))),
                ("software_name", _like("software name", self.software_name, lambda seen: (seen.software_name,))),
                ("principal", _like("principal", self.principal, lambda seen: (str(seen.principal),))),
                ("broker", Check(lambda seen: self.fits_broker(seen.broker), lambda seen: f"broker {seen.broker}")),
                (
                    "connection",
                    Check(
                        lambda seen: self.connection == seen.connection, lambda seen: f"connection {seen.connection}"
                    ),
                ),
                ("is_partial", Check(self._fits_any, lambda seen: _topics(seen.subjects))),
                ("group", _like("group", self.group, lambda seen: seen.subjects.groups)),
                (
                    "transactional_id",
                    _like("transactional id", self.transactional_id, lambda seen: seen.subjects.transactional_ids),
                ),
            )
            if getattr(self, name) not in (None, False)
        )

    def _fits_any(self, seen: Seen) -> bool:
        if self.partition is None and seen.topics:
            return any(map(self._topic_pattern, seen.topics))
        return any(self.fits(topic, partition) for topic, partition in seen.subjects.places)

    def fits_broker(self, node_id: BrokerId) -> bool:
        """Whether the rule applies to a broker."""
        return node_id in self.broker if isinstance(self.broker, tuple) else self.broker in (None, node_id)

    def fits_version(self, version: int) -> bool:
        """Whether the rule applies to a version."""
        if self.version is None:
            return True
        low, high = self.version if isinstance(self.version, tuple) else (self.version, self.version)
        return low <= version <= high

    def fits(self, topic: str, partition: PartitionIndex | None) -> bool:
        """Whether a topic, or a partition of it, matches."""
        right = self.topic is None or self._topic_pattern(topic) is not None
        return right and (self.partition is None or partition is None or partition == self.partition)

    @cached_property
    def _topic_pattern(self) -> Callable[[str], object]:
        return compiled(self.topic or "")

    def dice(self) -> random.Random | None:
        """The random source for `probability`; every rule has its own, so that a seed gives the same faults."""
        return None if self.probability is None else random.Random(self.seed)


def compiled(pattern: str) -> Callable[[str], object]:
    """A function that matches a text with a shell pattern, and returns None if it does not match."""
    return re.compile(translate(pattern)).match


def _like(what: str, pattern: str | None, texts: Callable[[Seen], tuple[str, ...]]) -> Check:
    """A check that one of the texts matches a pattern."""
    matches = compiled(pattern or "")
    return Check(
        lambda seen: any(map(matches, texts(seen))),
        lambda seen: f"{what} {', '.join(map(repr, texts(seen))) or 'not named'}",
    )


SAID_NO: Final = Check(lambda seen: False, lambda seen: "where= said no")


def _topics(subjects: Subjects) -> str:
    named = (topic if partition is None else f"{topic}-{partition}" for topic, partition in subjects.places)
    return f"topic {', '.join(named) or 'not named'}"


def api_name(key: ApiKey) -> str:
    """The API in the spelling of Kafka's documentation: "ListOffsets"."""
    return key.name.title().replace("_", "")


NAMES: Final = {api_name(key).lower(): key for key in ApiKey}


def apis(given: Apis) -> tuple[ApiKey, ...] | None:
    """The given APIs. Raises `UsageError` for a name or key that no API has."""
    if given is None:
        return None
    return tuple(_api(one) for one in (given if isinstance(given, tuple | list) else (given,)))


def _api(given: str | int) -> ApiKey:
    try:
        return ApiKey(given) if isinstance(given, int) else NAMES[given.replace("_", "").lower()]
    except (ValueError, KeyError):
        near = get_close_matches(str(given).replace("_", "").lower(), NAMES, n=3)
        hint = f": did you mean {' or '.join(api_name(NAMES[name]) for name in near)}?" if near else ""
        raise UsageError(f"there is no API {given!r}{hint}") from None


def matching(api: Apis, given: Mapping[str, Any]) -> Match:
    """The match for an API and for fields by name; `for_ms=` is `until_ms=`, counted from `after_ms`.

    Raises `UsageError` for fields that do not exist.
    """
    names = Match.__dataclass_fields__.keys() - {"api"}
    if "for_ms" in given:
        given = {"until_ms": (given.get("after_ms") or 0) + given["for_ms"], **given}
        del given["for_ms"]
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    for name in given:
        if name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f": did you mean {near[0]}=?" if near else f": it takes {', '.join(sorted(names))}"
            raise UsageError(f"a rule has no field {name!r}{hint}")
    return Match(api=apis(api), **given)
