"""Fair scheduling: counted in turns, with a clock that each turn moves."""

from fakekafka.server.turns import PERIOD_NS, Turns


class Clock:
    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


class Worker:
    """A connection with `turns` things to do, each of which takes `cost_ns`."""

    def __init__(self, name: str, clock: Clock, order: list[str], turns: int, cost_ns: int = 10) -> None:
        self.used_ns = 0
        self.period = 0
        self.is_due = False
        self._name, self._clock, self._order = name, clock, order
        self._turns, self._cost_ns = turns, cost_ns

    def take_turn(self) -> bool:
        self._order.append(self._name)
        self._clock.now_ns += self._cost_ns
        self._turns -= 1
        return self._turns > 0


def test_connections_with_much_to_do_alternate() -> None:
    clock, order = Clock(), list[str]()
    turns = Turns(clock)
    turns.add(Worker("a", clock, order, 3))
    turns.add(Worker("b", clock, order, 3))
    turns.run(1000)
    assert "".join(order) == "bababa"
    assert not turns


def test_a_new_connection_goes_before_connections_that_have_had_their_time() -> None:
    clock, order = Clock(), list[str]()
    turns = Turns(clock)
    for name in "abc":
        turns.add(Worker(name, clock, order, 100))
    turns.run(60)
    turns.add(Worker("n", clock, order, 1))
    turns.run(10)
    assert "".join(order) == "cbacban"


def test_the_newest_of_a_crowd_goes_first() -> None:
    clock, order = Clock(), list[str]()
    turns = Turns(clock)
    for name in "abc":
        turns.add(Worker(name, clock, order, 2))
    turns.run(10)
    turns.add(Worker("n", clock, order, 1))
    turns.run(1000)
    assert "".join(order) == "cnbacba"


def test_time_counts_and_not_turns() -> None:
    clock, order = Clock(), list[str]()
    turns = Turns(clock)
    turns.add(Worker("l", clock, order, 2, cost_ns=50))
    turns.add(Worker("s", clock, order, 8, cost_ns=10))
    turns.run(1000)
    assert "".join(order) == "slsssslsss"


def test_a_run_ends_when_its_time_is_used_up_but_not_before_one_turn() -> None:
    clock, order = Clock(), list[str]()
    turns = Turns(clock)
    turns.add(Worker("a", clock, order, 10))
    turns.run(25)
    assert len(order) == 3
    turns.run(1)
    assert len(order) == 4
    assert turns


def test_old_time_counts_less() -> None:
    clock, order = Clock(), list[str]()
    turns = Turns(clock)
    old = Worker("o", clock, order, 2, cost_ns=1000)
    turns.add(old)
    turns.run(1)
    assert old.used_ns == 1000
    clock.now_ns = 3 * PERIOD_NS
    turns.run(1)
    assert old.used_ns == 125 + 1000


def test_a_connection_that_is_already_due_is_not_added_twice() -> None:
    clock, order = Clock(), list[str]()
    turns = Turns(clock)
    one = Worker("a", clock, order, 1)
    turns.add(one)
    turns.add(one)
    turns.run(1000)
    assert order == ["a"]


def beside_nine_that_never_rest(one: str, times: int, clock: Clock, order: list[str]) -> tuple[Turns, Worker]:
    """A connection that has had a whole period, and others that keep the broker busy."""
    turns = Turns(clock)
    demanding = Worker(one, clock, order, times, cost_ns=PERIOD_NS)
    turns.add(demanding)
    turns.run(1)
    for name in "abcefghij":
        turns.add(Worker(name, clock, order, 10_000, cost_ns=PERIOD_NS // 100))
    turns.run(10 * PERIOD_NS)
    return turns, demanding


def test_a_connection_that_had_much_time_is_not_kept_waiting_by_many_that_never_rest() -> None:
    clock, order = Clock(), list[str]()
    beside_nine_that_never_rest("d", 2, clock, order)
    assert order.count("d") == 2


def test_time_that_a_connection_had_before_it_rested_counts_less_at_once() -> None:
    clock, order = Clock(), list[str]()
    turns, rested = beside_nine_that_never_rest("r", 1, clock, order)
    turns.add(rested)
    turns.run(PERIOD_NS // 5)
    assert order.count("r") == 2
