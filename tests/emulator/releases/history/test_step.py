import pytest
from fakekafka.ids import ApiKey
from fakekafka.releases.history.step import KRAFT, ZK, ApiStep, ApiTable, DoesNotFit, Versions

FETCH, PRODUCE, VOTE = ApiKey.FETCH, ApiKey.PRODUCE, ApiKey.VOTE


def table() -> ApiTable:
    """Fetch 0 to 2 in both modes, Produce 1 to 3 with ZooKeeper, and an unstable Fetch 3."""
    found = ApiTable()
    found.apply(ApiStep("KIP-1: fetch", new={FETCH: 2}))
    found.apply(ApiStep("KIP-2: produce", new={PRODUCE: 3}, only=ZK))
    found.apply(ApiStep("KIP-3: no old produce, new fetch", low={PRODUCE: 1}, unstable={FETCH: 3}))
    return found


def test_steps_add_up() -> None:
    found = table()
    assert found.ranges == {FETCH: Versions(0, 2), PRODUCE: Versions(1, 3)}
    assert found.served == {ZK: {FETCH, PRODUCE}, KRAFT: {FETCH}}
    assert found.unstable == {FETCH: 3}


def test_an_unstable_version_that_becomes_stable_is_not_unstable_any_more() -> None:
    found = table()
    found.apply(ApiStep("KIP-4", up={FETCH: 3}))
    assert found.unstable == {}
    assert found.ranges[FETCH] == Versions(0, 3)


def test_a_whole_key_can_be_unstable() -> None:
    found = table()
    found.apply(ApiStep("KIP-5", unstable={VOTE: 0}, only=KRAFT))
    assert VOTE in found.served[KRAFT]
    assert VOTE not in found.ranges
    found.apply(ApiStep("KIP-6", new={VOTE: 0}, only=KRAFT))
    assert found.ranges[VOTE] == Versions(0, 0)
    assert VOTE not in found.served[ZK]


def test_modes_gain_and_lose_keys() -> None:
    found = table()
    found.apply(ApiStep("KIP-7", joins=(PRODUCE,), only=KRAFT))
    found.apply(ApiStep("KIP-8", leaves=(PRODUCE,), only=ZK))
    assert found.served == {ZK: {FETCH}, KRAFT: {FETCH, PRODUCE}}


def test_an_oldest_version_can_come_back() -> None:
    found = table()
    found.apply(ApiStep("KAFKA-9", reopened={PRODUCE: 0}))
    assert found.ranges[PRODUCE] == Versions(0, 3)


@pytest.mark.parametrize(
    "wrong",
    [
        ApiStep("KIP-X", new={FETCH: 3}),
        ApiStep("KIP-X", up={FETCH: 4}),
        ApiStep("KIP-X", up={FETCH: 2}),
        ApiStep("KIP-X", up={VOTE: 0}),
        ApiStep("KIP-X", low={FETCH: 3}),
        ApiStep("KIP-X", low={PRODUCE: 1}),
        ApiStep("KIP-X", low={VOTE: 1}),
        ApiStep("KIP-X", reopened={FETCH: 0}),
        ApiStep("KIP-X", reopened={PRODUCE: 2}),
        ApiStep("KIP-X", reopened={VOTE: 0}),
        ApiStep("KIP-X", unstable={FETCH: 4}),
        ApiStep("KIP-X", unstable={VOTE: 1}),
        ApiStep("KIP-X", joins=(PRODUCE,), only=ZK),
        ApiStep("KIP-X", joins=(VOTE,), only=KRAFT),
        ApiStep("KIP-X", joins=(PRODUCE,)),
        ApiStep("KIP-X", leaves=(PRODUCE,), only=KRAFT),
        ApiStep("KIP-X", leaves=(FETCH,)),
    ],
    ids=str,
)
def test_a_step_that_does_not_fit_is_refused_by_its_reason(wrong: ApiStep) -> None:
    with pytest.raises(DoesNotFit, match="KIP-X"):
        table().apply(wrong)


def test_a_range_holds_both_its_ends() -> None:
    assert 1 in Versions(1, 3)
    assert 3 in Versions(1, 3)
    assert 0 not in Versions(1, 3)
    assert 4 not in Versions(1, 3)
    assert None not in Versions(1, 3)
