"""The drafts that can be requested, by name, and how each changes a cluster."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.errors import UsageError
from fakekafka.log.config import DraftTimeIndex
from fakekafka.log.drafts.wide_index import WIDE_ENTRIES
from fakekafka.releases.profile import Profile
from fakekafka.state.drafts import Drafts

if TYPE_CHECKING:
    from fakekafka.cluster.cluster import Cluster

FIRST_FREE_BITS: Final = range(8, 12)
"""Where four attribute bits may begin: bits 0 to 6 are in use, KIP-984 leaves bit 7 free, and bit 15 is the sign."""


class Draft(NamedTuple):
    """A draft, with the name under which it is requested."""

    name: str
    what: str
    """What is different with the draft."""
    real: str
    """How a real broker does it."""
    here: str
    """How the broker here does it with the draft."""
    apply: Callable[[Drafts, Mapping[str, str]], Drafts]
    """Switch it on, with its settings by name. Raises `UsageError`."""
    settings: Mapping[str, str] = {}
    """What may follow its name, `NAME:setting=value`, and what each setting means."""
    needs: str = ""
    """What the draft requires of a release, in words."""
    fits: Callable[[Profile], bool] = lambda rules: True
    """Whether a release meets these requirements."""


def _plugins(drafts: Drafts, settings: Mapping[str, str]) -> Drafts:
    text = settings.get("position", str(FIRST_FREE_BITS[0]))
    if not text.isdecimal() or int(text) not in FIRST_FREE_BITS:
        places = f"{FIRST_FREE_BITS[0]} to {FIRST_FREE_BITS[-1]}"
        raise UsageError(f"KIP-984:position={text}: the id's four attribute bits begin at bit {places}")
    return drafts._replace(plugin_id_at=int(text))


def _stamped_by_broker(drafts: Drafts, settings: Mapping[str, str]) -> Drafts:
    return drafts._replace(stamped_by_broker=True)


def _first_sets(drafts: Drafts, settings: Mapping[str, str]) -> Drafts:
    return drafts._replace(first_sets=True)


def _times_by(index: DraftTimeIndex) -> Callable[[Drafts, Mapping[str, str]], Drafts]:
    return lambda drafts, settings: drafts._replace(times_by=index)


def _atomic_offset_log(drafts: Drafts, settings: Mapping[str, str]) -> Drafts:
    return drafts._replace(atomic_offset_log=True)


DRAFTS: Final = (
    Draft(
        "KIP-984",
        "compression plug-ins",
        "not there",
        "codec 5 and an id in the attributes, registered in plugin-java-topic and others",
        _plugins,
        {"position": "the first of the attribute bits that hold a plug-in's id (8)"},
        needs="batches of format 2",
        fits=lambda rules: rules.append.era == "from 0.11",
    ),
    Draft(
        "KIP-31-draft",
        "timestamps, and new messages in old logs",
        "the client's by default; converted to format 0, and compressed again",
        "the broker's always; stored as they came",
        _stamped_by_broker,
        needs="both formats of messages and no batches",
        fits=lambda rules: rules.append.era == "from 0.10",
    ),
    Draft(
        "KIP-98-draft",
        "record batches",
        "format 2 as it was shipped",
        "message sets of KIP-98's first draft, but for internal topics",
        _first_sets,
        needs="batches of format 2",
        fits=lambda rules: rules.append.era == "from 0.11",
    ),
    Draft(
        "KIP-33-option-1",
        "the time index",
        "the largest timestamp so far for each entry of the offset index",
        "<base>.time.index, with the minutes of LogAppendTime",
        _times_by("minutes of append time"),
        needs="a time index",
        fits=lambda rules: rules.log.time_index,
    ),
    Draft(
        "KIP-33-option-2",
        "the time index",
        "the largest timestamp so far for each entry of the offset index",
        "<base>.time.index, with the first offset of each minute of CreateTime",
        _times_by("minutes of create time"),
        needs="a time index",
        fits=lambda rules: rules.log.time_index,
    ),
    Draft(
        WIDE_ENTRIES,
        "the time index",
        "the largest timestamp so far for each entry of the offset index, in a file of its own",
        "in the entries of the offset index, which are twice as large",
        _times_by("16-byte entries"),
        needs="a time index",
        fits=lambda rules: rules.log.time_index,
    ),
    Draft(
        "atomic-offset-log",
        "committed offsets",
        "in __consumer_offsets",
        'in "offset-commit-log", each commit whole or not at all',
        _atomic_offset_log,
    ),
)
"""All drafts."""


def parse_drafts(asked: Sequence[str], rules: Profile | None = None) -> Drafts:
    """Parse drafts such as "KIP-984" or "KIP-984:position=11". Raises `UsageError`.

    `rules`: the release as it is without drafts, which must have what the drafts build on; None: this has been checked.
    """
    if isinstance(asked, str):
        raise UsageError(f"drafts is a list of names: drafts=[{asked!r}]")
    drafts = Drafts()
    for text in asked:
        name, _, rest = text.partition(":")
        draft = _called(name)
        if draft.name in drafts.names:
            raise UsageError(f"draft {draft.name} is named twice")
        if rules is not None and not draft.fits(rules):
            raise UsageError(f"draft {draft.name} needs {draft.needs}, which Kafka {rules.release} does not have")
        if {"KIP-984", "KIP-98-draft"} <= {*drafts.names, draft.name}:
            raise UsageError("drafts KIP-984 and KIP-98-draft cannot be together: the first set has no room for an id")
        if drafts.times_by is not None and draft.name.startswith("KIP-33-"):
            other = next(name for name in drafts.names if name.startswith("KIP-33-"))
            raise UsageError(f"drafts {other} and {draft.name} cannot be together: a segment has one time index")
        drafts = draft.apply(drafts, _settings(draft, rest))._replace(names=(*drafts.names, draft.name))
    return drafts


def with_drafts(rules: Profile, drafts: Drafts) -> Profile:
    """A release's data with drafts applied."""
    if drafts.plugin_id_at is not None:
        rules = rules._replace(any_compression_type=True)
    if drafts.stamped_by_broker:
        log = rules.log.with_value("retention_clock", "last timestamp").with_value("roll_time", "first timestamp")
        rules = rules._replace(log=log)
    if drafts.times_by is not None:
        rules = rules._replace(log=rules.log.with_value("time_index", False))
    return rules


def drafts_of(drafts: Drafts) -> list[Draft]:
    """The drafts in force."""
    return [_called(name) for name in drafts.names]


def _called(name: str) -> Draft:
    draft = next((draft for draft in DRAFTS if draft.name == name), None)
    if draft is None:
        raise UsageError(f"no draft is called {name!r}: one of {', '.join(draft.name for draft in DRAFTS)}")
    return draft


def _settings(draft: Draft, text: str) -> dict[str, str]:
    settings = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals or name not in draft.settings:
            known = ", ".join(f"{name}=…" for name in draft.settings) or "none"
            raise UsageError(f"draft {draft.name} has no setting {part!r}; it has {known}")
        settings[name] = value
    return settings


def play(cluster: "Cluster", asked: Sequence[str]) -> None:
    """Have a new cluster play drafts, before it has any broker. Raises `UsageError`."""
    cluster.drafts = parse_drafts(asked)
    if cluster.drafts.plugin_id_at is not None:
        from fakekafka.drafts.kip_984.installation import Installation

        cluster.plugins = Installation(cluster, cluster.drafts.plugin_id_at)
