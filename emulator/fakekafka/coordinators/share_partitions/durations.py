"""Durations as configs write them: "PT2H30M", "P1DT0.5S" (ISO 8601 as java.time.Duration reads it)."""

from fakekafka.ids import DurationMs

UNITS_MS = {"d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000}


def duration_ms(text: str) -> DurationMs:
    """The length of a duration that the config's check has accepted; less than a millisecond is dropped."""
    total, number = 0.0, ""
    for letter in text.lower().replace(",", "."):
        if letter in UNITS_MS:
            total += float(number) * UNITS_MS[letter]
            number = ""
        elif letter.isdigit() or letter == ".":
            number += letter
    return int(total)
