"""The order in which the maps of a coordinator give back subtopologies, topics and members."""

from collections.abc import Iterable

from fakekafka.jvm.hashes import MASK, java_hash
from fakekafka.jvm.maps import buckets


def hash_order(texts: Iterable[str]) -> list[str]:
    """Texts as a HashMap keeps them that they were put into one by one, in this order: it grows behind the twelfth."""
    known = dict.fromkeys(texts)
    return buckets([(java_hash(text) & MASK, text) for text in known], len(known) - 1)
