"""One item of a request refused: the error code and the broker's words (ApiError.java, ApiException.java)."""

from fakekafka.errors import ErrorCode, FakeKafkaError


class ApiError(FakeKafkaError):
    """The broker refuses. `message` None: it says nothing but the code."""

    def __init__(self, code: ErrorCode, message: str | None = None) -> None:
        super().__init__(code.name if message is None else message)
        self.code = code
        self.message = message
