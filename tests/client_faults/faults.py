"""The clients, and the faults under which they are shown."""

from typing import Final

from tests.client_faults.programs import Client
from tests.client_faults.shown_fault import ShownFault
from tests.client_faults.while_committing import WHILE_COMMITTING
from tests.client_faults.while_creating import WHILE_CREATING
from tests.client_faults.while_reading import WHILE_READING
from tests.client_faults.while_sending import WHILE_SENDING
from tests.client_faults.with_aiokafka import AIOKAFKA
from tests.client_faults.with_confluent_kafka import CONFLUENT_KAFKA
from tests.client_faults.with_kafka_python import KAFKA_PYTHON

CLIENTS: Final[tuple[Client, ...]] = (KAFKA_PYTHON, CONFLUENT_KAFKA, AIOKAFKA)
FAULTS: Final[tuple[ShownFault, ...]] = (*WHILE_SENDING, *WHILE_READING, *WHILE_COMMITTING, *WHILE_CREATING)


def row_of(fault: ShownFault) -> str:
    """The name of a fault's row: some faults occur in several tables."""
    return f"{fault.during}: {fault.name}"
