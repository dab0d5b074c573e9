"""The classes for a remote cluster have the names and arguments of the local ones, or a reason not to."""

import inspect
from typing import Any, Final, NamedTuple

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.control.journal import RequestLine
from fakekafka.faults.faults import Faults
from fakekafka.faults.interception import Held
from fakekafka.faults.rule import Rule
from fakekafka.remote import RemoteKafka
from fakekafka.remote.coroutines import RemoteAio
from fakekafka.remote.faults import RemoteFaults, RemoteHeld, RemoteRule
from fakekafka.remote.kafka import RemoteClock
from fakekafka.remote.requests import RemoteRequests
from fakekafka.server.journal import Entry
from fakekafka.watching.coroutines import Aio
from fakekafka.watching.requests import Requests


class Pair(NamedTuple):
    """A local class, and the class that stands for it remotely."""

    here: type[Any]
    there: type[Any]
    only_here: dict[str, str]
    """Names that the remote class does not have, each with the reason."""
    only_there: frozenset[str] = frozenset()


OWN_USE: Final = "called by the broker, not by tests"
ONE_PROCESS: Final = "an object of this process"
PAIRS: Final = (
    Pair(
        FakeKafka,
        RemoteKafka,
        {
            "boot": "without sockets there is nothing to reach",
            "connect": "without sockets there is nothing to reach",
            "load": "makes another cluster; restore does it in place",
            "plugins": ONE_PROCESS,
            "oauth": "keys stay where they are",
            "tls": "keys stay where they are",
            "upgrade_along": "for rehearsals, which make brokers of their own",
            "decided": "for rehearsals, which make brokers of their own",
            "counted_requests": OWN_USE,
            "wait_for_more_requests": OWN_USE,
        },
    ),
    Pair(Faults, RemoteFaults, {"intercept": ONE_PROCESS, "rules_so_far": "rules that are over are not kept there"}),
    Pair(
        Rule,
        RemoteRule,
        dict.fromkeys(("acts_on", "hit", "is_for", "is_spent", "join", "miss"), OWN_USE),
        frozenset({"switch", "hits"}),  # a local rule sets `hits` when it is made
    ),
    Pair(Held, RemoteHeld, dict.fromkeys(("is_released", "let_go", "take"), OWN_USE), frozenset({"rule", "switch"})),
    Pair(ManualClock, RemoteClock, dict.fromkeys(("attach", "detach"), OWN_USE)),
    Pair(Requests, RemoteRequests, {}),
    Pair(Aio, RemoteAio, {}),
)


def names(cls: type[Any]) -> set[str]:
    return {name for name in dir(cls) if not name.startswith("_")}


def shape(method: Any) -> list[tuple[str, Any, Any]]:
    """Names, kinds and defaults of the arguments of a method."""
    _, *others = inspect.signature(method).parameters.values()
    return [(each.name, each.kind, each.default) for each in others]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.there.__name__)
def test_every_name_exists_remotely_or_has_a_reason_not_to(pair: Pair) -> None:
    assert names(pair.here) - names(pair.there) == pair.only_here.keys()
    assert names(pair.there) - names(pair.here) == pair.only_there
    assert all(pair.only_here.values())


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.there.__name__)
def test_every_method_takes_the_same_arguments(pair: Pair) -> None:
    both = [name for name in names(pair.here) & names(pair.there) if inspect.isfunction(getattr(pair.here, name))]
    shapes = {name: (shape(getattr(pair.here, name)), shape(getattr(pair.there, name))) for name in both}
    assert {name: found for name, found in shapes.items() if found[0] != found[1]} == {}


def test_every_field_of_a_request_exists_remotely_or_has_a_reason_not_to() -> None:
    # `gist` is `about`, `ending` is in `error` and `is_over`; the other fields are objects of the broker
    there = {*RequestLine._fields, "request", "response"}
    assert names(Entry) - there == {"answered_ms", "call", "ending", "frame", "gist", "outcome", "size"}
