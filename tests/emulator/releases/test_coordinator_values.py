import pytest
from fakekafka.releases.coordinator_values import ValueVersions, value_versions
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release


@pytest.mark.parametrize(
    ("release", "protocol", "offset", "group"),
    [
        ("0.8.2", "", 0, 0),
        ("0.9.0", "0.9.0", 1, 0),
        ("0.10.1", "0.10.1-IV2", 1, 1),
        ("0.10.1", "0.9.0", 1, 0),
        ("2.0", "2.0", 1, 1),
        ("2.1", "2.1", 3, 2),
        ("2.1", "2.1-IV0", 2, 2),
        ("2.3", "2.0", 1, 1),
        ("2.3", "2.3", 3, 3),
        ("3.9", "0.9.0", 1, 0),
        ("3.9", "2.2", 3, 2),
        ("3.9", "3.9", 3, 3),
        ("4.0", "", 3, 3),
        ("4.1", "", 4, 3),
    ],
)
def test_a_release_writes_what_its_protocol_allows(release: str, protocol: str, offset: int, group: int) -> None:
    rules = profile(Release.parse(release)).offsets
    assert value_versions(rules, protocol) == ValueVersions(offset, group)
