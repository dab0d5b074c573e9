"""principal"""

from fakekafka.wire.message import Message, boolean, field, string


class DefaultPrincipalData(Message, versions="0", flexible="0+"):
    type: string = field("0+")
    name: string = field("0+")
    token_authenticated: boolean = field("0+")
