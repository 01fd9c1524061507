"""From the sums of reports to how many clients have each of some candidate texts.

The noise of the sums is taken off bit by bit, and what is left is explained by the filters of the
candidates in a regression, in the steps of [EPK14, section 4]:

1. a non-negative least-squares fit (scipy) says how noisy each sum is;
2. where there are too many candidates for one regression, a lasso (scikit-learn) keeps those that
   could be there;
3. weighted least squares on these gives counts, standard errors and one-sided tests. A candidate
   that the lasso left out gets the estimate that it would have if it alone were added;
4. the tests are corrected for how many candidates there are: by Bonferroni, so that with
   probability 95 % no text is found that nobody has, or by Benjamini and Hochberg, so that at most
   5 % of what is found are such texts, on average.

All of it is post-processing of the reports.  [EPK14] RAPPOR, CCS 2014.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import linalg, optimize, sparse, special

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.local.survey import Reports
from dpviz.noise.family import Array

Correction = Literal["Bonferroni", "Benjamini–Hochberg"]
CORRECTIONS: tuple[Correction, ...] = ("Bonferroni", "Benjamini–Hochberg")
MOST_CANDIDATES = 1000
MOST_CELLS = 2**22  # candidates × bits × cohorts: 32 megabytes a copy
APART = (
    "these candidates cannot be told apart by so few bits; pass more bits or cohorts, or fewer "
    "candidates"
)
PENALTY = 2 / 3  # of the lasso, as part of the bar of the tests
MISS = 0.05  # usual share of wrong finds
ROOM = 4  # rows for each candidate, below that a lasso chooses


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decoded:
    """How many clients have each candidate, as far as the reports say.

    Attributes:
        candidates: texts that were looked for.
        counts: estimated clients of each, without bias while all texts are candidates; may be
            negative.
        errors: their standard errors.
        p_values: chance of such an estimate, or a larger one, if nobody has the text.
        found: whether the text is said to be there, after the correction.
        others: estimated clients whose text is no candidate.
        misfit: factor by which the errors were widened, since texts that are no candidates disturb
            the fit; 1 where they do not.

    Raises:
        ParameterError: if there is not one number for each candidate.
    """

    candidates: tuple[str, ...]
    counts: Array
    errors: Array
    p_values: Array
    found: Array
    others: float
    misfit: float

    def __post_init__(self) -> None:
        size = len(self.candidates)
        checks.arrays(1, counts=self.counts)
        checks.arrays(1, least=0, most=1, found=self.found)
        checks.arrays(1, least=0, errors=self.errors)
        checks.arrays(1, least=0, most=1, p_values=self.p_values)
        for name in ("counts", "errors", "p_values", "found"):
            if getattr(self, name).size != size:
                raise ParameterError(f"{name} must have one entry for each candidate")
        checks.finite(others=self.others, misfit=self.misfit)
        checks.between(1, np.inf, misfit=self.misfit)


def decode_rappor(
    reports: Reports,
    candidates: Sequence[str],
    *,
    correction: Correction = "Bonferroni",
    miss: float = MISS,
) -> Decoded:
    """Estimate how many clients have each candidate, and say which of them somebody has.

    Limits: standard errors are those of a linear fit with weights from the data, normal in the
    limit of many clients. They cover the noise and the chance by which clients came into cohorts.

    Args:
        reports: sums of all reports.
        candidates: texts to look for, chosen without looking at the clients' texts; each once.
        correction: "Bonferroni" or "Benjamini–Hochberg".
        miss: what the correction bounds, between 0 and 1.

    Raises:
        ParameterError: if there are no candidates, more than a thousand, or two that cannot be told
            apart; or if f is 1, so that reports say nothing.

    >>> from dpviz import streams
    >>> from dpviz.local import Bloom, Rappor, collect_rappor
    >>> asked = [Rappor(f=0.2, p=0.2, q=0.8)]
    >>> truth = {"a": 9000, "b": 1000}
    >>> reports, = collect_rappor(truth, Bloom(bits=16, cohorts=4), asked, rng=streams.teaching(7))
    >>> found = decode_rappor(reports, ["a", "b", "c"])
    >>> found.found
    array([ True,  True, False])
    >>> bool((abs(found.counts - [9000, 1000, 0]) < 3 * found.errors).all())
    True
    """
    names = _checked(reports, candidates, correction, miss)
    fit = _Fit.of(reports, names)
    kept = np.arange(len(names))
    if (len(names) + 1) * ROOM > fit.values.size:
        kept = _shortlist(fit, threshold(len(names), miss))
    counts, errors, others, misfit = _estimates(fit, kept)
    p_values = special.ndtr(-counts / errors)
    return Decoded(
        candidates=names,
        counts=counts,
        errors=errors,
        p_values=p_values,
        found=_passed(p_values, correction, miss),
        others=others,
        misfit=misfit,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Fit:
    """A regression whose rows are divided by their standard deviation.

    Attributes:
        design: columns of the candidates and, last, of all other texts.
        values: estimated ones of each bit.
        noise: share of the noise of the reports in the variance of each row, which is 1.
        shares: of the clients, in the cohort of each row.
        bits: rows of each cohort.
    """

    design: sparse.csc_array
    values: Array
    noise: Array
    shares: Array
    bits: int

    @classmethod
    def of(cls, reports: Reports, names: tuple[str, ...]) -> "_Fit":
        """Take the noise off, fit without negative counts, and weigh the rows by their noise."""
        bloom, rappor = reports.bloom, reports.rappor
        clients = np.repeat(reports.clients, bloom.bits)
        there = clients > 0
        shares = clients[there] / reports.total
        low, high = rappor.one_if_zero, rappor.one_if_one
        ones = reports.ones.reshape(-1)[there]
        values = (ones - low * clients[there]) / rappor.contrast
        usual = np.full((bloom.rows, 1), bloom.hashes / bloom.bits)  # a text that is no candidate
        filters = bloom.design(names)
        places = filters.indices.reshape(len(names), -1)
        if len(np.unique(places, axis=0)) < len(names):
            raise ParameterError(APART)
        plain = sparse.hstack([filters, usual], format="csr")[np.flatnonzero(there)]
        design = sparse.csr_array(sparse.diags_array(shares) @ plain)
        pilot = _without_negatives(design, values)
        set_bits = np.clip(design @ pilot, 0, clients[there])
        noise = set_bits * high * (1 - high) + (clients[there] - set_bits) * low * (1 - low)
        noise = noise / rappor.contrast**2
        joining = (design @ pilot) * (1 - shares)  # chance of the cohorts
        scale = 1 / np.sqrt(noise + joining)
        return cls(
            design=sparse.csc_array(sparse.diags_array(scale) @ design),
            values=values * scale,
            noise=noise * scale**2,
            shares=shares,
            bits=bloom.bits,
        )


def _without_negatives(design: sparse.csr_array, values: Array) -> Array:
    """The non-negative least-squares fit, on the smaller of the matrix and its triangle."""
    dense = design.toarray()
    if dense.shape[0] > dense.shape[1]:
        q, dense = linalg.qr(dense, mode="economic")
        values = q.T @ values
    found: Array = optimize.nnls(dense, values)[0]
    return found


def threshold(candidates: int, miss: float = MISS) -> float:
    """From how many standard errors on a text among the candidates is found, by Bonferroni.

    >>> round(threshold(1), 3), round(threshold(100), 3)
    (1.645, 3.291)
    """
    return -float(special.ndtri(miss / candidates))


def _shortlist(fit: _Fit, bar: float) -> Array:
    """Candidates that a lasso keeps: those that come near the bar of the tests.

    The column of all other texts has no penalty, so it is taken out of the rest beforehand.
    Columns have length 1, so a text that nobody has exceeds the penalty as a normal number would.
    """
    from sklearn.linear_model import Lasso  # takes two seconds to load, so only where it is used

    design = fit.design.toarray()
    usual = design[:, -1] / linalg.norm(design[:, -1])
    rest = design[:, :-1] - np.outer(usual, usual @ design[:, :-1])
    lengths = linalg.norm(rest, axis=0)
    rest /= np.maximum(lengths, np.finfo(float).tiny)
    values = fit.values - usual * (usual @ fit.values)
    lasso = Lasso(PENALTY * bar / values.size, fit_intercept=False, positive=True, max_iter=10_000)
    return np.flatnonzero(lasso.fit(rest, values).coef_ > 0)


def _estimates(fit: _Fit, kept: Array) -> tuple[Array, Array, float, float]:
    """Counts of all candidates with standard errors, those of other texts, and the misfit."""
    design = fit.design.toarray()
    inside = design[:, [*kept, -1]]
    rows, columns = inside.shape
    q, r, order = linalg.qr(inside, mode="economic", pivoting=True)
    ends = np.abs(np.diag(r))
    if rows <= columns or ends[-1] < 1e-9 * ends[0]:
        raise ParameterError(APART)
    solve = np.empty((columns, rows))  # each row: what makes the estimate from the values
    solve[order] = linalg.solve_triangular(r, q.T)
    found = solve @ fit.values
    residual = fit.values - inside @ found
    misfit = max(1.0, float(np.sqrt(residual @ residual / (rows - columns))))
    every = design[:, :-1]
    left = every - q @ (q.T @ every)  # what the fit does not explain of each
    lengths, whole = (np.square(each).sum(axis=0) for each in (left, every))
    lengths[kept] = whole[kept]
    if (lengths <= 1e-12 * whole).any():
        raise ParameterError(APART)
    weights = (left / lengths).T
    weights[kept] = solve[:-1]
    counts = weights @ fit.values
    present = np.maximum(found, 0)
    noise = np.square(weights) @ fit.noise
    errors = np.sqrt(misfit**2 * noise + _joining(fit, weights, inside, present))
    return counts, errors, float(found[-1]), misfit


def _joining(fit: _Fit, weights: Array, inside: Array, present: Array) -> Array:
    """Variance of the estimates by the chance that brings clients into cohorts.

    With share π_c a client of text a comes into cohort c, and moves estimate i by g(i, a, c)/π_c.
    """
    cohorts = fit.shares.size // fit.bits
    parts = weights.reshape(-1, cohorts, fit.bits)
    columns = inside.reshape(cohorts, fit.bits, -1)
    moved = [parts[:, c] @ columns[c] for c in range(cohorts)]
    squares = sum(g * g / fit.shares[c * fit.bits] for c, g in enumerate(moved))
    found: Array = np.maximum(squares - np.square(sum(moved)), 0) @ present
    return found


def _passed(p_values: Array, correction: Correction, miss: float) -> Array:
    """Which tests pass after the correction."""
    size = p_values.size
    if correction == "Bonferroni":
        bar = miss / size
    else:
        falling = np.sort(p_values)
        last = np.flatnonzero(falling <= miss * np.arange(1, size + 1) / size)
        bar = falling[last[-1]] if last.size else -1.0
    passed: Array = p_values <= bar
    return passed


def _checked(
    reports: Reports, candidates: Sequence[str], correction: str, miss: float
) -> tuple[str, ...]:
    """The candidates, each once."""
    checks.instance(Reports, reports=reports)
    names = checks.listed(candidates=candidates)
    for name in names:
        checks.instance(str, candidates=name)
    if not names:
        raise ParameterError("there are no candidates: pass at least one text to look for")
    if len(names) > MOST_CANDIDATES:
        raise ParameterError(
            f"there may be at most {MOST_CANDIDATES:,} candidates, got {len(names):,}; pass fewer"
        )
    if len(set(names)) < len(names):
        raise ParameterError("a candidate is there twice; pass each once")
    if len(names) * reports.bloom.rows > MOST_CELLS:
        raise ParameterError(
            f"candidates × bits × cohorts may be at most {MOST_CELLS:,}, got "
            f"{len(names) * reports.bloom.rows:,}; pass fewer of any"
        )
    checks.one_of(CORRECTIONS, correction=correction)
    checks.probability(miss=miss)
    if not reports.rappor.contrast:
        raise ParameterError("reports at f = 1 say nothing about any text; use an f below 1")
    if not reports.total:
        raise ParameterError("there are no reports: ask at least one client")
    return tuple(names)
