"""Client telemetry (KIP-714): when clients may push their metrics, and what brokers know about them.

Class names: ClientMetricsManager, ClientMetricsInstance.
"""

from typing import Literal

from fakekafka.releases.behaviours.behaviour import Behaviours, history


class TelemetryBehaviour(Behaviours):
    """How brokers treat the clients whose metrics they want."""

    source_port: Literal["address", "port"] = history({"0.8.0": "address", "3.8": "port"})
    """What a pattern on client_source_port is compared with (KAFKA-15811). Recorded from 3.7.2 to 4.3.1:
    telemetry_questions."""

    asks_after_refusal: bool = history({"0.8.0": False, "4.0.1": True})
    """Whether a client whose last push was refused for its subscription id or its codec may ask again at once. Recorded
    from 3.7.0 to 4.3.1: random_telemetry."""

    ends_with_connection: bool = history({"0.8.0": False, "4.0": True})
    """Whether a client is forgotten when its connection ends. Recorded from 3.9.2 to 4.3.1: random_telemetry;
    from 3.7.2 to 4.3.1: telemetry_questions."""

    forgets_clients: bool = history({"0.8.0": False, "3.8": True})
    """Whether a client is forgotten that sends nothing for three intervals, and at least a minute (KAFKA-15813).
    Recorded from 3.7.2 to 4.3.1: telemetry_questions."""

    reads_unreceived: bool = history({"0.8.0": False, "3.8": True})
    """Whether metrics are decompressed, and refused if they cannot be, even if there is no receiver for them. Recorded
    from 3.7.0 to 4.3.1: random_telemetry."""
