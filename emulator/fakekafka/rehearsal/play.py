"""A whole rehearsal: every step of the path, from the beginning or from where the last run was stopped."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from fakekafka.emulator import FakeKafka
from fakekafka.rehearsal.acts import Stage
from fakekafka.rehearsal.results import ActResult, Progress, StepResult, read_progress, write_progress
from fakekafka.rehearsal.script import Script, check_brokers, check_steps
from fakekafka.releases.phases import NO_WAY_BACK, Phase, recipe
from fakekafka.upgrade.phase_keeper import config_in
from fakekafka.upgrade.steps import Step

Report: TypeAlias = Callable[[int, int, str], None]
"""Called with the number of the step that is played, the number of all steps, and its name."""
SAVED: Final = "after-step-"


def rehearse(script: Script, folder: Path, report: Report) -> Progress:
    """Play what has not been played yet. `folder`: where the state is kept.

    Raises `UsageError` for a script that cannot be played. A `KeyboardInterrupt` leaves the state as it was after the
    last whole step.
    """
    folder.mkdir(parents=True, exist_ok=True)
    progress = read_progress(folder, script.digest)
    if progress is not None and progress.ended:
        return progress
    start, path = _path(script)
    progress = progress or Progress(script.digest, len(path))
    with _cluster(script, folder, progress, path) if progress.done else start as kafka:
        stage = Stage(script, kafka)
        steps = kafka.upgrade_along(path, path[max(0, len(progress.done) - 1)])
        for number in range(len(progress.done), len(path)):
            report(number, len(path), path[number].name)
            acts = tuple(_acts(script, stage, path, number, steps[number - 1] if number else None))
            progress = _kept(folder, progress, StepResult(number, str(path[number]), acts), kafka)
            if progress.ended:
                break
    return progress


def forget(folder: Path) -> None:
    """Remove what earlier runs have left."""
    for path in (*folder.glob(f"{SAVED}*"), *folder.glob("rehearsal.json*")):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _path(script: Script) -> tuple[FakeKafka, list[Phase]]:
    """A cluster as it is before the first step, not started, and the path. Raises `UsageError`."""
    if script.directory is not None:
        kafka = FakeKafka.load(script.directory, script.start, config=script.config)
    else:
        kafka = FakeKafka(script.start, topics=script.topics, config=script.config, brokers=script.brokers)
    kafka.boot()  # the phase of a directory is known when it has been read
    phases, brokers = recipe(kafka.phase, script.to, script.via), kafka.brokers()
    kafka.stop()
    check_steps(script, phases)
    check_brokers(script, brokers)
    return kafka, phases


def _cluster(script: Script, folder: Path, progress: Progress, path: list[Phase]) -> FakeKafka:
    """The cluster as it was after the last step that was done."""
    phase = path[len(progress.done) - 1]
    assert progress.saved is not None
    return FakeKafka.load(folder / progress.saved, str(phase.release), config=config_in(phase, script.config))


def _acts(script: Script, stage: Stage, path: list[Phase], number: int, step: Step | None) -> Iterator[ActResult]:
    clients = script.clients_in(path, number)
    if step is None:
        yield from stage.begin(path[number].name, clients)
        return
    yield from stage.step(step, clients)
    if not stage.kafka.is_running or not script.back:
        return
    if path[number].final:
        yield ActResult("back", "", (), (NO_WAY_BACK,))
        return
    back = list(stage.back(step, clients))
    yield from back
    if len(back) > 1 or back[0].broke:
        yield from stage.step(step, clients, act="forward")


def _kept(folder: Path, progress: Progress, step: StepResult, kafka: FakeKafka) -> Progress:
    """The progress with one more step, saved with the brokers' files."""
    done = (*progress.done, step)
    ended = len(done) == progress.steps or not kafka.is_running
    saved = None if ended else f"{SAVED}{step.number}"
    if saved is not None:
        shutil.rmtree(folder / saved, ignore_errors=True)  # left by a run that was killed while it saved
        kafka.save(folder / saved)
    after = progress._replace(done=done, saved=saved, ended=ended)
    write_progress(folder, after)
    if progress.saved is not None:
        shutil.rmtree(folder / progress.saved, ignore_errors=True)
    return after
