"""Mistakes in what releases cost, alone and together."""

from tests.mutants.copies import Change

COSTS = {
    # one release
    "gaussian-mirror": Change(
        "accounting/gaussian.py",
        "kept = math.exp(epsilon) * -math.expm1(mirrored)",
        "kept = -math.expm1(mirrored)",
    ),
    "gaussian-rounding": Change(
        "accounting/gaussian.py",
        "return 2.0**-52 * big_l * (5 + (10 - 4 * math.log(kept)) * min(1.0, 3 / big_l))",
        "return 0.0 * kept * big_l",
    ),
    "gaussian-tenth-digit": Change(
        "accounting/gaussian.py",
        "sigma = l2_sensitivity / _newton(step, start)",
        "sigma = l2_sensitivity / _newton(step, start) * (1 - 1e-9)\n    return sigma",
    ),
    "conversion-term": Change(
        "accounting/conversions.py",
        "-math.log1p(x) / x, -math.log1p(1 / x))",
        "-math.log1p(x) / x)",
    ),
    "conversion-rounding": Change(
        "accounting/conversions.py",
        "math.fsum(terms) + rounding",
        "math.fsum(terms) - rounding",
    ),
    "laplace-delta-twice": Change(
        "accounting/laplace.py", "budget = epsilon - 2 * (", "budget = epsilon - 4 * ("
    ),
    "laplace-last-digit": Change(
        "accounting/laplace.py", "/ budget * UP if budget > 0", "/ budget if budget > 0"
    ),
    "grid-down": Change(
        "accounting/loss_terms.py",
        "share = np.clip(share + 1e-15 * (1 + np.abs(loss) / width), 0.0, 1.0)",
        "share = np.zeros_like(share)",
    ),
    "grid-one-by-one": Change(
        "accounting/loss_terms.py",
        "share = np.clip(share + 1e-15 * (1 + np.abs(loss) / width), 0.0, 1.0)",
        "share = np.ones_like(share)",
    ),
    "grid-certainty": Change(
        "accounting/loss_terms.py",
        "gridded(-sums[: len(away)], away, width, impossible)",
        "gridded(-sums[: len(away)], away, width, -math.inf)",
    ),
    "grid-one-side": Change(
        "accounting/poisson_levels.py",
        "for one in (move, back) if back != move else (move,):",
        "for one in (move,):",
    ),
    "skellam-beyond": Change(
        "accounting/skellam.py",
        "* -np.expm1(epsilon - loss[kept])",
        "* np.ones_like(loss[kept])",
    ),
    "skellam-steps": Change(
        "accounting/skellam.py",
        "loss = (sums[shift : count + shift] - sums[:count]) * RAISED",
        "loss = (sums[1 : count + 1] - sums[:count]) * RAISED",
    ),
    "norm-groups": Change(
        "queries/sensitivity.py", "math.sqrt(l0) * linf, float(linf))", "linf, float(linf))"
    ),
    "replace-as-add": Change(
        "queries/bounds.py",
        'return (2 * l0, "2ℓ₀", f"2·{l0}") if 2 * l0 <= k else',
        'return (l0, "ℓ₀", f"{l0}") if l0 <= k else',
    ),
    "total-as-group": Change(
        "queries/count.py",
        "2.0 * l0 * rows, ",
        "(l0 + 1.0) * rows, ",
    ),
    # several together
    "session-adds": Change(
        "accounting/composition.py",
        "least_private = max(held, event, key=lambda each: exact(each.budget))",
        "least_private = replace(event, budget=exact(event.budget) + (0 if held is event "
        "else exact(held.budget)))",
    ),
    "sessions-largest": Change(
        "accounting/composition.py",
        "return sum(own, Fraction(0))",
        "return max(own, default=Fraction(0))",
    ),
    "coalition-adds": Change(
        "accounting/schemes.py", "        return [max(members)]\n", "        return members\n"
    ),
    "shared-each": Change(
        "accounting/schemes.py",
        "return whole * Fraction(above, above + below)",
        "return sum(precisions, Fraction(0))",
    ),
    "split-unheld": Change(
        "accounting/schemes.py",
        "for before, step in ladder if step in has]",
        "for before, step in ladder if step <= max(held)]",
    ),
    "adaptive-as-fixed": Change(
        "accounting/adaptive_composition.py",
        "    if sum(kinds) <= 1:\n        return mixed_log_delta(",
        "    if True:\n        return mixed_log_delta(",
    ),
    "adaptive-power": Change(
        "accounting/adaptive_composition.py",
        "high = 3 * np.log(",
        "high = 2 * np.log(",
    ),
    "limit-nothing-spent": Change(
        "accounting/odometer.py",
        "after = limit.cost([*events, *asked])",
        "after = limit.cost(asked)",
    ),
    "limit-refused-counts": Change(
        "accounting/odometer.py",
        "        checks.instance(ReleaseEvent, event=event)\n        if self._limit is not None:\n",
        "        checks.instance(ReleaseEvent, event=event)\n        self._events.append(event)\n"
        "        if self._limit is not None:\n",
    ),
    "crossover-variance": Change(
        "accounting/crossover.py",
        "epsilon / (math.sqrt(2) * ratio)",
        "epsilon / ratio",
    ),
    "crossover-constant": Change(
        "accounting/crossover.py",
        "return LOG_125 - ratio * ratio",
        "return -ratio * ratio",
    ),
}
