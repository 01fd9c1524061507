"""What the ways are called on the page Linear queries: by what gets the noise, in a few words."""

import re

from dpviz.accounting.guarantees import guarantee_of
from dpviz.linear.comparison import Way
from dpviz.linear.workloads import FITTED, LEAST
from dpviz.ui.linear_queries.view import View
from dpviz.words import join

DATA, ANSWERS = "noise on data", "noise on answers"
SHOWN = (LEAST, FITTED, "square root", "binary tree", DATA, ANSWERS)  # the others wait in a fold
TREE = re.compile(r"(\d+)-ary tree( ±)?")


def name_of(shown: View, way: str) -> str:
    """What gets the noise in this way, to go on a sentence after "with"."""
    one, many = shown.numbers.one, shown.numbers.many
    if way == LEAST:
        gauss = guarantee_of(shown.family).norm == "l2"
        return (
            "noise on weighted sums: best weights"
            if gauss
            else "noise on weighted sums made for Gaussian noise"
        )
    if found := TREE.fullmatch(way):
        signs = ", added and taken away" if found[2] else ""
        return f"noise on {_blocks(shown, int(found[1]))}{signs}"
    return {
        FITTED: "noise on weighted sums: weights from a search",
        DATA: "noise on the number itself"
        if shown.asked.key == "singles"
        else f"noise on each {one}, then added",
        ANSWERS: f"noise on each {shown.asked.one}",
        "square root": f"noise on weighted sums: later {many} weigh more",
        "binary tree": f"noise on {_blocks(shown, 2)}",
        "Haar wavelet": "noise on differences of halves",
    }[way]


def _blocks(shown: View, arity: int) -> str:
    """How many numbers the blocks of a tree have."""
    most = shown.asked.workload.shape[1]
    sizes = [f"{arity**power:,}" for power in range(3) if arity**power <= most]
    said = join(sizes) if len(sizes) < 3 else f"{', '.join(sizes)} …"
    return f"blocks of {said} {shown.numbers.many}"


def names(shown: View) -> dict[str, str]:
    """The ways that have a bar: few, with the one that is used and the one of least error."""
    found = shown.comparison
    kept = {*SHOWN, shown.way.name, found.best.name}
    return {way: name_of(shown, way) for way in found.ways if way in kept}


def attained(shown: View, way: Way | None = None) -> bool:
    """Whether nothing does better than a way, usually the best, by more than one in a thousand."""
    found = shown.comparison
    return found.bound is not None and found.bound > 0.999 * (way or found.best).typical


def compared(shown: View) -> Way | None:
    """The simple way that the one in use is compared with; None if there is no other."""
    ways = (shown.comparison.ways.get(name) for name in (ANSWERS, DATA))
    return next((way for way in ways if way is not None and way is not shown.way), None)
