"""Stand-ins for `pyspark.sql.streaming.datasource`, which Spark 4.1 does not have: nothing uses them there."""


class ReadLimit:
    """How much a trigger may take."""


class ReadAllAvailable(ReadLimit):
    """Everything."""


class ReadMaxRows(ReadLimit):
    """A number of rows."""

    def __init__(self, max_rows: int) -> None:
        self.max_rows = max_rows


class SupportsTriggerAvailableNow:
    """A reader that is notified when such a trigger starts."""
