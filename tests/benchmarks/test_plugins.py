"""The rule by which the benchmark of plug-ins judges: `tests/benchmarks/plugins.py`."""

import pytest

from tests.benchmarks.plugins import ALIAS, SIDES, Run, verdict


def run(rate: float, cpu: float) -> Run:
    return Run(1000, 1000 / rate, [1.0], cpu / 2, cpu / 2)


@pytest.mark.statement("S3-30")
@pytest.mark.parametrize(
    ("rates", "cpu", "word"),
    [
        ((9_990, 9_990, 9_990), (100, 100, 100), "confirmed"),
        ((9_990, 3_000, 3_000), (100, 500, 100), "confirmed"),  # the best run, and the median round
        ((9_990, 9_990, 9_990), (50, 50, 50), "confirmed"),  # it may be cheaper
        ((9_400, 9_300, 9_200), (100, 100, 100), "refuted"),
        ((9_990, 9_990, 9_990), (106, 104, 106), "refuted"),
    ],
)
def test_the_plugin_is_virtually_the_same_if_it_is_worse_by_5_percent_at_most(
    rates: tuple[float, ...], cpu: tuple[float, ...], word: str
) -> None:
    assert SIDES == ("snappy", ALIAS)
    found = {"snappy": [run(9_990, 100)] * 3, ALIAS: [run(*each) for each in zip(rates, cpu)]}
    assert f'"virtually the same" is {word}' in verdict(found, 10_000)


def test_a_machine_that_cannot_reach_the_rate_gives_no_verdict() -> None:
    found = {side: [run(8_000, 100)] * 3 for side in SIDES}
    assert verdict(found, 10_000).startswith("no verdict: the best rate is 8,000 of the 10,000")
    assert "confirmed" in verdict(found, 0)
