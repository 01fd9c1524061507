"""One value at every budget at once: the whole Laplace path.

- `LaplacePath`: values with Laplace noise at every ε between two, drawn once in as many draws as
  it jumps; `at(epsilon)` looks up, `steps` and `jumps` say where it rests and how often it moves,
  `relax_to` and `tighten_to` serve more budgets, `seal` erases the exact values. It stays with the
  owner of the values.
- `jump_law`: how many jumps there are between two budgets, as a law and as a draw.
- `gradual_law`: what the next release will be, given those there are: relaxed, tightened, between.
- `relax` by the owner, `tighten` and `fill_in` by anyone who holds releases: one more release.
- `gradual_correlation`: of the noise at two budgets.

In a workspace: `dpviz.workspace.gradual`.
"""

from dpviz.gradual.laws import gradual_correlation, gradual_law, jump_law
from dpviz.gradual.path import LaplacePath
from dpviz.gradual.releases import fill_in, relax, tighten

__all__ = [
    "LaplacePath",
    "fill_in",
    "gradual_correlation",
    "gradual_law",
    "jump_law",
    "relax",
    "tighten",
]
