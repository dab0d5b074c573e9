"""What a rehearsal's file says about something that is killed."""

from collections.abc import Collection
from typing import Any, Final, Literal, NamedTuple, cast, get_args

from fakekafka.faults.match import apis
from fakekafka.ids import BrokerId
from fakekafka.rehearsal.checked_values import only, text, whole_number

ActOfStep = Literal["begin", "step", "back", "forward"]
ACTS: Final = get_args(ActOfStep)
KEYS: Final = frozenset({"during", "api", "after", "broker", "step", "act"})


class KillPart(NamedTuple):
    """A broker, or a client's process, that is killed while a client runs."""

    during: str
    """The name of that client."""
    api: str | None = None
    """The API whose requests are counted; None: requests of any API are."""
    after: int = 1
    """After how many requests, counted from the client's start, or from the previous kill."""
    broker: BrokerId | None = None
    """The broker that is killed and started again; None: the client's process is killed, and its command line is run
    again."""
    step: str | None = None
    """The name of the only step in which that happens; None: in every step."""
    act: ActOfStep | None = None
    """The only act of a step in which that happens; None: in every act."""

    @property
    def victim(self) -> str:
        """What is killed."""
        return self.during if self.broker is None else f"broker {self.broker}"

    @property
    def moment(self) -> str:
        """When it is killed, in words: "20 Produce requests"."""
        return f"{self.after} {self.api + ' ' if self.api else ''}request{'s' if self.after > 1 else ''}"


def kill_part(number: int, given: dict[str, Any], clients: Collection[str]) -> KillPart:
    """A kill as the file has it. Raises `ValueError`, `KeyError` without a client, `UsageError` for an unknown API."""
    where = f"kill {number}: "
    only(KEYS, given, where)
    if text(given["during"], "during") not in clients:
        raise ValueError(f"{where}no client {given['during']!r}; there are {', '.join(sorted(clients)) or 'none'}")
    api = None if given.get("api") is None else text(given["api"], "api")
    apis(api)
    if given.get("act") not in (None, *ACTS):
        raise ValueError(f"{where}act is one of {', '.join(ACTS)}")
    return KillPart(
        given["during"],
        api,
        whole_number(given.get("after", 1), f"{where}after"),
        None if given.get("broker") is None else whole_number(given["broker"], f"{where}broker", 0),
        None if given.get("step") is None else text(given["step"], "step"),
        cast(ActOfStep | None, given.get("act")),
    )
