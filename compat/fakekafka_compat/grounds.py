"""Where a cell is played: on a `FakeKafka` made for it, or on a real broker with a topic made for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_hex
from typing import Final, NamedTuple

from fakekafka import FakeKafka
from fakekafka.releases.phases import find_phase
from fakekafka.releases.release import Release
from fakekafka_spark.observations import Cell

from fakekafka_compat.against import RealBroker, WatchedLink
from fakekafka_compat.against.asking import Address
from fakekafka_compat.caps import Caps
from fakekafka_compat.logins import secured
from fakekafka_compat.lossy_link import LossyLink
from fakekafka_compat.plug_ins import ALIAS, DRAFT
from fakekafka_compat.records import PARTITIONS
from fakekafka_compat.scenarios import scenario_of
from fakekafka_compat.stage import TOPIC
from fakekafka_compat.subject import Subject

FIRST_WITH_DELAY: Final = (0, 11, 0)
"""From this release on a real broker waits three seconds for more members of a group, unless it is configured not to
(KIP-134)."""


class Ground(NamedTuple):
    """A broker with the topic of a cell."""

    kafka: Subject
    topic: str
    address: str
    """What clients connect to."""
    link: LossyLink


@contextmanager
def emulated(cell: Cell) -> Iterator[Ground]:
    """Play on a `FakeKafka`, all of which the block may use."""
    scenario = scenario_of(cell.scenario)[0]
    with LossyLink() as link, _broker(cell, link if scenario.through_link else None) as kafka:
        link.lead_to(kafka.host, kafka.port)
        if scenario.draft == DRAFT:
            kafka.plugins.register(ALIAS)
        kafka.create_topic(TOPIC, PARTITIONS, _topic_config(cell))
        yield Ground(kafka, TOPIC, link.address if scenario.through_link else kafka.bootstrap_servers, link)


@contextmanager
def real(cell: Cell, address: Address) -> Iterator[Ground]:
    """Play on a real broker, through a link. Raises what `RealBroker` raises."""
    with WatchedLink() as link:
        link.lead_to(address.host, address.port)
        kafka = RealBroker(address, cell.release, link.traffic)
        topic = f"{TOPIC}-{token_hex(4)}"
        kafka.create_topic(topic, PARTITIONS, _topic_config(cell))
        try:
            yield Ground(kafka, topic, link.address, link)
        finally:
            kafka.delete_topics()


def _topic_config(cell: Cell) -> dict[str, str]:
    own = {"message.format.version": cell.format} if cell.format else {}
    return {**own, **scenario_of(cell.scenario)[0].topic_config}


def _broker(cell: Cell, link: LossyLink | None) -> FakeKafka:
    one_phase = cell.phase if ":" in cell.phase else None
    release = find_phase(one_phase).release if one_phase else Release.parse(cell.release)
    config = {"advertised.listeners": f"PLAINTEXT://{link.address}"} if link is not None else {}
    scenario = scenario_of(cell.scenario)[0]
    brokers = scenario.brokers
    if brokers > 1:
        config |= {"default.replication.factor": str(brokers), "min.insync.replicas": str(brokers - 1)}
    if cell.scenario == "group" and release.line_number >= FIRST_WITH_DELAY:
        config["group.initial.rebalance.delay.ms"] = "0"
    return FakeKafka(
        None if one_phase else cell.release,
        phase=one_phase,
        config=config,
        brokers=brokers,
        drafts=[scenario.draft] if scenario.draft else [],
        api_versions=Caps.of(cell.scenario).api_versions,
        **secured(cell.scenario, TOPIC),
    )
