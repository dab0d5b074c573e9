"""Envelope, key 58, from a client: a broker passes a client's request on to the controller (KIP-590).

Behaviour: only controllers open envelopes. Brokers of early KRaft offer the API all the same and refuse: 35; others
close the connection.
Versions: 0.
"""

from fakekafka.handlers.call import Call, Outcome
from fakekafka.wire.apis.envelope import EnvelopeRequest, EnvelopeResponse


def handle(request: EnvelopeRequest, call: Call) -> EnvelopeResponse | Outcome:
    """Refuse a client that acts as a broker."""
    error = call.profile.admin.envelope
    return Outcome.CLOSE if error is None else EnvelopeResponse(error_code=error)
