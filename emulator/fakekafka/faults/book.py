"""The rules in force, asked in order: the first that acts on a request decides what happens to it."""

from collections.abc import Callable

from fakekafka.cluster.broker import Broker
from fakekafka.faults.actions import Fault
from fakekafka.faults.fetch_in_full import places_of_session
from fakekafka.faults.match import Seen
from fakekafka.faults.rule import Rule
from fakekafka.faults.subjects import Place, TopicNamed, subjects
from fakekafka.handlers import Handler
from fakekafka.handlers.call import Call, Result
from fakekafka.ids import ApiKey, DurationMs, TopicName, Uuid
from fakekafka.wire.message import Request


class Book:
    """All rules of one cluster. It belongs to the thread that owns the broker.

    `elapsed_ms`: reads the broker's clock. `changed(book)`: told when the first rule comes, and
    `changed(None)` when the last one goes.
    """

    def __init__(self, elapsed_ms: Callable[[], DurationMs], changed: "Callable[[Book | None], None]") -> None:
        self._elapsed_ms = elapsed_ms
        self._changed = changed
        self.rules: list[Rule] = []
        self.past: list[Rule] = []
        """Those that were removed: what they did is still told."""
        self.software_names: dict[int, str] = {}
        """What ApiVersions said, by connection."""

    def add(self, rule: Rule) -> None:
        """Put a rule behind the others."""
        rule.action.check(rule.match)
        rule.join(self._leave, self._elapsed_ms())
        self.rules.append(rule)
        self._changed(self if self.rules else None)

    def clear(self) -> None:
        """Remove every rule, and forget what past ones did."""
        for rule in list(self.rules):
            rule.remove()
        self.past.clear()

    def _leave(self, rule: Rule) -> None:
        self.rules.remove(rule)
        self.past.append(rule)
        self._changed(self if self.rules else None)
        rule.action.end()

    def intervene(self, call: Call, body: Request, handle: Handler) -> "tuple[str, Callable[[], Result]] | None":
        """The rule that acts on a request, as text, and what is done instead of `handle`; None: no rule does."""
        rule = self.rule_for(call, body)
        if rule is None:
            return None
        return str(rule), lambda: self.run(rule, call, body, lambda changed: handle(changed, call))

    def rule_for(self, call: Call, body: Request) -> Rule | None:
        """The rule that acts on a request, or None. It is counted."""
        seen = self._seen(call, body)
        return next((rule for rule in self.rules if rule.acts_on(seen)), None)

    def run(self, rule: Rule, call: Call, body: Request, handle: "Callable[[Request], Result]") -> Result:
        """What becomes of a request on which `rule` acts."""
        return rule.action.run(Fault(body, call, rule.match, names_of(call.broker), handle))

    def _seen(self, call: Call, body: Request) -> Seen:
        named = names_of(call.broker)
        found = subjects(body, named)
        if not found.places:
            found = found._replace(places=tuple(_unnamed(call, body)))
        return Seen(
            call.key,
            call.version,
            body,
            found,
            call.client_id or "",
            self.software_names.get(call.connection_id, ""),
            "" if call.principal is None else str(call.principal),
            call.broker.node_id,
            call.connection_id,
            self._elapsed_ms(),
        )


def _unnamed(call: Call, body: Request) -> list[Place]:
    """What a request is about that names no topic: those of its fetch session, or all that there are."""
    if call.key is ApiKey.FETCH:
        return places_of_session(call.broker, body)
    topics = vars(body).get("topics", ())
    asks_for_all = topics is None or (call.key is ApiKey.METADATA and call.version == 0)
    return [Place(name, None) for name in call.broker.cluster.topics] if asks_for_all else []


def names_of(broker: Broker) -> TopicNamed:
    """How the topics of a broker's cluster are called, by their ids."""

    def named(topic_id: Uuid) -> TopicName | None:
        topic = broker.cluster.topics_by_id.get(topic_id)
        return None if topic is None else topic.name

    return named
