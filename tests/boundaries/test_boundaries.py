"""Between which real brokers each change of a behaviour lies: the table is complete, and its rows are true."""

from pathlib import Path

import pytest
from fakekafka.releases.release import Release, starting

from tests.boundaries.ask import questions
from tests.boundaries.changes import all_changes, supposing
from tests.boundaries.evidence import Transcribed, Witness, replayed, tells
from tests.boundaries.reach import OLDEST, is_out_of_reach, with_it, without
from tests.boundaries.survey import Search, surveyed
from tests.boundaries.table import Held, Seen, read, write
from tests.boundaries.unseen import needless, reasons, unexplained
from tests.boundaries.witnesses import in_the_tree
from tests.golden.transcript import load

CHANGES = {change.name: change for change in all_changes()}
WITNESSES = {witness.name: witness for witness in in_the_tree()}
SHOWN = (
    "connection.software_name_checked 2.4",
    "fetch.own_replica 2.4",
    "log.epochs_share_start 2.0.1",
    "log_directory.unreadable_checkpoint 1.0",
    "metadata.leaderless_epoch 2.5",
    "listeners.early_listeners 3.3",
    "tls.written_names_count 3.5",
    "topics.epoch_by_found_dead 2.3",
    "fetch.session_use_noted 2.5",
    "offsets.load_ends 2.4.1",
)
"""Changes of each kind of witness, for which the tests check again what the table says."""


def witness(seen: Seen) -> Witness:
    return WITNESSES[f"{seen.release}-{seen.recording}"]


def test_every_change_has_a_row() -> None:
    """A new change gets its row from `python -m tests.boundaries.survey AREA.FIELD`."""
    assert sorted(read()) == sorted(CHANGES)


def test_rows_lie_on_both_sides_of_their_date() -> None:
    for name, held in read().items():
        date = starting(CHANGES[name].date)
        assert held.without is None or held.without.release < date, name
        assert held.with_it is None or held.with_it.release >= date, name


def test_every_named_recording_exists() -> None:
    named = {f"{seen.release}-{seen.recording}" for held in read().values() for seen in held if seen is not None}
    assert named <= WITNESSES.keys()


def test_a_change_that_nothing_shows_has_a_reason() -> None:
    assert list(unexplained(CHANGES, read(), reasons())) == []


def test_a_change_that_is_shown_on_both_sides_or_on_none_in_principle_has_no_reason() -> None:
    assert list(needless(CHANGES, read(), reasons())) == []


def test_a_new_change_that_nothing_shows_needs_a_reason() -> None:
    name = "fetch.own_replica 2.4"
    seen = Seen(Release.parse("2.4.1"), "fetch_manners")
    unseen, one_side, both = Held(None, None), Held(None, seen), Held(seen, seen)
    assert list(unexplained(CHANGES, {name: unseen}, {})) == [name]
    assert list(unexplained(CHANGES, {name: unseen}, {name: "A race."})) == []
    assert list(unexplained(CHANGES, {name: one_side}, {})) == []
    assert list(needless(CHANGES, {name: one_side}, {name: "A race."})) == []
    assert list(needless(CHANGES, {name: both}, {name: "A race."})) == [name]
    assert list(needless(CHANGES, {}, {name: "A race."})) == [name]


def test_a_change_has_one_reason(tmp_path: Path) -> None:
    path = tmp_path / "unseen.toml"
    path.write_text('["A race"]\n"a.b 2.0" = "x"\n["A disk"]\n"a.b 2.0" = "y"\n', "utf-8")
    with pytest.raises(ValueError, match=r"two reasons for a\.b 2\.0"):
        reasons(path)


def test_releases_that_no_registry_has_show_nothing() -> None:
    assert is_out_of_reach(CHANGES["log.refuse_larger_than_segment 0.8.2"])
    assert is_out_of_reach(CHANGES["connection.checked_destination 4.4"])
    of_zookeeper = CHANGES["log.message_format 4.0"]
    assert [str(one) for one in without(of_zookeeper)][-1] == "3.9.2"
    assert with_it(of_zookeeper) == []
    own_replica = CHANGES["fetch.own_replica 2.4"]
    assert [str(one) for one in without(own_replica)][-1] == "2.3.1"
    assert next(iter(map(str, with_it(own_replica)))) == "2.4.0"


@pytest.mark.parametrize("name", SHOWN)
def test_a_recording_shows_its_side_of_a_change(name: str) -> None:
    held = read()[name]
    sides = [seen for seen in held if seen is not None]
    assert sides
    for seen in sides:
        assert tells(witness(seen), CHANGES[name])


def test_a_recording_that_does_not_ask_shows_nothing() -> None:
    change = CHANGES["connection.software_name_checked 2.4"]
    assert not tells(Transcribed("2.4.1-tour", lambda: load("2.3.1-tour"), is_equal=True), change)


def test_a_value_is_supposed_only_inside_the_block() -> None:
    change = CHANGES["connection.software_name_checked 2.4"]
    recording = load("2.4.1-handshake")
    with supposing(change.area, change.field, change.before):
        assert replayed(recording)
    assert not replayed(recording)


def test_the_nearest_recording_that_shows_the_change_is_found() -> None:
    change = CHANGES["connection.software_name_checked 2.4"]
    found = [witness(Seen(Release.parse(r), "handshake")) for r in ("2.2.2", "2.3.1", "2.4.1", "3.0.2")]
    held = surveyed(change, found, Held(None, None), Search())
    assert held.with_it == Seen(Release.parse("2.4.1"), "handshake")


def test_a_wide_change_is_asked_about_in_the_middle() -> None:
    change = CHANGES["fetch.own_replica 2.4"]
    far = Held(Seen(Release.parse("2.2.2"), "fetch_manners"), Seen(Release.parse("2.5.1"), "fetch_manners--zk"))
    ((_, question),) = questions([change], {change.name: far})
    assert Release.parse("2.2.2") < question.release < Release.parse("2.5.1")
    assert question.name == "fetch_manners--zk"
    told = Held(far.without, Seen(Release.parse("2.5.1"), "story: KAFKA-8443"))
    assert list(questions([change], {change.name: told})) == []
    near = Held(Seen(Release.parse("2.3.1"), "a"), Seen(Release.parse("2.4.0"), "a"))
    assert list(questions([change], {change.name: near})) == []


def test_a_release_that_no_registry_has_is_not_asked() -> None:
    change = next(iter(CHANGES.values()))
    old = Held(Seen(Release.parse("0.8.0"), "a"), Seen(Release.parse("0.8.2.0"), "a"))
    assert Release.parse("0.8.2.0") == OLDEST
    assert list(questions([change], {change.name: old})) == []


def test_the_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = {"a.b 2.0": Held(None, Seen(Release.parse("2.0.1"), "tour--zk")), "a.c 3.0": Held(None, None)}
    write(rows, tmp_path / "table.txt")
    assert read(tmp_path / "table.txt") == rows
