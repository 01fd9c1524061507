"""What the documents put between quotation marks: a paper's very words, or a name of our own.

The papers are not in the repository, so their words were compared with them by hand, once: each
stands here with its place. A sentence that only says what a paper means has no quotation marks.
"""

import re

import pytest

from tests.unit.test_citations import ROOT

VERBATIM = {  # words → where they stand
    "the unique distribution": "[LMR25] appendix A",
    "a sum of truncated Gaussians, which simulate the same event": "[LMR25] appendix C",
    "let $\\mu_1=b^2/b_1^2$ and $\\mu_2=b_2^2/b^2$ […] $X_1=0$ if $D_1=1$, $\\mathrm{Lap}(0,b)$ "
    "otherwise, and $X_2=0$ if $D_2=1$, $\\mathrm{Lap}(0,b_2)$ otherwise": "[LMR25] Lemma F.5",
    "Draw fresh noise […] conditioned on $\\tilde Z\\le\\rho_k\\tau_k-Z$": "[LMR25] Algorithm 6",
    "conditioned on $\\tilde Z\\gt\\rho_k\\tau_k-Z$": "[LMR25] Algorithm 6",
    "multiple uncorrelated releases": "[LMR25] Figure 2",
    "only applies in the non-adaptive setting": "[BCT20] before Theorem 2",
    "for a reasonable number of compositions, Laplace outperforms Gaussian": "[BCT20] section 6.1",
    "how the error scales": "[APT24] before Corollary 4.9",
    "Laplace noise of comparable variance": "[APT24] abstract",
    "only a finite (random) number of points where jumps occur": "[KHP15] section 3.4",
    "privacy level relaxation is achieved by sampling": "[KHP15] section 4.1",
    "as suggested by our results": "[KHP15] section 4.1",
    "by the pound": "[KHP15] section 3",
    "gradually releasing private data can be extended to any query": "[KHP15] section 5",
}
OWN = {  # our own words, set apart
    "read the path",
    "without the spare factor",
    "shows first in round 2",
    "no breach found",
    "only if",
    "Nothing found",
    "DP first",
}
MARKED = re.compile(r'"([^"]+)"|“([^”]+)”')


@pytest.mark.parametrize("name", ["LOSSLESS", "MATHEMATICS", "PAPERS"])
def test_every_quotation_is_a_paper_s_very_words_or_our_own(name):
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    text = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    marked = {" ".join((a or b).split()) for a, b in MARKED.findall(text)}
    several = {each for each in marked if len(each.split()) > 1}
    assert several <= VERBATIM.keys() | OWN, "neither compared with its paper, nor our own"


def test_every_quotation_that_was_compared_is_still_quoted():
    names = ("LOSSLESS", "MATHEMATICS", "PAPERS")
    text = " ".join((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in names)
    assert not [each for each in VERBATIM if each not in " ".join(text.split())]
