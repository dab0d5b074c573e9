"""Plots of what `time_indexes.py` measures, as SVG: the same figures give the same bytes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "fakekafka"
from matplotlib import pyplot as plt  # noqa: E402

WITHOUT_DATE: Final = {"Date": None}
PANELS: Final = (
    ("bytes of all indexes", "index_bytes"),
    ("append, µs of CPU a set", "append_us"),
    ("look-up, µs of CPU", "lookup_us"),
    ("records scanned by a look-up", "scanned"),
)


class Costs(Protocol):
    """What an index costs: the attributes that `PANELS` names."""


def plot_costs(path: Path, sides: Sequence[str], found: Mapping[str, Sequence[Costs]]) -> None:
    """A panel for each cost, with a group of bars for each workload."""
    figure, panels = plt.subplots(2, 2, figsize=(9, 6.5), layout="constrained")
    width = 0.8 / len(sides)
    for panel, (title, name) in zip(panels.flat, PANELS):
        for n, side in enumerate(sides):
            values = [float(getattr(rows[n], name)) for rows in found.values()]
            panel.bar([group + n * width for group in range(len(found))], values, width, label=side)
        panel.set_title(title, fontsize=10)
        panel.set_xticks([group + 0.4 - width / 2 for group in range(len(found))], list(found))
    figure.legend(*panels.flat[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(sides))
    figure.savefig(path, format="svg", metadata=WITHOUT_DATE)
    plt.close(figure)


def plot_sizes(path: Path, rates: Sequence[int], sizes: Mapping[str, Sequence[int]], count: int) -> None:
    """How the indexes of the same number of sets grow with the time that the sets span."""
    figure, panel = plt.subplots(figsize=(7, 4), layout="constrained")
    for side, values in sizes.items():
        panel.plot(rates, values, marker="o", label=side)
    panel.set(
        xscale="log", xlabel="sets a minute", ylabel="bytes of all indexes", title=f"{count:,} sets of ten records"
    )
    panel.set_xticks(list(rates), [str(rate) for rate in rates])
    panel.legend()
    figure.savefig(path, format="svg", metadata=WITHOUT_DATE)
    plt.close(figure)
