# %% [markdown]
# # The figures of the four papers
#
# Every figure of the four papers that shows numbers, computed again by the library. The code is
# that of `make papers`, which writes them all to one page; what the papers say in numbers, and
# whether it is so, is in docs/PAPERS.md. What is measured has a public seed. No page shows these
# figures, so their code lies beside the tests, in `tests/papers`: run this in the repository's
# folder.

# %%
from tests.papers.claims import APT24, BCT20, KHP15, LMR25
from tests.papers.figures import shown

figures = {(paper, name): (note, picture) for paper, name, note, picture in shown()}
for (paper, name), (note, _) in figures.items():
    print(f"{paper}. {name}\n    {note}")

# %% [markdown]
# *Gradual Release of Sensitive Data* (Koufogiannis, Han and Pappas 2015). Figure 1: the noise as
# a process that stays, jumps, and comes to rest as the budget grows.


# %%
def picture(paper, name):
    """The figure of a paper whose name begins so."""
    (found,) = (each for (p, n), (_, each) in figures.items() if p == paper and n.startswith(name))
    return found


picture(KHP15, "Figure 1")

# %% [markdown]
# Figure 3: a second, sharper number, given the first. The spike is the chance that it is the same.

# %%
picture(KHP15, "Figure 3")

# %% [markdown]
# *Count on Your Elders* (Andersson, Pagh and Torkamani 2024). Where a tree with Laplace noise
# counts a stream more exactly than the best Gaussian noise: below the lines.

# %%
picture(APT24, "Theorem 1.2")

# %% [markdown]
# *Bounding, Concentrating, and Truncating* (Cesar and Rogers 2021). Figure 5 composes Gaussian
# rounds as if each were any private mechanism (crosses); the exact line turns its verdict round.

# %%
picture(BCT20, "Figure 5")

# %% [markdown]
# *Private Lossless Multiple Release* (Andersson, Retschmeier, Nelson and Pagh 2025), Figure 2 with
# ten releases. Lines are formulas, marks are measured on a million draws: lossless releases have
# the noise of single ones, however many there are.

# %%
figure = picture(LMR25, "Figure 2, m = 10")
figure
