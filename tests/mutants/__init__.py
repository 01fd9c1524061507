"""Mistakes that are put into a copy of the library, so that the checks of the page Method fail.

Each mistake of a rule (`dpviz/scenes/rules.toml`) is one change of one file, by its name there: of
sampling and of structured topics in `draws`, of accounting in `costs`. `copies` makes such a copy
and runs the check that the page names in it; `make mutants` does so for all of them.
"""

from tests.mutants.copies import Change
from tests.mutants.costs import COSTS
from tests.mutants.draws import DRAWS

MUTANTS: dict[str, Change] = {**DRAWS, **COSTS}
