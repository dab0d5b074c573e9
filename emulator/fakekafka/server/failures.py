"""Exceptions that escaped: each is a defect of this package, and is kept for the test to see."""

from collections.abc import Callable

from fakekafka.handlers.call import Call, Outcome, Result
from fakekafka.handlers.refusal import refusal
from fakekafka.wire.message import Request


class Failures(list[BaseException]):
    """Those of one cluster, oldest first."""

    def guarded(self, call: Call, body: Request, run: Callable[[], Result]) -> Result:
        """`run()`, which handles `body`. An error of the disk refuses all of it (KafkaApis.handleError); any other
        exception is kept, and closes the connection.
        """
        try:
            return run()
        except Exception as e:
            if isinstance(e, OSError) and e.errno is not None:  # without a number it is not the system's
                return refusal(body, call.version, call.broker.logs.on_disk_error(e, reading=True))
            self.append(e)
            return Outcome.CLOSE
