"""Faults met by a producer."""

from threading import Thread
from typing import Final

from fakekafka import FakeKafka
from fakekafka.wire.apis.produce import ProduceRequest, ProduceResponse

from tests.client_faults.shown_fault import ShownFault, fault

NOT_ENOUGH_REPLICAS_AFTER_APPEND: Final = 20
HOLD: Final = 'with kafka.faults.hold("Produce", times=1) as held:\n    held.wait()'
INTERCEPT: Final = (
    "def refuse(request, answer):  # what was appended\n"
    "    answer.responses[0].partition_responses[0].error_code = 20  # NOT_ENOUGH_REPLICAS_AFTER_APPEND\n\n\n"
    'kafka.faults.intercept("Produce", refuse, nth=1)'
)


def hold_the_first(kafka: FakeKafka) -> None:
    """Hold a Produce back until it has been seen."""
    held = kafka.faults.hold("Produce", times=1)

    def release() -> None:
        with held:
            held.wait(timeout=20)

    Thread(target=release, daemon=True).start()


def refuse_what_was_appended(kafka: FakeKafka) -> None:
    def refuse(request: ProduceRequest, answer: ProduceResponse) -> None:
        answer.responses[0].partition_responses[0].error_code = NOT_ENOUGH_REPLICAS_AFTER_APPEND

    kafka.faults.intercept("Produce", refuse, nth=1)


def produce(action: str, *lines: str) -> str:
    return fault(action, 'api = "Produce"', *lines)


def refused(error: str, *, times: int = 2) -> ShownFault:
    how_often = {1: "once", 2: "twice"}[times]
    return ShownFault(
        f"Produce refused {how_often}: {error}", "sending", produce(f'fail = "{error}"', f"times = {times}")
    )


METADATA: Final = ("mislead = true", 'api = "Metadata"')

WHILE_SENDING: Final = (
    refused("NOT_LEADER_OR_FOLLOWER"),
    refused("NOT_ENOUGH_REPLICAS"),
    refused("KAFKA_STORAGE_ERROR"),
    refused("MESSAGE_TOO_LARGE", times=1),
    refused("TOPIC_AUTHORIZATION_FAILED", times=1),
    ShownFault(
        "Produce appended, and refused once: NOT_ENOUGH_REPLICAS_AFTER_APPEND",
        "sending",
        call=refuse_what_was_appended,
        said=INTERCEPT,
    ),
    *(
        ShownFault(f"Produce applied, {end}", "sending", produce(f'lose_answer = "{how}"', "nth = 1"))
        for how, end in (
            ("close", "connection closed before the answer"),
            ("reset", "connection reset before the answer"),
            ("silence", "never answered"),
        )
    ),
    ShownFault("Produce neither applied nor answered", "sending", produce("drop = true", "nth = 1")),
    ShownFault("Produce answered 400 ms late", "sending", produce("delay = 400", "times = 2")),
    ShownFault("a slow disk: Produce carried out 400 ms late", "sending", produce("delay = 400", "before = true")),
    ShownFault("Produce held until the test has seen it", "sending", call=hold_the_first, said=HOLD),
    ShownFault("Produce throttled by 400 ms, as by a quota", "sending", produce("throttle = true", "time_ms = 400")),
    ShownFault("answers in slices of one byte", "sending", fault("slice = 1")),
    ShownFault("answers with 2000 bytes a second", "sending", fault("throttle = 2000")),
    *(
        ShownFault(
            f"records damaged on their way to the broker, once: {how}",
            "sending",
            produce(f'corrupt = "{how}"', "nth = 1"),
        )
        for how in ("flip a byte", "bad crc", "cut")
    ),
    ShownFault("nobody accepts for 700 ms", "sending", fault("refuse_connections = true", "until_ms = 700")),
    ShownFault("connections are closed for 700 ms", "sending", fault('refuse_connections = "close"', "until_ms = 700")),
    ShownFault("connections are reset for 700 ms", "sending", fault('refuse_connections = "reset"', "until_ms = 700")),
    ShownFault(
        "a listener accepts and says nothing for 700 ms",
        "sending",
        fault('refuse_connections = "silence"', "until_ms = 700"),
    ),
    ShownFault("connections are closed", "sending", fault('disconnect = "close"'), midway=True),
    ShownFault("connections are reset", "sending", fault('disconnect = "reset"'), midway=True),
    ShownFault("connections are half open", "sending", fault('disconnect = "silence"'), midway=True),
    ShownFault(
        "a partition between the client and the leader for 2500 ms",
        "sending",
        fault("cut_off = true", "broker = 0", "until_ms = 2500"),
        midway=True,
        brokers=2,
    ),
    ShownFault(
        "Metadata hides the topic, twice", "sending", fault(*METADATA, "hide = true", 'topic = "orders"', "times = 2")
    ),
    ShownFault(
        "Metadata names the wrong leader, twice",
        "sending",
        fault(*METADATA, "leader = 1", "times = 2", 'topic = "orders"'),
        brokers=2,
    ),
    ShownFault("the leader moves", "sending", fault("move_leader = 1", 'topic = "orders"'), midway=True, brokers=2),
    ShownFault("every broker down for 700 ms", "sending", fault("down = true", "until_ms = 700"), midway=True),
    ShownFault("the leader down for good", "sending", fault("down = true", "broker = 0"), midway=True, brokers=2),
    ShownFault(
        "the only broker killed for 700 ms, and what it never flushed lost",
        "sending",
        fault("down = true", 'unsynced = "lost"', "until_ms = 700"),
        midway=True,
    ),
    ShownFault("disk full", "sending", fault("full_disk = 0")),
)
