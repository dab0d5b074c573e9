"""What benchmarks compute from what they measure. Speed itself is not a test's business."""

from pathlib import Path

import pytest

from tests.benchmarks import run
from tests.benchmarks.beside_all import until_quiet
from tests.benchmarks.growth import KINDS, exponents, grown
from tests.benchmarks.last_release import ratios, worse
from tests.benchmarks.measuring import Row


def test_an_exponent_says_how_costs_grow() -> None:
    sizes = (10, 100, 1000)
    assert exponents(sizes, (1, 10, 100)) == pytest.approx([1, 1])
    assert exponents(sizes, (1, 100, 10_000)) == pytest.approx([2, 2])
    assert exponents(sizes, (5, 5, 50)) == pytest.approx([0, 1])


def test_the_steepest_step_counts() -> None:
    row = grown("units", lambda size: float(size if size < 1000 else size * 2), (10, 100, 1000), 1)
    assert row.ours == pytest.approx(1.30103)
    assert row.reached is False


@pytest.mark.parametrize("what", KINDS)
def test_each_kind_of_growth_can_be_measured_at_a_small_size(what: str) -> None:
    work, _ = KINDS[what]
    assert work(100) > 0


def test_ratios_are_kept_so_that_less_is_better() -> None:
    rows = [
        Row("start", "ms", 2.0, 1.0, 2.0),
        Row("bulk", "k/s", 50.0, 100.0, 0.5),
        Row("  CPU, broker", "s", 3.0, 2.0, 1.5),
        Row("alone", "ms", 7.0),
    ]
    assert ratios("b", rows) == {"b: start": 2.0, "b: bulk": 2.0, "b: bulk  CPU, broker": 1.5}


def test_a_ratio_that_is_worse_by_more_than_a_tenth_is_named() -> None:
    before = {"a": 1.0, "b": 1.0, "gone": 1.0}
    assert list(worse(before, {"a": 1.09, "b": 1.2, "new": 9.0})) == [
        "b: 1.20 times as much, compared with the peer, as in the last release"
    ]


def test_the_exit_status_is_1_if_a_ratio_became_worse(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "BENCHMARKS", {"one": lambda quick: [Row("start", "ms", 2.0, 1.0, 2.0)]})
    kept: dict[str, float] = {}
    monkeypatch.setattr(run, "save", kept.update)
    assert run.main(["--save"]) == 0
    assert kept == {"one: start": 2.0}
    monkeypatch.setattr(run, "saved", lambda: {"one: start": 1.0})
    monkeypatch.setattr(run, "FILE", Path(__file__))
    assert run.main(["--check"]) == 1
    assert "one: start: 2.00 times as much" in capsys.readouterr().out


def test_without_a_release_there_is_nothing_to_compare_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "FILE", Path("/nowhere"))
    with pytest.raises(SystemExit):
        run.main(["--check"])
    assert "there has been no release" in capsys.readouterr().err


def test_figures_wait_for_a_quiet_machine_but_not_for_ever() -> None:
    loads, slept = iter([3.0, 1.0, 0.1]), list[float]()
    until_quiet(lambda: next(loads), slept.append)
    assert slept == [5, 5]
    until_quiet(lambda: 9.0, slept.append, most_s=50)
    assert slept == [5] * 12
