from itertools import pairwise

from fakekafka.releases.protocol_versions import AHEAD, BY_RELEASE, known_names
from fakekafka.releases.release import LAST_PATCH, Release, all_releases


def test_protocol_versions_are_listed_by_release_line() -> None:
    assert set(BY_RELEASE) <= set(LAST_PATCH)
    assert set(AHEAD) <= set(LAST_PATCH)


def test_a_full_name_belongs_to_one_line() -> None:
    names = [name for line in BY_RELEASE.values() for name in line]
    assert len(names) == len(set(names))


def test_a_release_knows_all_that_its_predecessors_knew() -> None:
    lines = [Release.parse(line) for line in LAST_PATCH if not line.startswith("4.")]
    for older, newer in pairwise(lines):
        forgotten = known_names(older) - known_names(newer)
        ahead = {name for names in AHEAD.values() for name in names}
        assert forgotten <= ahead, (older, newer)


def test_a_release_knows_its_own_short_name_and_none_of_the_future() -> None:
    for release in all_releases():
        if Release.parse("0.9.0.0") <= release < Release.parse("4.0.0"):
            assert release.line in known_names(release)
    assert "2.4" not in known_names(Release.parse("2.3"))
    assert "0.10.2-IV0" in known_names(Release.parse("0.10.2"))
