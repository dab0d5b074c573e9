"""Advice as text, and as plain data for JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from fakekafka.advice.steps import Claim, ClientAdvice, StepAdvice
from fakekafka.records.compression import CODEC_NAMES, NONE
from fakekafka.upgrade.plan import CONVERTED_PER_CPU_S, MIB


def _stored(codec: int) -> str:
    return "uncompressed records" if codec == NONE else CODEC_NAMES[codec]


ESTIMATE = (
    "bytes and CPU of conversions are estimates: one read of everything, in CPU time of a real 2.3.1, which converts "
    + ", ".join(f"{rate // MIB} MiB of {_stored(codec)}" for codec, rate in CONVERTED_PER_CPU_S.items())
    + " in a second of one core; it refuses zstd"
)


def as_text(steps: Sequence[StepAdvice], *, why: bool = False) -> str:
    """The advice for a person. `why`: each claim is followed by the test that shows it."""
    return "\n".join(line for step in steps for line in _step(step, why)) + f"\n\n{ESTIMATE}"


def as_data(steps: Sequence[StepAdvice]) -> list[dict[str, Any]]:
    """The advice for programs."""
    return [
        {
            "step": step.number,
            "phase": str(step.phase),
            "release": str(step.phase.release),
            "settings": step.phase.settings,
            "verdict": step.verdict,
            "first": _claims(step.first),
            "silent": _claims(step.silent),
            "final": _claims(step.final),
            "back_to": step.back_to,
            "clients": [
                {
                    "client": one.client,
                    "produce": one.outcome.produce,
                    "fetch": one.outcome.fetch,
                    "converted_bytes": one.converted,
                    "estimated_cpu_s": round(one.cpu_s, 2),
                    "breaks": _claims(one.breaks),
                }
                for one in step.clients
            ],
        }
        for step in steps
    ]


def _claims(claims: Sequence[Any]) -> list[dict[str, str]]:
    return [claim._asdict() for claim in claims]


def _step(step: StepAdvice, why: bool) -> Iterator[str]:
    yield f"\n{heading(step, step.verdict.upper())}"
    yield from _group("first:", step.first, why)
    for client in step.clients:
        yield f"   {client_line(client)}"
        yield from _group("", client.breaks, why)
    yield from _group("for good:", step.final, why)
    yield from _group("silently:", step.silent, why)
    if step.number:
        yield f"   {way_back(step)}"


def _group(name: str, claims: Sequence[Claim], why: bool) -> Iterator[str]:
    for claim in claims:
        yield f"   {name:<10} {claim.text}"
        if why:
            yield f"   {'':<10}   {claim.why}"


def heading(step: StepAdvice, verdict: str) -> str:
    """A step and its verdict; step 0 is the present state."""
    return f"{step.number}  {step.phase}: {verdict if step.number else 'where you are'}"


def way_back(step: StepAdvice) -> str:
    """How far back one can go from a step."""
    return "back: not without loss" if step.back_to == step.number else f"back: to step {step.back_to} without loss"


def client_line(client: ClientAdvice) -> str:
    """What a step means for one client."""
    cost = f", {client.converted} bytes a reader, about {client.cpu_s:.2f} s of CPU" if client.converted else ""
    return f"{client.client}: {client.outcome}{cost}"
