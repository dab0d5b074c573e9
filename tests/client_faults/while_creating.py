"""Faults met by an administrator who creates topics."""

from typing import Final

from tests.client_faults.shown_fault import ShownFault, fault

WHILE_CREATING: Final = (
    ShownFault(
        "Metadata names the wrong controller, twice",
        "creating",
        fault("mislead = true", 'api = "Metadata"', "controller = 1", "times = 2"),
        brokers=2,
    ),
    ShownFault("the controller moves", "creating", fault("move_controller = 1"), midway=True, brokers=2),
    ShownFault(
        "CreateTopics refused once: NOT_CONTROLLER",
        "creating",
        fault('fail = "NOT_CONTROLLER"', 'api = "CreateTopics"', "times = 1"),
    ),
    ShownFault(
        "CreateTopics applied, connection closed before the answer",
        "creating",
        fault('lose_answer = "close"', 'api = "CreateTopics"', "nth = 1"),
    ),
)
