# %% [markdown]
# # Covariances in any order
#
# Several groups of readers get the same number, each with as much noise as their trust asks for,
# on whichever day they come. What must their noise have in common, so that together they learn no
# more than the best informed of them? A noisier number has to be a sharper one plus some more
# noise, which does not depend on it. Then the covariance of two numbers is the variance of the
# sharper one's noise (docs/MATHEMATICS.md, section 1.2; Lemma 3.2 of [LMR25]):
#
# $$\mathrm{Cov}(Y_l, Y_h) = \mathrm{Var}\,N(l) \qquad\text{for levels } l \le h.$$
#
# That holds for every noise, no matter who asked first. Here it is measured, and two samplers that
# get it wrong are caught.

# %%
from itertools import permutations

import numpy as np
import plotly.graph_objects as go

from dpviz import FAMILIES, MultipleRelease, streams
from dpviz.experiments.covariance import (
    check_covariances,
    levels_with_variances,
    simulate_covariances,
)
from dpviz.experiments.planted import AnotherLaw
from dpviz.experiments.simulation import IndependentReleases
from dpviz.noise import ADDITIVE

# %% [markdown]
# Laplace noise at three levels, asked for in all six orders. The exact numbers are 200,000 zeros,
# so that the releases are noise and nothing else. The formula stands first, the measurements below
# it: all six are the same matrix, but for what chance does to 200,000 draws.

# %%
laplace, levels = FAMILIES["laplace"], [1.0, 2.0, 3.0]
variances = np.array([laplace.variance(level) for level in levels])
formula = np.minimum.outer(variances, variances)
print("the formula:", *formula, sep="\n")
farthest = 0.0
for number, order in enumerate(permutations(levels)):
    session = MultipleRelease(np.zeros(200_000), laplace, rng=streams.teaching(7, number))
    noise = {level: session.release(level) for level in order}
    measured = np.cov([noise[level] for level in levels])
    farthest = max(farthest, float(np.abs(measured / formula - 1).max()))
    print(f"measured, {order[0]:g} first, then {order[1]:g}, then {order[2]:g}:")
    print(*measured.round(2), sep="\n")
print(f"farthest from the formula: {farthest:.1%}")

# %% [markdown]
# Now every noise that the library adds, at the variances 1, 4 and 9. Covariances alone would prove
# nothing of noise that is not Gaussian: they can be right while the larger steps go to the larger
# numbers. So the check compares the joint law, too, by how often two numbers are equal, how far
# they differ, and whether that depends on the sharper one. All bands together let a right sampler
# fail once in a thousand times. Each block of draws asks in an order of its own.


# %%
def checked(family, levels, *, releases=MultipleRelease, draws=60_000):
    """Measure what a sampler draws, and compare it with the formula and the joint law."""
    rng = streams.teaching(7)
    *_, sample = simulate_covariances(family, levels, draws, rng=rng, open_releases=releases)
    return check_covariances(family, levels, sample)


def said(check):
    """The verdict, and on how many comparisons it rests."""
    wrong = int(np.triu(check.outside).sum()), int(check.strange.sum())
    return f"{wrong[0]} of 6 covariances and {wrong[1]} of {len(check.events)} chances are wrong"


WANTED = (1.0, 4.0, 9.0)
at = {name: levels_with_variances(family, WANTED) for name, family in ADDITIVE.items()}
for name, family in ADDITIVE.items():
    print(f"{family.label}: {said(checked(family, at[name]))}")

# %% [markdown]
# The first sampler that is wrong draws each number independently: then they have nothing in common,
# and a reader who averages them learns more than anybody was to know.

# %%
apart = checked(laplace, at["laplace"], releases=IndependentReleases)
print("each independently:", said(apart))

# %% [markdown]
# The second is a near miss. Every covariance is right, and the steps from number to number still
# come from another noise. Only the joint law tells.

# %%
another = checked(laplace, at["laplace"], releases=AnotherLaw)
print("steps of another noise:", said(another))
unlike = another.shares[another.strange] - [
    event.chance for event, bad in zip(another.events, another.strange, strict=True) if bad
]
print(f"the largest difference of a chance: {np.abs(unlike).max():.1%}")

# %% [markdown]
# A near miss of the formula, too: for Laplace noise of levels $l \le h$ the correlation is
# $l/h$. With its square root, which is right for the variances of Gaussian noise, the check fails.

# %%
b = np.array(at["laplace"])
right = np.minimum.outer(b, b) / np.maximum.outer(b, b)
kept = checked(laplace, at["laplace"])
scale = np.sqrt(np.outer(kept.theory.diagonal(), kept.theory.diagonal()))
band, correlation = kept.half / scale, kept.sample / scale
print("l/h within its band:", bool((np.abs(correlation - right) <= band).all()))
print("its square root:", bool((np.abs(correlation - np.sqrt(right)) <= band).all()))

# %% [markdown]
# The matrix of the right sampler and, at last, that of the first wrong one: first what the formula
# says, below it what was measured; a cross where that leaves the band.


# %%
def matrix(check):
    """The covariances as a heat map, the largest darkest, with the numbers in the cells."""
    said = [
        [
            f"{wanted:.3g}<br>{found:.3g}{' ✖' * bad}"
            for wanted, found, bad in zip(*row, strict=True)
        ]
        for row in zip(check.theory, check.sample, check.outside.tolist(), strict=True)
    ]
    names = [f"level {level:.3g}" for level in b]
    cells = go.Heatmap(
        **{"x": names, "y": names, "z": check.theory, "text": said, "texttemplate": "%{text}"},
        colorscale="Greys",
        showscale=False,
        xgap=2,
        ygap=2,
    )
    return go.Figure(cells, layout={"yaxis": {"autorange": "reversed"}, "height": 360})


matrix(kept)

# %%
figure = matrix(apart)
figure
