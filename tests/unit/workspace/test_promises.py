"""What is promised, in words: δ is no chance of a broken promise, and no text says that it is."""

import math
import re
from pathlib import Path

import pytest

from dpviz.accounting import gaussian_epsilon
from dpviz.charts.crossover.map import DELTA_AXIS
from dpviz.parameters import DELTA_MEANING
from dpviz.workspace.facts import DEFINITION_WORDS

ROOT = Path(__file__).resolve().parents[3]
TEXTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "dpviz" / "NOTATION.md",
    *sorted((ROOT / "dpviz").rglob("*.py")),
    *sorted((ROOT / "pages").glob("*.py")),
]
# δ as the chance that something fails, in any of the ways it was written.
FALSE_OF_DELTA = re.compile(
    r"(promise|protection|guarantee|budget)( ε| epsilon)? (may )?fails?\b(?! alone)"
    r"|fails? with( a chance| probability)?( of)? (δ|delta)"
    r"|(δ|delta)[^.|]{0,60}chance (that|of)|chance (δ|delta)|except with a chance"
    r"|(δ|delta)[^.]{0,20}this chance",
    re.IGNORECASE,
)


def joined(file):
    """The text of a file, with the pieces of string literals put together."""
    text = file.read_text(encoding="utf-8")
    return re.sub(r'"\s*\n\s*f?"', "", re.sub(r"\s*\n\s*#? ?", " ", text).replace('" "', ""))


def test_the_loss_exceeds_epsilon_far_more_often_than_delta_says():
    """P(loss > ε) of Gaussian noise at δ = 1e-6, for the losses of the usual tiers."""
    for rho in (0.002, 0.01, 0.05, 0.5):
        mu = math.sqrt(2 * rho)
        epsilon = gaussian_epsilon(math.log(1e-6), mu)
        above = math.erfc((epsilon / mu - mu / 2) / math.sqrt(2)) / 2
        assert above > 5e-6


@pytest.mark.parametrize("file", TEXTS, ids=lambda f: f.relative_to(ROOT).as_posix())
def test_no_text_calls_delta_the_chance_of_a_failure(file):
    assert FALSE_OF_DELTA.search(joined(file)) is None


def test_the_meaning_of_delta_is_written_in_one_place():
    assert DELTA_MEANING == "no probability changes by more than a factor e^ε plus δ"
    assert DELTA_MEANING in DEFINITION_WORDS["(ε, δ)-DP"]
    assert DELTA_MEANING in (ROOT / "dpviz" / "NOTATION.md").read_text(encoding="utf-8")
    assert len(DELTA_AXIS) <= 50
    written = [f for f in TEXTS if f.suffix == ".py" and DELTA_MEANING in joined(f)]
    assert written == [ROOT / "dpviz" / "parameters.py"]
