# %% [markdown]
# # Growth of sparse histograms
#
# A histogram over a huge domain gives noise to every item, seen or not. The library draws noise
# only for the items that have a count and for those that noise lifts over the threshold, so what
# it costs follows what is shown and not what is possible (Lemma 5.7 of [LMR25]).
# Here both ways are measured, on domains of a thousand to a trillion items.

# %%
import math

import pandas as pd

from dpviz import streams
from dpviz.charts.forms.lines import POINTS, Axis, Look, lines
from dpviz.charts.theme import dress
from dpviz.experiments.domain_growth import measure
from dpviz.planning.tiers import DEFAULT_TIERS

# %% [markdown]
# The four tiers of every example, most private first. Each size is drawn three times, and the
# fastest run counts; noise in every item is tried up to a million items.

# %%
budgets = [float(tier.amount) for tier in DEFAULT_TIERS]
costs = [measure(10**power, budgets, rng=lambda: streams.teaching(7)) for power in range(3, 13)]

# %% [markdown]
# Normal variates that were drawn, what the lemma allows, and what noise in every item takes.

# %%
for cost in costs:
    print(
        f"{cost.size:>17,} items: {cost.normals} drawn, {cost.lemma:,} allowed, "
        f"{cost.size * cost.rounds:,} with noise in every item"
    )

# %% [markdown]
# Time against the size of the domain. Noise in every item takes time in proportion to their
# number: beyond the largest domain on which it was tried, the dotted line follows from that.

# %%
OURS, EVERY, BEYOND = "sparse", "noise in every item", "the same, extrapolated"
tried = [cost for cost in costs if cost.dense_seconds is not None]
last = tried[-1]
seconds = {
    OURS: {cost.size: cost.seconds for cost in costs},
    EVERY: {cost.size: cost.dense_seconds for cost in tried},
    BEYOND: {
        cost.size: last.dense_seconds * cost.size / last.size
        for cost in costs
        if cost.size >= last.size
    },
}
rows = [
    (name, *point, math.nan, math.nan, "")
    for name, each in seconds.items()
    for point in each.items()
]
figure = lines(
    pd.DataFrame(rows, columns=list(POINTS)),
    what="Time against the size of the domain.",
    x=Axis(title="items possible", log=True),
    y=Axis(title="seconds", log=True),
    looks={OURS: Look(), EVERY: Look(dash="dash", width=1.5), BEYOND: Look(dash="dot", width=1.5)},
).figure
dress(figure, "light")
figure
