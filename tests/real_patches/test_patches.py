"""Every patch release from 0.8.2.0 on: a real broker answers the same short tour of requests as ours does.

Run by `tox -e real-patches`, which takes a while and some gigabytes of jars; `-- -k 2.0.0` for one release.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka, Release
from fakekafka.releases.profile import profile
from fakekafka.releases.release import all_releases

from tests.golden.canonical import canonical
from tests.golden.form import Form, Labels
from tests.real_patches.broker import running
from tests.real_patches.jars import why_not
from tests.real_patches.tour import Answer, Traveller, tour

FIRST: Final = Release.parse("0.8.2.0")
RELEASES: Final = [each for each in all_releases() if each >= FIRST and not each.provisional]
CONFIG: Final = {
    "num.partitions": "1",
    "offsets.topic.num.partitions": "1",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "auto.create.topics.enable": "true",
    "group.initial.rebalance.delay.ms": "0",
}


@pytest.mark.skipif(why_not() is not None, reason=why_not() or "")
@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_a_real_broker_of_this_patch_release_answers_as_ours(release: Release, tmp_path: Path) -> None:
    known = {name: value for name, value in CONFIG.items() if name in profile(release).broker_configs}
    with running(release, known, tmp_path) as address:
        real = forms(tour(Traveller(address, release)))
    with FakeKafka(str(release), config=known) as kafka:
        ours = forms(tour(Traveller(kafka.bootstrap_servers, release)))
    assert differences(real, ours) == []


def test_every_patch_release_is_toured() -> None:
    assert len(RELEASES) > 80
    assert str(RELEASES[0]) == "0.8.2.0"
    assert str(RELEASES[-1]) == "4.3.1"


@pytest.mark.parametrize("release", ["0.8.2.0", "0.10.0.0", "2.4.0", "4.3.1"])
def test_two_of_our_brokers_answer_the_tour_alike(release: str) -> None:
    found = []
    for _ in range(2):
        with FakeKafka(release) as kafka:
            found.append(forms(tour(Traveller(kafka.bootstrap_servers, Release.parse(release)))))
            assert not kafka.failures
    assert found[0] == found[1]
    assert len(found[0]) >= 10


def test_a_broker_that_does_not_know_its_controller_at_first_answers_alike() -> None:
    found = []
    for refusals in (0, 2):
        with FakeKafka("0.10.2.1") as kafka:
            if refusals:
                kafka.faults.fail("CreateTopics", "NOT_CONTROLLER", times=refusals)
            found.append(forms(tour(Traveller(kafka.bootstrap_servers, Release.parse("0.10.2.1")))))
    assert differences(found[0], found[1]) == []


def test_a_broker_of_another_patch_release_answers_differently() -> None:
    found = []
    for release in ("0.10.2.2", "0.11.0.0"):
        with FakeKafka(release) as kafka:
            found.append(forms(tour(Traveller(kafka.bootstrap_servers, Release.parse("0.10.2.2")))))
    assert any(place.startswith("ApiVersions") for place in differences(found[0], found[1]))


def forms(answers: Iterator[Answer]) -> dict[str, Form]:
    """The answers, without what two brokers may answer differently."""
    labels = Labels(frozen=False)
    found: dict[str, Form] = {}
    for name, version, response in answers:
        place = f"{name} {version}"
        labels.begin(place)
        found[place] = None if response is None else canonical(response, version, labels)
    return found


def differences(real: Form, ours: Form, place: str = "") -> list[str]:
    """Where two forms differ, and how."""
    if isinstance(real, dict) and isinstance(ours, dict):
        keys = [*real, *(key for key in ours if key not in real)]
        return [
            each
            for key in keys
            for each in differences(real.get(key, "(absent)"), ours.get(key, "(absent)"), f"{place}.{key}".strip("."))
        ]
    if isinstance(real, list) and isinstance(ours, list) and len(real) == len(ours):
        return [each for n, pair in enumerate(zip(real, ours)) for each in differences(*pair, f"{place}[{n}]")]
    return [] if real == ours else [f"{place}: real {real!r}, ours {ours!r}"]
