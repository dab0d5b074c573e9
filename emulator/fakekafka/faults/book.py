"""The rules in force, asked in order: the first that acts on a request decides what happens to it."""

from collections.abc import Callable, Sequence

from fakekafka.errors import UsageError
from fakekafka.faults.actions import Fault, Link
from fakekafka.faults.events import Event, Stage, Undo
from fakekafka.faults.match import Seen
from fakekafka.faults.rule import Rule
from fakekafka.faults.seen import names_of, seen
from fakekafka.handlers import Handler
from fakekafka.handlers.call import Call, Result
from fakekafka.ids import ApiKey, DurationMs
from fakekafka.wire.message import Request


class Book:
    """All rules of one cluster. It belongs to the thread that owns the broker.

    `elapsed_ms`: reads the broker's clock. `changed(book)` is called when the first rule comes, and `changed(None)`
    when the last one is removed.
    """

    def __init__(self, elapsed_ms: Callable[[], DurationMs], changed: "Callable[[Book | None], None]") -> None:
        self._elapsed_ms = elapsed_ms
        self._changed = changed
        self._stage: Stage | None = None  # None: no cluster is running
        self._undo: dict[Rule, Sequence[Undo]] = {}
        self.rules: list[Rule] = []
        self.past: list[Rule] = []
        """Removed rules, whose effects can still be reported."""
        self._asked: dict[ApiKey, tuple[Rule, ...]] = {}
        """The rules that are asked about requests of an API."""
        self._last: dict[ApiKey, tuple[Call, Request]] = {}
        """The last request of each API, for near misses of rules for other APIs."""

    def add(self, rule: Rule) -> None:
        """Add a rule after the others. Raises `UsageError` if it can never act, or if its event cannot happen now."""
        rule.action.check(rule.match)
        if self._stage is not None:
            rule.action.check_brokers(self._stage.brokers())
        rule.join(self._leave, self._elapsed_ms(), self._requests_from_now())
        self.rules.append(rule)
        self._tell()
        if self._stage is not None:
            self._schedule(rule, self._stage)

    def clear(self) -> None:
        """Remove every rule, and forget what past ones did."""
        for rule in list(self.rules):
            rule.remove()
        self.past.clear()
        self._last.clear()

    def _requests_from_now(self) -> Callable[[], list[Seen]]:
        before = dict(self._last)

        def since() -> list[Seen]:
            return [seen(*last) for key, last in list(self._last.items()) if last is not before.get(key)]

        return since

    def _leave(self, rule: Rule) -> None:
        self.rules.remove(rule)
        self.past.append(rule)
        self._tell()
        rule.action.end()
        for undo in self._undo.pop(rule, ()):
            undo()

    def _tell(self) -> None:
        self._asked.clear()
        self._changed(self if any(rule.action.ON_REQUESTS for rule in self.rules) else None)

    # ---- what happens at a time

    def started(self, stage: Stage) -> None:
        """Schedule the events, now that the cluster has started, possibly again."""
        self._stage = stage
        for rule in list(self.rules):
            self._schedule(rule, stage)

    def stopped(self) -> None:
        """Forget what would have to be undone: the cluster has stopped."""
        self._stage = None
        self._undo.clear()
        self._last.clear()

    def _schedule(self, rule: Rule, stage: Stage) -> None:
        event, match = rule.action, rule.match
        if not isinstance(event, Event):
            return
        age_ms = self._elapsed_ms() - rule.added_ms
        wait_ms = (match.after_ms or 0) - age_ms
        if wait_ms <= 0:
            self._happen(rule, event, stage)
        else:
            stage.after(wait_ms, lambda: self._happen_later(rule, event, stage))
        if match.until_ms is not None:
            stage.after(match.until_ms - age_ms, rule.remove)

    def _happen(self, rule: Rule, event: Event, stage: Stage) -> None:
        if rule not in self.rules or stage is not self._stage:
            return
        try:
            self._undo[rule] = event.begin(stage, rule.match, rule)
        except UsageError:
            rule.remove()
            raise
        if not event.LASTS:
            rule.remove()

    def _happen_later(self, rule: Rule, event: Event, stage: Stage) -> None:
        """Let the event happen. If it cannot, that is reported with the rule."""
        try:
            self._happen(rule, event, stage)
        except UsageError as error:
            rule.miss(str(error))

    # ---- what happens to requests

    def rule_for(self, call: Call, body: Request) -> Rule | None:
        """The rule that acts on a request, or None; the request is counted. Quick if no rule is for that API."""
        self._last[call.key] = call, body
        rules = self._asked.get(call.key)
        if rules is None:
            rules = self._asked[call.key] = tuple(each for each in self.rules if each.is_for(call.key))
        request: Seen | None = None
        for rule in rules:
            if rule.is_spent:
                continue
            if request is None:
                request = seen(call, body, self._elapsed_ms())
            if rule.acts_on(request):
                return rule
        return None

    def run(self, rule: Rule, call: Call, body: Request, handle: Handler, link: Link) -> Result:
        """Let `rule` act on a request; `handle` carries requests out."""

        def proceed(body: Request) -> Result:
            return handle(body, call)

        return rule.action.run(Fault(body, call, rule.match, names_of(call.broker), proceed, link))
