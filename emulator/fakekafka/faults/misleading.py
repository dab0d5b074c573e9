"""Answers that lead clients astray: stale or missing metadata, wrong coordinators."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from fakekafka.cluster.broker import Broker
from fakekafka.errors import UsageError
from fakekafka.faults.actions import Action, Fault, on_answers
from fakekafka.faults.match import Match
from fakekafka.faults.subjects import partition_of, topic_of
from fakekafka.handlers.call import Result
from fakekafka.ids import ApiKey, BrokerId
from fakekafka.wire.message import Response, Struct

LOOK_UPS: Final = (ApiKey.METADATA, ApiKey.FIND_COORDINATOR)


@dataclass(frozen=True)
class Mislead(Action):
    """Change the answers of Metadata or FindCoordinator; the cluster itself stays unchanged.

    `hide`: the topics that the rule matches are left out of Metadata. `leader`: the broker that Metadata names as their
    leader. `controller`: the broker that it names as the controller. `coordinator`: the broker that FindCoordinator
    names, which must be running when it is asked.
    """

    NAME: ClassVar[str] = "mislead"
    hide: bool = False
    leader: BrokerId | None = None
    controller: BrokerId | None = None
    coordinator: BrokerId | None = None

    def check(self, match: Match) -> None:
        for key in match.api or (None,):
            if key not in LOOK_UPS:
                raise UsageError("mislead: name the API that lies: Metadata or FindCoordinator")
        asks_metadata = self.hide or self.leader is not None or self.controller is not None
        wrong = {ApiKey.FIND_COORDINATOR: asks_metadata, ApiKey.METADATA: self.coordinator is not None}
        if any(wrong[key] for key in match.api or ()):
            raise UsageError("mislead: coordinator= is for FindCoordinator; hide=, leader=, controller= for Metadata")
        if not asks_metadata and self.coordinator is None:
            raise UsageError("mislead: say how: hide=True, leader=, controller= or coordinator=")

    def check_brokers(self, running: Sequence[BrokerId]) -> None:
        if self.coordinator is not None and self.coordinator not in running:
            raise UsageError(
                f"mislead: coordinator={self.coordinator}: its address is not known, since it does not run;"
                f" {', '.join(map(str, running)) or 'none'} do"
            )

    def run(self, fault: Fault) -> Result:
        if fault.call.key is ApiKey.METADATA:
            return on_answers(fault.proceed(), lambda answer: self._other_metadata(fault, answer))
        broker = fault.call.broker.cluster.brokers.get(self.coordinator or 0)
        return on_answers(fault.proceed(), lambda answer: answer if broker is None else elsewhere(answer, broker))

    def _other_metadata(self, fault: Fault, answer: Response) -> Response:
        values = dict(vars(answer))
        if self.controller is not None and "controller_id" in answer.FIELDS:
            values["controller_id"] = self.controller
        topics = []
        for topic in values.get("topics") or ():
            name = topic_of(topic, "topics", fault.named)
            if name is None or not fault.match.fits(name, None):
                topics.append(topic)
            elif not self.hide:
                topics.append(self._led_elsewhere(fault, name, topic))
        return type(answer)(**(values | {"topics": topics}))

    def _led_elsewhere(self, fault: Fault, name: str, topic: Struct) -> Struct:
        if self.leader is None:
            return topic
        partitions = [
            type(each)(**(vars(each) | {"leader_id": self.leader}))
            if fault.match.fits(name, partition_of(each))
            else each
            for each in vars(topic).get("partitions", ())
        ]
        return type(topic)(**(vars(topic) | {"partitions": partitions}))


def elsewhere(answer: Response, broker: Broker) -> Response:
    """A FindCoordinator answer in which `broker` coordinates everything."""
    address = {"node_id": broker.node_id, "host": broker.host, "port": broker.port}
    values = dict(vars(answer))
    if values.get("coordinators"):
        values["coordinators"] = [type(each)(**(vars(each) | address)) for each in values["coordinators"]]
    else:
        values |= address
    return type(answer)(**values)
