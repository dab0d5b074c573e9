"""A request as a broker prints it in the message of a refusal (RequestChannel.Request); recorded: acls.

Sockets, threads and addresses in memory are the broker's own affair: the values here only have the same form.
"""

from fakekafka.handlers.call import Call
from fakekafka.ids import ApiKey
from fakekafka.releases.behaviours.refusal_words import DESCRIBES, refusal_style, refused_by_controller
from fakekafka.security.principal import ANONYMOUS


def refused_request(call: Call) -> str:
    """The message of a release for a request that its client may not make."""
    style = refusal_style(call.profile.release)
    if refused_by_controller(call.key, call.profile.mode):
        envelope = _printed(call, str(ANONYMOUS), "CONTROLLER", "PLAINTEXT")
        inside = _printed(call, str(call.principal), "CONTROLLER", "PLAINTEXT")
        printed = inside.replace("envelope=None", f"envelope=Some({envelope})")
    else:
        printed = _printed(call, str(call.principal), call.listener, _protocol(call))
    if not style.names_operation:
        return f"Request {printed} is not authorized."
    return f"Request {printed} needs {_operation(call.key)} permission."


def _printed(call: Call, principal: str, listener: str, protocol: str) -> str:
    style = refusal_style(call.profile.release)
    local, remote = f"{call.broker.host}:{call.broker.port}", f"{call.client_host}:{call.connection_id}"
    session = f"Session({principal},/{call.client_host})"
    if not style.names_fields:
        return f"Request(0,{local}-{remote},{session},null,{call.now},ListenerName({listener}),{protocol})"
    if style.hides_session:
        session = f"org.apache.kafka.network.Session@{call.connection_id:x}"
    envelope = ", envelope=None" if style.has_envelope else ""
    return (
        f"Request(processor=0, connectionId={local}-{remote}-0, session={session}, "
        f"listenerName=ListenerName({listener}), securityProtocol={protocol}, buffer=null{envelope})"
    )


def _protocol(call: Call) -> str:
    return next((each.protocol for each in call.broker.listeners if each.name == call.listener), "PLAINTEXT")


def _operation(key: ApiKey) -> str:
    return "DESCRIBE" if key in DESCRIBES else "ALTER"
