"""Mistakes in what releases cost, alone and together."""

from tests.mutants.copies import Change

COSTS = {
    # one release
    "Below 0 the curve is mirrored without the factor e^ε.": Change(
        "accounting/gaussian.py",
        "kept = math.exp(epsilon) * -math.expm1(mirrored)",
        "kept = -math.expm1(mirrored)",
    ),
    "Nothing is added for rounding, so that ε is sometimes too small.": Change(
        "accounting/gaussian.py",
        "return 2.0**-52 * big_l * (5 + (10 - 4 * math.log(kept)) * min(1.0, 3 / big_l))",
        "return 0.0 * kept * big_l",
    ),
    "The noise is too small in its tenth digit.": Change(
        "accounting/gaussian.py",
        "sigma = l2_sensitivity / _newton(step, start)",
        "sigma = l2_sensitivity / _newton(step, start) * (1 - 1e-9)\n    return sigma",
    ),
    "The last term of the conversion is left out.": Change(
        "accounting/conversions.py",
        "-math.log1p(x) / x, -math.log1p(1 / x))",
        "-math.log1p(x) / x)",
    ),
    "The last digit of ε is rounded down.": Change(
        "accounting/conversions.py",
        "math.fsum(terms) + rounding",
        "math.fsum(terms) - rounding",
    ),
    "A δ counts twice, so that the noise is too small.": Change(
        "accounting/laplace.py", "budget = epsilon - 2 * (", "budget = epsilon - 4 * ("
    ),
    "The last digit of the noise is not rounded up.": Change(
        "accounting/laplace.py", "/ budget * UP if budget > 0", "/ budget if budget > 0"
    ),
    "Losses are rounded down to the grid.": Change(
        "accounting/poisson_losses.py",
        "share = np.clip(share + 1e-15 * (1 + np.abs(loss) / width), 0.0, 1.0)",
        "share = np.zeros_like(share)",
    ),
    "Losses are rounded up one by one, so that one of the two masses grows.": Change(
        "accounting/poisson_losses.py",
        "share = np.clip(share + 1e-15 * (1 + np.abs(loss) / width), 0.0, 1.0)",
        "share = np.ones_like(share)",
    ),
    "A number that gives a person away for sure counts for nothing.": Change(
        "accounting/poisson_losses.py",
        "gridded(-sums[: len(away)], away, width, impossible)",
        "gridded(-sums[: len(away)], away, width, -math.inf)",
    ),
    "Only who comes is looked at, not who leaves.": Change(
        "accounting/poisson_groups.py",
        "for one in (move, back) if back != move else (move,):",
        "for one in (move,):",
    ),
    "Outcomes beyond ε count in full.": Change(
        "accounting/skellam.py",
        "* -np.expm1(epsilon - loss[kept])",
        "* np.ones_like(loss[kept])",
    ),
    "Who moves a count by several steps pays for one.": Change(
        "accounting/skellam.py",
        "loss = (sums[shift : count + shift] - sums[:count]) * RAISED",
        "loss = (sums[1 : count + 1] - sums[:count]) * RAISED",
    ),
    "The Euclidean norm forgets how many groups one person moves.": Change(
        "queries/sensitivity.py", "math.sqrt(l0) * linf, float(linf))", "linf, float(linf))"
    ),
    "Somebody who takes another one’s place moves as little as one who comes.": Change(
        "queries/bounds.py",
        'return (2 * l0, "2ℓ₀", f"2·{l0}") if 2 * l0 <= k else',
        'return (l0, "ℓ₀", f"{l0}") if l0 <= k else',
    ),
    "A published total counts as one more group.": Change(
        "queries/count.py",
        "            2.0 * l0 * rows,\n",
        "            (l0 + 1.0) * rows,\n",
    ),
    # several together
    "The budgets of one session are added up.": Change(
        "accounting/composition.py",
        "least_private = max(held, event, key=lambda each: exact(each.budget))",
        "least_private = replace(event, budget=exact(event.budget) + (0 if held is event "
        "else exact(held.budget)))",
    ),
    "Of several sessions only the largest budget counts.": Change(
        "accounting/composition.py",
        "return sum(own, Fraction(0))",
        "return max(own, default=Fraction(0))",
    ),
    "The budgets of a lossless coalition are added up.": Change(
        "accounting/schemes.py", "        return [max(members)]\n", "        return members\n"
    ),
    "Noise that all members share is counted for each of them.": Change(
        "accounting/coalition.py",
        "return whole * Fraction(above, above + below)",
        "return sum(precisions, Fraction(0))",
    ),
    "A slice of a split budget that nobody holds is counted.": Change(
        "accounting/schemes.py",
        "for before, step in ladder if step in has]",
        "for before, step in ladder if step <= max(held)]",
    ),
    "Rounds that are chosen one after the other count as if fixed in advance.": Change(
        "accounting/adaptive_composition.py",
        "    if sum(kinds) <= 1:\n        return mixed_log_delta(",
        "    if True:\n        return mixed_log_delta(",
    ),
    "A power of 3 in the closed form is a power of 2.": Change(
        "accounting/adaptive_composition.py",
        "high = 3 * np.log(",
        "high = 2 * np.log(",
    ),
    "A release is compared with the limit as if nothing had been spent.": Change(
        "accounting/odometer.py",
        "after = limit.cost([*events, *asked])",
        "after = limit.cost(asked)",
    ),
    "A refused release is counted all the same.": Change(
        "accounting/odometer.py",
        "        checks.instance(ReleaseEvent, event=event)\n        if self._limit is not None:\n",
        "        checks.instance(ReleaseEvent, event=event)\n        self._events.append(event)\n"
        "        if self._limit is not None:\n",
    ),
    "Laplace noise is given the variance b², not 2b².": Change(
        "accounting/crossover.py",
        "epsilon / (math.sqrt(2) * ratio)",
        "epsilon / ratio",
    ),
    "The classical formula loses its 1.25.": Change(
        "accounting/crossover.py",
        "return LOG_125 - ratio * ratio",
        "return -ratio * ratio",
    ),
}
