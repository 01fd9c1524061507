# %% [markdown]
# # Your own noise: can it be lossless?
#
# Two levels of noise work together if the noisier number can be made from the sharper one alone,
# by adding independent noise: the noisier law is then a convolution of the sharper one. Here are
# the questions that `dpviz.lossless` answers, each with its proof; docs/LOSSLESS.md has the theory.

# %%
from itertools import pairwise

import pandas as pd

from dpviz.charts.falsify import (
    added_bars,
    added_frame,
    bet_bars,
    bet_frame,
    would_be_frame,
)
from dpviz.charts.forms.bar_rows import BAR_ROWS, bar_rows
from dpviz.charts.theme import dress
from dpviz.lossless import (
    decide_discrete_gaussian,
    decide_kernel,
    decide_noise,
    least_joint_loss,
    only_candidate,
    read_mechanism,
    read_noise,
)
from dpviz.palette import GREY

# %% [markdown]
# A table of chances, as one would type it: the number, its chance in the sharper noise, its chance
# in the noisier one. Rows of dots are tails: each further step multiplies by these.
# Laplace noise that is rounded to whole numbers works, at scales 1/ln 16 and 1/ln 4.

# %%
ROUNDED = """value, sharper, noisier
..., 1/16, 1/4
-1, 15/128, 3/16
0, 3/4, 1/2
1, 15/128, 3/16
..., 1/16, 1/4"""
sharper, noisier, _ = read_noise(ROUNDED)
decision = decide_noise(sharper, noisier)
print("rounded Laplace noise:", decision.verdict)
added = dress(added_bars(added_frame(decision.added)), "light")
added

# %% [markdown]
# The other way round it fails, and the witness is a chance that would have to be below 0.

# %%
turned = decide_noise(noisier, sharper)
place, chance = turned.negative
print(f"turned round: {turned.verdict}, for {place} would be added with chance {float(chance):.3g}")
chances = {x: float(each) for x, each in only_candidate(noisier, sharper).items()}
below = dress(added_bars(would_be_frame(chances)), "light")
below

# %% [markdown]
# A die of four sides does not become one of six: here the witness is a bet, which the noisier
# number wins more often than the sharper one with anything added.

# %%
DICE = "\n".join(f"{x}, {'1/4' if x <= 4 else 0}, 1/6" for x in range(1, 7))
four, six, _ = read_noise(DICE)
dice = decide_noise(four, six)
print(f"dice: {dice.verdict}; the bet wins {dice.bet.noisier} against {dice.bet.sharper}")
bet = dress(bet_bars(bet_frame(four, six, dice.bet)), "light")
bet

# %% [markdown]
# Discrete Gaussian noise works at odd multiples of its variance and at no others.

# %%
for times in (2, 3, 4, 5, "7/2"):
    print(
        f"discrete Gaussian noise, variance times {times}:",
        decide_discrete_gaussian(1, times).verdict,
    )

# %% [markdown]
# A mechanism of few outcomes is a table: a row for each data set, a chance for each outcome. It
# works if one blur, the same for all data sets, makes the noisier outcome from the sharper one.
# Randomised response does.

# %%
response = [
    read_mechanism(text, level)[0]
    for level, text in (("sharper", "7/8, 1/8\n1/8, 7/8"), ("noisier", "5/8, 3/8\n3/8, 5/8"))
]
kernel = decide_kernel(*response)
print("randomised response:", kernel.verdict)
blur = pd.DataFrame(kernel.kernel).astype(float)  # from each sharper outcome to each noisier one
blur

# %% [markdown]
# Noisy max does not: no blur makes its noisier outcome. The witness is a guess that the noisier
# outcome wins more often, and drawn together as well as can be, both cost no more than the sharper
# one alone.

# %%
exact = read_mechanism("1/2, 1/2\n7/8, 1/8\n31/32, 1/32", "sharper")[0]
noisy = read_mechanism("1/2, 1/2\n3/4, 1/4\n7/8, 1/8", "noisier")[0]
neighbours = tuple(pairwise(range(3)))
answer = decide_kernel(exact, noisy)
print(
    "noisy max:",
    answer.verdict,
    "- a guess wins",
    answer.guessing.noisier,
    "and",
    answer.guessing.sharper,
)
guess = pd.DataFrame(answer.guessing.payoffs).astype(float)  # of each data set, for each guess
guess

# %%
alone, low, high = least_joint_loss([exact, noisy], neighbours).epsilons
print(f"the sharper outcome alone: {alone:.4g}; both together: {low:.4g} to {high:.4g}")
costs = [
    ("", who, epsilon, GREY, f"ε = {epsilon:.4g}", "", "")
    for who, epsilon in (
        ("the sharper outcome alone", alone),
        ("both, drawn as well as can be", high),
    )
]
bars = bar_rows(pd.DataFrame(costs, columns=list(BAR_ROWS)), what="What both outcomes cost.")
figure = dress(bars.figure, "light")
figure
