# %% [markdown]
# # Growth of sparse histograms
#
# A histogram over a huge domain gives noise to every item, seen or not. The library draws noise
# only for the items that have a count and for those that noise lifts over the threshold, so what
# it costs follows what is shown and not what is possible (Lemma 5.7 of [LMR25]).
# Here both ways are measured, on domains of a thousand to a trillion items.

# %%
from dpviz import streams
from dpviz.charts.sparse.growth import SECONDS, growth_chart, growth_frame
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
# Time against the size of the domain; hollow marks are extrapolated.

# %%
figure = dress(growth_chart(growth_frame(costs), SECONDS, at=10**9), "light")
figure
