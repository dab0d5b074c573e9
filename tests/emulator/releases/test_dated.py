import pytest
from fakekafka.errors import UsageError
from fakekafka.releases.dated import at, check
from fakekafka.releases.release import Release

COLOURS = {"0.8.0": "red", "0.10.1": "green", "2.5.1": "blue", "3.0": "green"}


@pytest.mark.parametrize(
    ("release", "colour"),
    [
        ("0.8.0", "red"),
        ("0.10.0.1", "red"),
        ("0.10.1.0", "green"),
        ("2.5.0", "green"),
        ("2.5.1", "blue"),
        ("2.8.2", "blue"),
        ("3.0.0", "green"),
        ("4.3.1", "green"),
    ],
)
def test_a_value_holds_from_its_release_on(release: str, colour: str) -> None:
    assert at(COLOURS, Release.parse(release), before=None) == colour


def test_a_given_default_holds_before_the_first_value() -> None:
    assert at({"2.3": 1}, Release.parse("2.2"), before="none") == "none"
    assert at({"2.3": 1}, Release.parse("2.3.0"), before="none") == 1


def test_a_table_in_order_passes() -> None:
    check(COLOURS, first="0.8.0")


def test_true_and_one_are_different_values() -> None:
    check({"0.8.0": 1, "0.9.0": True})


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"0.8.2": "late"},
        {"0.8.0": 1, "2.5": 2, "2.3": 3},
        {"0.8.0": 1, "2.5": 2, "2.5.0": 3},
        {"0.8.0": 1, "2.5": 1},
        {"0.8.0": 1, "2.5.9": 2},
        {"0.8.0": 1, "2.5": 2, "7.0": 3},
    ],
)
def test_an_inconsistent_table_is_refused(values: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        check(values, first="0.8.0")
