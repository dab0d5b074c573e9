import pytest
from fakekafka.releases.message_formats import format_is_fixed, format_of, full_name, order_of
from fakekafka.releases.protocol_versions import BY_RELEASE


@pytest.mark.parametrize(
    ("version", "magic"),
    [
        ("0.8.0", 0), ("0.9.0", 0), ("0.9.0.X", 0), ("0.9.0.1", 0),
        ("0.10.0-IV0", 1), ("0.10.0", 1), ("0.10.0.1", 1), ("0.10.2", 1), ("0.10.2-IV0", 1),
        ("0.11.0-IV0", 2), ("0.11.0", 2), ("1.0", 2), ("1.0.0", 2), ("2.8.1", 2), ("2.8-IV1", 2), ("3.9", 2),
        ("4.0-IV1", 2),
    ],
)  # fmt: skip
def test_a_version_stands_for_a_format(version: str, magic: int) -> None:
    assert format_of(version) == magic


@pytest.mark.parametrize("text", ["", "banana", "0.10", "5.0", "0.12.0", "4.0", "2.8-IV9"])
def test_a_text_that_is_not_a_version_stands_for_no_format(text: str) -> None:
    assert format_of(text) is None
    assert order_of(text) is None
    assert not format_is_fixed(text)


def test_versions_are_ordered_by_age_and_short_names_mean_the_last() -> None:
    names = [name for versions in BY_RELEASE.values() for name in versions]
    order = [order_of(name) for name in names]
    assert order == sorted(order, key=lambda n: -1 if n is None else n)
    assert len(set(order)) == len(names)
    assert order_of("2.1") == order_of("2.1-IV2")


def test_from_3_0_on_the_format_cannot_be_chosen() -> None:
    assert [format_is_fixed(v) for v in ("2.8", "3.0-IV0", "3.0-IV1", "3.0", "3.9")] == [False, False, True, True, True]


@pytest.mark.parametrize(
    ("version", "whole"),
    [("2.8", "2.8-IV1"), ("2.8.2", "2.8-IV1"), ("2.8-IV0", "2.8-IV0"), ("0.9.0.X", "0.9.0"), ("banana", "banana")],
)
def test_a_version_has_a_full_name(version: str, whole: str) -> None:
    assert full_name(version) == whole
