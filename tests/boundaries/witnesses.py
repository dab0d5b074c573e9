"""Everything in the tree that real brokers of one release have said or left, as witnesses.

Each is named after its release, and after what it is: "2.3.1-fetch_manners" is a recording, the others name their
kind first: "2.8.2-trio: min-isr", "2.0.0-story: KAFKA-7385".
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka.bugs import Bug, Side, bug
from fakekafka.bugs.running import act
from fakekafka.releases.release import Mode, Release

from tests.boundaries.evidence import Ordered, Transcribed, Witness
from tests.emulator.security.test_between_brokers import SAID, judged
from tests.golden import pairs, trios
from tests.golden import test_refused_directories as refused_directories
from tests.golden.open_differences import open_differences
from tests.golden.pairs import Pair
from tests.golden.test_trios import OPEN as OPEN_IN_TRIOS
from tests.golden.tls import test_exchanging as exchanging
from tests.golden.tls import test_manners as manners
from tests.golden.tls.cases import QUESTIONS, manner
from tests.golden.tls.reloading import changes
from tests.golden.transcript import load, names
from tests.real_kafka.directories import parsed
from tests.real_kafka.listeners import asked as listeners
from tests.real_stories.ask import asked
from tests.real_stories.tape import RECORDINGS as STORIES
from tests.real_stories.tape import load as tapes

ORDERS: Final = (
    "produce_refusals",
    "describe_configs",
    "date_questions",
    "late_questions",
    "order_questions",
    "rights_questions",
)
"""The scenarios whose answers have lists in an order that a behaviour decides."""


def in_the_tree() -> Iterator[Witness]:
    """All of them."""
    yield from _recordings()
    yield from _orders()
    yield from _clusters()
    yield from _stories()
    yield from _answers()
    yield from _refusals()
    yield from _stores()


def _recordings() -> Iterator[Witness]:
    """They replay without a difference unless `open.toml` lists some."""
    for name in names():
        yield Transcribed(name, partial(load, name), is_equal=name not in open_differences().entries)


def _orders() -> Iterator[Witness]:
    """The recordings that show in which order brokers answer about several partitions, or list configs."""
    for name in names():
        if name.partition("-")[2] in ORDERS:
            yield Ordered(_of_kind("order", name), partial(load, name))


def _clusters() -> Iterator[Witness]:
    """Two brokers or three that replicated each other."""
    for name in pairs.names():
        pair = pairs.load(name)
        yield Witness(_of_kind("pair", name), partial(_in_a_folder, partial(_pair_differs, pair)), pair.controller)
    for name in trios.names():
        trio, differs = trios.load(name), partial(_trio_differs, name)
        yield Witness(_of_kind("trio", name), partial(_in_a_folder, differs), trio.controller)


def _pair_differs(pair: Pair, folder: Path) -> bool:
    return any(pairs.differences(pair, folder))


def _trio_differs(name: str, folder: Path) -> bool:
    known = OPEN_IN_TRIOS.get(name, ())
    return any(not found.path.startswith(known) for found in trios.differing(trios.load(name), folder))


def _stories() -> Iterator[Witness]:
    """Both sides of each bug's story that was recorded."""
    for path in sorted(STORIES.glob("*.json.xz")):
        known = bug(path.name.removesuffix(".json.xz"))
        for number, (side, steps) in enumerate(zip((known.affected, known.cured), tapes(known.id), strict=True)):
            assert side is not None
            if {step["release"] for step in steps if "release" in step} <= {None, side.release}:
                name = f"{side.release}-story: {known.id}"
                yield Witness(name, partial(_story_differs, known, side, number), _mode(side))


def _answers() -> Iterator[Witness]:
    """Whether a real broker showed a bug in its story, which was recorded elsewhere."""
    for name, answers in asked().items():
        known = bug(name)
        assert known.affected is not None
        for release, said in answers.items():
            if said != "not playable":
                side, seen = replace(known.affected, release=release), said == "seen"
                differs = partial(_answer_differs, known, side, seen)
                yield Witness(f"{release}-asked: {name}", differs, _mode(side))


def _mode(side: Side) -> Mode:
    return "zk" if "inter.broker.protocol.version" in side.config else Release.parse(side.release).default_mode


def _story_differs(known: Bug, side: Side, number: int) -> bool:
    return not act(known, side, number).as_described


def _answer_differs(known: Bug, side: Side, seen: bool) -> bool:
    return act(known, side, 0).as_described != seen


def _refusals() -> Iterator[Witness]:
    """What releases say about listeners and log directories with which they do not start."""
    for release in SAID:
        yield Witness(f"{release}-words: listeners", partial(_listeners_differ, release))
    for key in refused_directories.SAID:
        about, mode = parsed(key)
        differs = partial(_in_a_folder, partial(_directories_differ, key))
        yield Witness(f"{about}-words: directories--{mode}", differs, mode)


def _listeners_differ(release: str) -> bool:
    words: list[str] = SAID[release]
    return [judged(release, config) for config in listeners(Release.parse(release))] != words


def _directories_differ(key: str, folder: Path) -> bool:
    return bool(refused_directories.unlike(key, folder))


def _stores() -> Iterator[Witness]:
    """What clients meet at listeners with TLS, and what becomes of stores that are changed while the broker runs."""
    for release in exchanging.RECORDED:
        differs = partial(_in_a_folder, partial(_exchange_differs, release))
        yield Witness(f"{release}-tls: exchanged", differs)
    for release in manners.RECORDED:
        yield Witness(f"{release}-tls: clients", partial(_in_a_folder, partial(_clients_differ, release)))
        yield Witness(f"{release}-tls: changes", partial(_in_a_folder, partial(_changes_differ, release)))


def _exchange_differs(release: str, folder: Path) -> bool:
    real: dict[str, str] = exchanging.RECORDED[release]
    return exchanging.told(release, folder) != real


def _clients_differ(release: str, folder: Path) -> bool:
    real = manners.RECORDED[release]
    with manners.running(release, folder) as broker:
        answers = {question: ask(broker) for question, ask in QUESTIONS.items()}
    return any(
        manner(answers[question][what]) != manner(real[question][what])
        for question in answers
        for what in real[question]
    )


def _changes_differ(release: str, folder: Path) -> bool:
    with manners.running(release, folder) as broker:
        real: dict[str, Sequence[str]] = manners.RECORDED[release]["changes"]
        return changes(broker, lambda heeded: None) != real


def _of_kind(kind: str, name: str) -> str:
    release, _, rest = name.partition("-")
    return f"{release}-{kind}: {rest}"


def _in_a_folder(differs: Callable[[Path], bool]) -> bool:
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return differs(Path(folder))
