# %% [markdown]
# # Sharpen until it is good enough
#
# A town wants its count to within a tenth. Nobody knows beforehand how much noise that allows: it
# depends on the count. So it begins with much noise, looks, and asks for less until the noise is at
# most a tenth of the number. On one path only the last number is paid for; who starts again at
# twice the budget pays for every start. MATHEMATICS 5.13.

# %%
import numpy as np
import pandas as pd

from dpviz import FAMILIES, MultipleRelease, PrivateRule, sharpen, streams
from dpviz.charts.forms.lines import Axis, Look, lines
from dpviz.charts.theme import dress
from dpviz.experiments.doubling import DOUBLING, SHARPEN, compare, halved
from dpviz.queries import Sensitivity
from dpviz.release.sharpening import decided, outcome_loss, relative

LEVELS = halved(256.0, 10)

# %%
session = MultipleRelease([312], FAMILIES["discrete_laplace"], rng=streams.teaching(7))
found = sharpen(session, LEVELS, relative(0.1, 3.0))
print(f"stopped at {found.release[0]}, scale {found.level:g}, after {len(found.levels)} looks")
print(
    f"this outcome costs ε = {found.loss.epsilon:g}; a ledger counts ε = {found.charged.epsilon:g}"
)

# %% [markdown]
# What it saves against doubling, over 500 runs, for a count of 312 and one of 40.

# %%
for count in (312.0, 40.0):
    rng = streams.teaching(int(count))
    rows = compare([count], 256.0, 12, relative(0.1, 3.0), runs=500, rng=rng)
    paid = rows.groupby("way")["epsilon"].median()
    print(count, paid.round(3).to_dict(), f"saved: {1 - paid.iloc[0] / paid.iloc[1]:.0%}")

# %% [markdown]
# Is it more than 250? That takes far less than the number itself.

# %%
session = MultipleRelease([312], FAMILIES["discrete_laplace"], rng=streams.teaching(8))
found = sharpen(session, LEVELS, decided(250, 3.0))
print(found.release[0] > 250, found.loss.epsilon)

# %% [markdown]
# A rule that looks at the exact count is charged, as its answers tell something, too.

# %%
rule = PrivateRule(
    np.array([312]), 10.0, 0.2, sensitivity=Sensitivity.bounded(1), rng=streams.teaching(9)
)
session = MultipleRelease([312], FAMILIES["discrete_laplace"], rng=streams.teaching(9))
found = sharpen(session, LEVELS, rule)
print(found.release[0], found.loss.epsilon)

# %% [markdown]
# Gaussian noise has no such bound with certainty; it has one but for δ.

# %%
loss = outcome_loss(FAMILIES["gaussian"], 100.0, Sensitivity.bounded(1), levels=10)
print(f"ε = {loss.epsilon:.3f} but for δ = {loss.delta:g}: {loss.theorem}")

# %% [markdown]
# What half of the runs pay, by how near is near enough.

# %%
shares = (0.02, 0.05, 0.1, 0.2, 0.5)
paid = [
    {"line": way, "x": share, "y": epsilon}
    for share in shares
    for way, epsilon in compare(
        [312.0], 256.0, 14, relative(share, 3.0), runs=300, rng=streams.teaching(5)
    )
    .groupby("way")["epsilon"]
    .median()
    .items()
]
figure = lines(
    pd.DataFrame(paid),
    what="What half of the runs pay until a number is good enough.",
    x=Axis(title="noise of at most this share of the number", log=True),
    y=Axis(title="ε", log=True),
    looks={SHARPEN: Look(), DOUBLING: Look(dash="dash", width=1.5)},
).figure
dress(figure, "light")
figure
