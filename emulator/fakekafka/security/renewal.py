"""Whether a changed key store may take the place of another while the broker runs (SslFactory, KIP-226, KIP-978)."""

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import Final, NamedTuple, assert_never

from fakekafka.jvm.hashes import java_hash
from fakekafka.jvm.maps import buckets
from fakekafka.releases.behaviours.tls import TlsBehaviour
from fakekafka.security.certificates import AlternativeName, alternative_names, canonical_name, distinguished_name
from fakekafka.security.tls import Secured

CONFIG_EXCEPTION: Final = "org.apache.kafka.common.config.ConfigException"


class Renewal(NamedTuple):
    """What happens to a new file in the place of the old one, once the broker is notified."""

    is_noticed: bool
    takes_any: bool
    """Whether the file is taken whatever name it is for: the broker compares it with itself."""
    is_refused: bool
    """Whether a request is refused if the file is for another name."""


def renewal(rules: TlsBehaviour) -> Renewal:
    """How the release treats a new file."""
    match rules.renewed_store:
        case "not noticed":
            return Renewal(is_noticed=False, takes_any=True, is_refused=False)
        case "taken":
            return Renewal(is_noticed=True, takes_any=True, is_refused=False)
        case "refused":
            return Renewal(is_noticed=True, takes_any=False, is_refused=True)
        case "left":
            return Renewal(is_noticed=True, takes_any=False, is_refused=False)
        case rule:
            assert_never(rule)


def problem(rules: TlsBehaviour, running: Secured, changed: Secured) -> str | None:
    """Why changed stores may not take the place of the running ones, as the broker prints its exception."""
    return next(_problems(rules, running, changed), None)


def _problems(rules: TlsBehaviour, running: Secured, changed: Secured) -> Iterator[str]:
    if changed.entries and not running.entries:
        yield rules.added_key_store
    elif running.entries and not changed.entries:
        yield from [rules.removed_key_store] if rules.removed_key_store else ()
    else:
        yield from (f"{CONFIG_EXCEPTION}: {words}" for words in _differences(rules, running, changed))
    if changed.has_trust_store and not running.has_trust_store and rules.added_trust_store:
        yield rules.added_trust_store


def _differences(rules: TlsBehaviour, running: Secured, changed: Secured) -> list[str]:
    """What certificates of one store lack in the other, in the order in which the broker compares them."""
    if changed.any_name and changed.any_alternative_name:
        return []
    if len(running.entries) != len(changed.entries):
        return [rules.other_number.format(old=len(running.entries), new=len(changed.entries))]
    lacking = []
    for n, (old, new) in enumerate(zip(running.entries, changed.entries)):
        aliases = {"old_alias": old.alias, "new_alias": new.alias}
        if not changed.any_name and not _same_name(rules, old.certificate, new.certificate):
            names = {"old": distinguished_name(old.certificate), "new": distinguished_name(new.certificate)}
            lacking.append((0 if rules.names_first else n, rules.other_name.format(**aliases, **names)))
        before, after = alternative_names(old.certificate), alternative_names(new.certificate)
        fits = set(before) <= set(after) if rules.more_alternative_names else set(before) == set(after)
        if not changed.any_alternative_name and not fits:
            words = rules.other_alternative_names.format(**aliases, old=_set(before), new=_set(after))
            lacking.append((1 if rules.names_first else n, words))
    return [words for _, words in sorted(lacking, key=itemgetter(0))]


def _same_name(rules: TlsBehaviour, old: bytes, new: bytes) -> bool:
    if canonical_name(old) == canonical_name(new):
        return True
    return rules.written_names_count and distinguished_name(old).lower() == distinguished_name(new).lower()


def _set(names: Iterable[AlternativeName]) -> str:
    """Names as a HashSet of Java prints them."""
    hashed = [(31 * (31 + name.kind) + java_hash(name.text) & 0xFFFFFFFF, name) for name in dict.fromkeys(names)]
    return f"[{', '.join(f'[{name.kind}, {name.text}]' for name in buckets(hashed))}]"
