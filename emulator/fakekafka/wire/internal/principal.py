"""The principal that a broker puts into an Envelope: int16 version | DefaultPrincipalData (KIP-590).

This is how Kafka's own DefaultKafkaPrincipalBuilder writes it; other builders may write whatever they like.
"""

from fakekafka.wire.message import Message, boolean, field, string


class DefaultPrincipalData(Message, versions="0", flexible="0+"):
    type: string = field("0+")  # "User"
    name: string = field("0+")
    token_authenticated: boolean = field("0+")  # authenticated by a delegation token
