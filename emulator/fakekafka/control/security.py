"""Operations on what is refused for want of a right."""

from fakekafka.control.desk import Desk


def denials(desk: Desk) -> list[str]:
    """The last refusals, oldest first, each with the rule behind it and the smallest rule that would allow it."""
    return [str(denial) for denial in desk.kafka.why_denied()]
