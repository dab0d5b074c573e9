"""Reads that a client may not make. A file of its own: the compiled core cannot extend a named tuple."""

from fakekafka.cluster.reading import Read


class RefusedRead(Read):
    """A partition to which the client has no right. The error need not say so."""
