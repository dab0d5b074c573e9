"""Reads that differ from others in what becomes of them. A file of its own: the compiled core cannot extend a named
tuple.
"""

from fakekafka.cluster.reading import Read


class UntriedRead(Read):
    """A partition that was not tried when the request came. The client had no right to it, which the error need not
    say, or it was not there.
    """


class LostRead(Read):
    """A partition that was there when the fetch began to wait, and is not any more: it failed like any other."""
