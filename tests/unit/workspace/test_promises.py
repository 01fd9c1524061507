"""What is promised, in words: no text says of δ, ρ, ε or the samplers what is not so.

δ is no chance of a broken promise, ρ and ε bound the privacy loss and are not it, and a release by
itself rests on the sampler of the noise alone only as each hand-out says.
"""

import functools
import math
import re
from pathlib import Path

from dpviz.accounting import gaussian_epsilon
from dpviz.parameters import DELTA_AXIS, DELTA_MEANING
from dpviz.release import Neighbour, Provenance
from dpviz.words.glossary import GLOSSARY
from dpviz.workspace.promises import promise
from tests.cast import RHO
from tests.conftest import for_each

ROOT = Path(__file__).resolve().parents[3]
TEXTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "dpviz" / "NOTATION.md",
    *sorted((ROOT / "dpviz").rglob("*.py")),
    *sorted((ROOT / "dpviz").rglob("*.jinja")),
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

# ρ or ε as the privacy loss, which is a random quantity that they bound.
FALSE_OF_RHO = re.compile(
    r"(ρ|rho|ε|epsilon)[`* ]*(:|is|=|\| (none|nats) \|) (the )?privacy loss"
    r"|\bprivacy loss (of|is|so far is) (ρ|ε|\{|\"\s)|privacy loss (ρ|ε|\{)"
    r"|(?<!bound on the )privacy loss(</th>|: \{|, \{)|privacy loss so far\*\* \{",
    re.IGNORECASE,
)
# Of every release, or before a session is sealed: a bridge from the exact numbers needs its own.
FALSE_OF_SAMPLERS = re.compile(
    r"(each|every|any) release[^.]{0,60}rests? on the sampler of the noise"
    r"|sampler of the noise (alone|only)",
    re.IGNORECASE,
)


@functools.cache
def joined(file):
    """The text of a file, with the pieces of string literals put together."""
    text = file.read_text(encoding="utf-8")
    return re.sub(r'"\s*\n\s*f?"', "", re.sub(r"\s*\n\s*#? ?", " ", text).replace('" "', ""))


def test_the_loss_exceeds_epsilon_far_more_often_than_delta_says():
    """P(loss > ε) of Gaussian noise at δ = 1e-6, for the losses of the usual tiers."""
    for rho in (0.002, *RHO.values(), 0.5):
        mu = math.sqrt(2 * rho)
        epsilon = gaussian_epsilon(math.log(1e-6), mu)
        above = math.erfc((epsilon / mu - mu / 2) / math.sqrt(2)) / 2
        assert above > 5e-6


def test_no_text_calls_delta_the_chance_of_a_failure_or_a_bound_the_loss_or_forgets_the_bridge():
    words = {
        FALSE_OF_DELTA: "fail|chance",
        FALSE_OF_RHO: "privacy loss",
        FALSE_OF_SAMPLERS: "rests? on|alone|only",
    }
    for false, word in words.items():
        near = [file for file in TEXTS if re.search(word, joined(file), re.IGNORECASE)]
        assert [file for file in near if false.search(joined(file))] == []


@for_each(
    ("text", "false"),
    [
        ("ρ-zCDP (ρ, rho: privacy loss; larger = less private)", FALSE_OF_RHO),
        ("| rho | ρ | none | privacy loss in zCDP |", FALSE_OF_RHO),
        ('f"for a privacy loss of {loss_words(joint)}"', FALSE_OF_RHO),
        ('f"privacy loss {letter} (larger = less private)"', FALSE_OF_RHO),
        ("A release by itself rests on the sampler of the noise alone.", FALSE_OF_SAMPLERS),
    ],
)
def test_what_was_said_is_found(text, false):
    assert false.search(text)


def test_one_over_the_number_of_people_is_a_rule_of_thumb_that_exposing_one_person_passes():
    for file in TEXTS:
        text = joined(file)
        for found in re.finditer("1 / number of people", text):
            around = text[max(0, found.start() - 60) : found.end() + 90]
            assert re.search("rule of thumb", around, re.IGNORECASE), file
            assert "one person at random" in around, file


def test_a_hand_out_names_the_sampler_that_its_own_release_rests_on():
    """Before sealing a less noisy release is a bridge from the exact numbers, and says so."""
    exact, noisier, lower = (Neighbour(level=x, weight=0.5) for x in (0.0, 4.0, 1.0))
    for leaned, bridge in (
        ((exact,), False),  # the first, fresh noise
        ((lower,), False),  # noise added to the noisiest one
        ((exact, noisier), True),  # asked for after a noisier one, not sealed
        ((lower, noisier), True),  # sealed, or between two releases
    ):
        said = dict(promise("hardened", leaned, Provenance()))["guarantee, this release"]
        assert ("that of the bridge" in said) == bridge
        assert ("that of the noise only" in said) != bridge


def test_the_meaning_of_delta_is_written_in_one_place():
    assert DELTA_MEANING == "no probability changes by more than a factor eᵋ plus δ"
    assert DELTA_MEANING in GLOSSARY["δ"]
    assert DELTA_MEANING in (ROOT / "dpviz" / "NOTATION.md").read_text(encoding="utf-8")
    assert len(DELTA_AXIS) <= 50
    written = [f for f in TEXTS if f.suffix == ".py" and DELTA_MEANING in joined(f)]
    assert written == [ROOT / "dpviz" / "parameters.py"]
