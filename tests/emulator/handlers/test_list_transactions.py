import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.list_transactions import ListTransactionsRequest, ListTransactionsResponse

from tests.support.brokers import answer
from tests.support.transaction_clients import TransactionalProducer, coordinator_of, pass_time, transactional


def listed(kafka: FakeKafka, version: int = 0, **filters: object) -> list[str]:
    """The ids that pass the filters."""
    return [state.transactional_id for state in response_of(kafka, version, **filters).transaction_states]


def response_of(kafka: FakeKafka, version: int = 0, **filters: object) -> ListTransactionsResponse:
    request = ListTransactionsRequest(state_filters=[], producer_id_filters=[])
    for name, value in filters.items():
        setattr(request, name, value)
    return answer(kafka, request, version, ListTransactionsResponse)


def three(release: str = "4.3") -> FakeKafka:
    """An id without a transaction, one whose transaction has been open for 100 ms, and one that has committed."""
    kafka = transactional(release)
    TransactionalProducer(kafka, "empty").initialised()
    TransactionalProducer(kafka, "open").initialised().send()
    done = TransactionalProducer(kafka, "done").initialised()
    pass_time(kafka, 100)
    done.send()
    done.end()
    return kafka


@pytest.mark.parametrize("release", ["3.0", "3.9", "4.3"])
def test_all_ids_are_listed_with_producer_and_state(release: str) -> None:
    states = response_of(three(release)).transaction_states
    assert {(s.transactional_id, s.producer_id, s.transaction_state) for s in states} == {
        ("empty", 0, "Empty"),
        ("open", 1, "Ongoing"),
        ("done", 2, "CompleteCommit"),
    }


def test_filters_by_state_name_the_unknown_ones() -> None:
    response = response_of(three(), state_filters=["Ongoing", "ongoing", "Empty", "Whatever"])
    assert {state.transactional_id for state in response.transaction_states} == {"open", "empty"}
    assert response.unknown_state_filters == ["ongoing", "Whatever"]


def test_an_unknown_state_that_is_asked_for_twice_is_named_once() -> None:
    """Asked of 3.9.2 and 4.3.1."""
    assert response_of(three(), state_filters=["No", "Whatever", "No"]).unknown_state_filters == ["No", "Whatever"]


def test_a_filter_of_unknown_states_only_lists_nothing() -> None:
    assert listed(three(), state_filters=["Whatever"]) == []


def test_transactions_must_pass_filters_by_producer_and_by_state() -> None:
    kafka = three()
    assert listed(kafka, producer_id_filters=[1, 7]) == ["open"]
    assert listed(kafka, producer_id_filters=[1], state_filters=["Empty"]) == []


@pytest.mark.parametrize(("ms", "expected"), [(-1, 3), (0, 2), (99, 2), (100, 1)])
def test_from_version_1_on_ids_are_filtered_by_age(ms: int, expected: int) -> None:
    assert len(listed(three(), 1, duration_filter=ms)) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("o.*", ["open"]),
        ("pe", []),
        ("(?i)DONE|open", ["open", "done"]),
        (None, 3),
        ("", 3),
        (r"[[:alpha:]]+\z", 3),
        (r"\Qopen\E", ["open"]),
        (r"\p{L}{4}", ["open", "done"]),
    ],
)
def test_from_version_2_on_ids_are_filtered_by_a_pattern(pattern: str | None, expected: list[str] | int) -> None:
    found = listed(three(), 2, transactional_id_pattern=pattern)
    assert (len(found) if isinstance(expected, int) else set(found)) == (
        expected if isinstance(expected, int) else set(expected)
    )


def test_an_invalid_pattern_is_refused() -> None:
    response = response_of(three(), 2, transactional_id_pattern="(")
    assert (response.error_code, response.transaction_states) == (128, [])


def test_nothing_is_listed_while_transactions_are_loaded() -> None:
    kafka = three()
    coordinator_of(kafka).loading.add(0)
    assert response_of(kafka).error_code == 14
