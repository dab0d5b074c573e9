"""V0-IN-FETCH-V2: offsets of magic 0 wrappers in Fetch 2 are mistaken for relative ones."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, records, unit

BUG = Bug(
    id="V0-IN-FETCH-V2",
    title="offsets of magic 0 wrappers in Fetch 2 are mistaken for relative ones",
    part="compaction",
    kind="scenario",
    releases="0.10.0.0 - 2.8.2",
    clients=("librdkafka 0.9.3 - 0.9.5",),
    symptom=(
        "consumer offsets doubled; OFFSET_OUT_OF_RANGE, offset reset; committed offset larger than the log end;"
        " only with compression and log.message.format.version 0.9"
    ),
    cause=(
        "A topic that keeps format 0 returns wrappers with absolute offsets inside to Fetch 2, too. The client"
        " takes them for relative ones because of the version, and adds the wrapper's base."
    ),
    remedy="Upgrade to librdkafka 0.11.0; or log.message.format.version 0.10 once all consumers know it.",
    sources=("confluentinc/librdkafka#1192",),
    shown="by what a reader computes",
    affected=Side("0.10.2.2", config={"log.message.format.version": "0.9.0"}, reader="the version says how"),
    cured=Side("0.10.2.2", config={"log.message.format.version": "0.9.0"}, reader="the magic says how"),
    no_client="confluent-kafka for librdkafka 0.9 has no wheels, and building it needs a librdkafka of that age",
    sees={"offsets of the second set": ([6, 7, 8], [3, 4, 5])},
)


def story(play: Play) -> None:
    play.topic()
    for _ in range(2):
        play.produce(unit(0, records(), GZIP), 2)
    wrapper = play.fetch(0, 2).units[1]
    inside = [r.offset for r in wrapper.records()]
    shift = wrapper.last_offset - len(inside) + 1 if play.side.reader.startswith("the version") else 0
    play.see("offsets of the second set", [shift + offset for offset in inside])
