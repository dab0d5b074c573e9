"""Three brokers answer as three real ones did, and leave the same files."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.golden import trios

PRODUCE = "0000"
"""The beginning of a request."""
SOME = "1.1.1-failover"


OPEN = {
    # The real broker stood still, metadata included: it heard of a replica only after the replica was cancelled, so it
    # deleted nothing. Here a broker that stands still only stops copying, and begins to host the replica as running
    # brokers do (as 3.9.1's did).
    "2.8.2-reassigned": ("end/broker-2/cleaner-offset-checkpoint",),
    # The recorded controller is no broker, so what is set for broker 0 alone is unknown to it. Here broker 0 decides.
    "4.0.1-enabled": ("step 3",),
    "4.3.1-reassigned": ("end/broker-2/cleaner-offset-checkpoint",),
}
"""Known differences, with the reasons."""


@pytest.mark.parametrize("name", trios.names())
def test_three_brokers_answer_and_leave_what_three_real_ones_did(name: str, tmp_path: Path) -> None:
    found = trios.differing(trios.load(name), tmp_path)
    places = OPEN.get(name, ())
    known = [difference for difference in found if difference.path.startswith(places)]
    assert all(any(found.path.startswith(place) for found in known) for place in places), "what is open has gone"
    unknown = [difference for difference in found if difference not in known]
    assert not unknown, "\n".join(map(str, unknown[:30]))


def test_an_answer_that_differs_is_found(tmp_path: Path) -> None:
    trio = trios.load(SOME)
    produced = [n for n, step in enumerate(trio.steps) if step[0] == "ask" and step[2].startswith(PRODUCE)]
    first, last, steps = produced[0], produced[-1], [*trio.steps]
    steps[first] = [*trio.steps[first][:3], trio.steps[last][3]]
    found = trios.differing(replace(trio, steps=steps), tmp_path)
    assert {difference.path.partition(":")[0] for difference in found} == {
        f"step {first}, ask of broker {steps[first][1]}"
    }


def test_a_file_that_differs_is_found(tmp_path: Path) -> None:
    trio = trios.load(SOME)
    cut = tuple(
        replace(file, content=file.content[:-1]) if file.path.endswith(".log") and file.content else file
        for file in trio.files
    )
    found = trios.differing(replace(trio, files=cut), tmp_path)
    assert found
    assert all(".log" in difference.path for difference in found)
