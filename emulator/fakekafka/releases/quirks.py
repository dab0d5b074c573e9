"""Historic quirks on a switch: defects and manners of releases that break clients, each by its name.

A quirk is a row that says which behaviours it consists of, with the values that have it and the one that repairs it.
Which releases shipped it follows from the histories of these behaviours. By default a release has the quirks that it
shipped. A switch changes named behaviours only, so a release that never had a quirk gets it in the form of the releases
that had it, as far as the same behaviour decides there. Some rows are not defects but what every release of an era did:
switching them off is an invention, as `Quirk.off_as_in` says.

    "repaired"                 all quirks are off
    "repaired, KAFKA-9669"     all but one
    "-KAFKA-6739"              one that the release has is off
    "KAFKA-6739"               one that it does not have is on
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from fakekafka.errors import ErrorCode, UsageError
from fakekafka.releases.profile import Profile, profile
from fakekafka.releases.release import Release, all_releases, starting

AS_SHIPPED: Final = ""
REPAIRED: Final = "repaired"


class Patch(NamedTuple):
    """A behaviour that belongs to a quirk."""

    area: str
    """A field of `Profile` …"""
    field: str
    """… and a field of that."""
    shipped: tuple[Any, ...]
    """The values that have the quirk; the first is set where it is switched on."""
    repaired: Any = None
    """Set where it is switched off."""
    tells: bool = True
    """Whether a release with one of these values has the quirk."""


class Quirk(NamedTuple):
    """One row. `since` and `until` bound the releases to which it can matter; None: to the newest."""

    name: str
    effect: str
    since: str
    until: str | None
    patches: tuple[Patch, ...]

    def is_in(self, rules: Profile) -> bool:
        """Whether a broker with this profile has the quirk."""
        release = rules.release
        if release < starting(self.since) or (self.until is not None and release >= starting(self.until)):
            return False
        return any(getattr(getattr(rules, p.area), p.field) in p.shipped for p in self.patches if p.tells)

    def off_as_in(self) -> Release | None:
        """The release by which every value that "off" sets had been shipped; None if one never was, so that "off" is an
        invention.
        """
        firsts = [self._first_with(patch) for patch in self.patches]
        seen = [release for release in firsts if release is not None]
        return max(seen) if len(seen) == len(firsts) else None

    def _first_with(self, patch: Patch) -> Release | None:
        """The first release, from the quirk's first one on, that has the value which repairs it."""
        for release in all_releases():
            rules = profile(release, release.modes[0])
            if release >= starting(self.since) and getattr(getattr(rules, patch.area), patch.field) == patch.repaired:
                return release
        return None

    def shipped_in(self) -> str:
        """The releases that have it, in runs: "0.11.0.0 - 1.0.1, 1.1.0"."""
        runs: list[list[Release]] = []
        for release, has_it in ((r, self.is_in(profile(r, r.modes[0]))) for r in all_releases() if not r.provisional):
            if has_it and runs and runs[-1]:
                runs[-1].append(release)
            elif has_it:
                runs[-1:] = [[release]]
            elif not runs or runs[-1]:
                runs.append([])
        return ", ".join(f"{run[0]} - {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs if run)


QUIRKS: Final[tuple[Quirk, ...]] = (
    Quirk(
        "KAFKA-3160", "LZ4 frames must have a header checksum over too many bytes, and correct ones are refused",
        "0.8.2", "0.11.0", (Patch("append", "lz4_header", ("broken",), "by format"),),
    ),
    Quirk(
        "KAFKA-5236", "snappy blocks that the broker makes have 1 KiB, so that sets grow when it compresses them",
        "0.8.0", None, (Patch("append", "snappy_block", (1024,), 32768),),
    ),
    Quirk(
        "KAFKA-6739", "one record with a header fails every partition of a fetch that has to be converted",
        "0.11.0", "4.0", (Patch("fetch", "converted_headers", ("error",), "dropped"),),
    ),
    Quirk(
        "KAFKA-7549", "malformed batches close the connection instead of being answered with an error",
        "0.11.0", None, (
            Patch("produce", "not_one_batch", (None,), ErrorCode.CORRUPT_MESSAGE),
            Patch("produce", "malformed_batch", ("close",), "answered"),
            Patch("produce", "malformed_entry", ("close",), "answered"),
        ),
    ),
    Quirk(
        "KAFKA-9669", "compressed records whose offsets are not 0, 1, 2 …, as old sarama sends them, are refused",
        "0.11.0", None, (Patch("append", "offset_gaps", ("refused",), "rebuilt"),),
    ),
    Quirk(
        "KAFKA-9492", "a bad record in Produce 0 to 7 gives all partitions error -1, though good ones were appended",
        "0.11.0", None, (Patch("produce", "record_errors_below_8", ("fail the answer",), "left out"),),
    ),
    Quirk(
        "KAFKA-4298", "the cleaner puts messages of one format into a wrapper of another, which no client can read",
        "0.10.0", "0.11.0", (Patch("cleaner", "rebuilt_format", ("configured outside",), "as inside"),),
    ),
    Quirk(
        "KAFKA-5365", "a format 1 wrapper whose offset is below that of its last message is refused, unless it is 0",
        "0.11.0", None, (Patch("append", "wrapper_offset", ("checked",), "any"),),
    ),
    Quirk(
        "UNSUPPORTED-FORMAT-43", "idempotent producers get error 43 if the topic's format is 0 or 1",
        "0.11.0", "4.0", (Patch("append", "producer_in_old_format", ("refused",), "forgotten"),),
    ),
    Quirk(
        "FORMAT-LOWERED", "after the format was lowered, old consumers get newer units unconverted",
        "0.10.0", "4.0", (Patch("fetch", "conversion_asks", ("configured format",), "stored units"),),
    ),
    Quirk(
        "EMPTY-CONVERTED", "an old consumer is stuck at markers, which convert to nothing or come unconverted",
        "0.11.0", "4.0", (
            Patch("fetch", "nothing_converted", ("empty", "raw"), "read on"),
            Patch("fetch", "conversion", ("unit by unit",), "unit by unit", tells=False),
        ),
    ),
    Quirk(
        "KIP-283-OVERFLOW", "a short conversion is padded with a unit that looks cut off, and some clients give up",
        "0.11.0", "4.0", (
            Patch("fetch", "nothing_converted", ("filler", "nothing"), "read on"),
            Patch("fetch", "conversion", ("lazy",), "unit by unit", tells=False),
        ),
    ),
    Quirk(
        "MIXED-MAGIC", "an answer may hold records of several formats, which some clients cannot read",
        "0.10.0", None, (Patch("fetch", "formats_in_slice", ("as stored",), "one"),),
    ),
)  # fmt: skip
"""By the place in the broker: append, clean, fetch."""


def quirk(name: str) -> Quirk:
    """The quirk called `name`. Raises `UsageError` with the known names."""
    for row in QUIRKS:
        if row.name.lower() == name.lower():
            return row
    raise UsageError(f"no quirk {name!r}; there are {', '.join(row.name for row in QUIRKS)}")


def patched(rules: Profile, switches: str) -> Profile:
    """The profile with quirks switched as `switches` says, from left to right. Raises `UsageError`."""
    values: dict[tuple[str, str], object] = {}
    for word in filter(None, (word.strip() for word in switches.split(","))):
        if word == REPAIRED:
            values |= dict(pair for row in QUIRKS if row.is_in(rules) for pair in _repaired(row))
        elif word.startswith("-"):
            values |= dict(_repaired(quirk(word[1:])))
        else:
            values |= {(p.area, p.field): p.shipped[0] for p in quirk(word).patches}
    return _with(rules, values) if values else rules


def active(rules: Profile) -> list[Quirk]:
    """The quirks that a broker with this profile has."""
    return [row for row in QUIRKS if row.is_in(rules)]


def _repaired(row: Quirk) -> Iterator[tuple[tuple[str, str], object]]:
    return (((p.area, p.field), p.repaired) for p in row.patches)


def _with(rules: Profile, values: Mapping[tuple[str, str], object]) -> Profile:
    areas: dict[str, Any] = {}
    for (area, field), value in values.items():
        areas[area] = (areas.get(area) or getattr(rules, area)).with_value(field, value)
    return rules._replace(**areas)
