"""Mistakes in what is drawn: sessions, kinds of noise, structured topics, the local model."""

from tests.mutants.copies import Change

DRAWS = {
    # releases
    "from-sharpest": Change(
        "release/session.py",
        "            low, below = self._held[place - 1]\n",
        "            low, below = self._held[0]\n",
    ),
    "ignores-blurrier": Change(
        "release/session.py",
        "        if place == len(self._held):\n",
        "        if place <= len(self._held):\n",
    ),
    "bridge-afresh": Change(
        "noise/noise_path.py",
        "self._between(below, above, (low, level, high), result, rng)",
        "self._step(np.zeros_like(below), 0.0, level, result, rng)",
    ),
    "asked-twice": Change(
        "release/session.py",
        "            if place < len(self._held) and self._held[place][0] == level:\n",
        "            if place > len(self._held):\n",
    ),
    "same-bits": Change(
        "release/session.py",
        "return streams.at_level(point, rng=rng)",
        "return streams.at_level(1.0, rng=rng)",
    ),
    "sealed-exact": Change(
        "release/session.py",
        "erased, self._exact = self._exact, None",
        "erased = self._exact.copy()",
    ),
    "sealed-generator": Change(
        "release/session.py",
        "self._rng, self._any_order = streams.hardened(), False",
        "self._any_order = False",
    ),
    "sealed-memory": Change(
        "release/session.py", "            erased.fill(0)\n", "            del erased\n"
    ),
    "session-copied": Change("release/one_place.py", "def __reduce_ex__(", "def __reduce_never__("),
    "group-share": Change(
        "handout/post_processing.py",
        "keepdims=True)) / estimates.shape[-1]\n",
        "keepdims=True)) / (estimates.shape[-1] - 1)\n",
    ),
    "rounding-lossless": Change(
        "handout/post_processing.py",
        'label="rounded to whole units",\n        kind="weakly lossless",',
        'label="rounded to whole units",\n        kind="lossless",',
    ),
    # kinds of noise
    "gauss-weights": Change(
        "noise/gaussian.py",
        "    share = (level - low) / (high - low)\n    return share",
        "    share = (high - level) / (high - low)\n    return share",
    ),
    "gauss-bridge-wide": Change(
        "noise/gaussian.py", "return share, math.sqrt(", "return share, 1.1 * math.sqrt("
    ),
    "gauss-small": Change(
        "noise/gaussian.py",
        "deviation = math.sqrt(high - low)",
        "deviation = 0.9 * math.sqrt(high - low)",
    ),
    "laplace-lemma-f5": Change(
        "noise/laplace_path.py",
        "        away_scale=level / total,\n        toward_scale=toward_scale,\n",
        "        away_scale=toward_scale,\n        toward_scale=level / total,\n",
    ),
    "laplace-stays": Change(
        "noise/laplace_path.py",
        "    moved = (level - low) / level * (1 + low / level)  # 1 - μ₁\n",
        "    moved = (level - low) / level\n",
    ),
    "discrete-must-move": Change(
        "noise/discrete_laplace_law.py", "return moved * high / (1 + high)", "return moved / 2"
    ),
    "discrete-passes": Change(
        "noise/discrete_laplace_law.py",
        "return product * (1 - chain.level_by_high) / (1 - product)",
        "return product",
    ),
    "discrete-away": Change(
        "noise/discrete_laplace.py", "out=step, where=k < 0)", "out=step, where=k > 0)"
    ),
    "poisson-share": Change(
        "noise/poisson.py", "share = counts.share(*levels)", "share = 1 - counts.share(*levels)"
    ),
    "poisson-straight": Change(
        "noise/poisson.py",
        "counts.binomial(k[part], share, rng=rng)",
        "np.rint(k[part] * float(share))",
    ),
    "skellam-hidden": Change(
        "noise/skellam.py",
        "smaller = skellam_draws.hidden(np.abs(k[part]), rate, rng=rng)",
        "smaller = np.zeros_like(k[part])",
    ),
    "skellam-no-reject": Change(
        "noise/skellam_draws.py",
        "accepted = _accepted(away, mode[waiting], k[waiting], rate, rng=rng)",
        "accepted = np.flatnonzero(mode[waiting] + away >= 0)",
    ),
    "coin-seldom": Change(
        "noise/randomised_response.py",
        "return Exponential(Fraction(high) - Fraction(low))",
        "return Exponential((Fraction(high) - Fraction(low)) * 9 / 10)",
    ),
    "coin-never-old": Change(
        "noise/randomised_response.py",
        "    other = (1 - kept) / Interval.of(categories, kept.bits)\n"
        "    return kept + other, other\n",
        "    other = (1 - kept) / Interval.of(categories - 1, kept.bits)\n    return kept, other\n",
    ),
    "coin-sharper-alone": Change(
        "noise/randomised_response.py",
        "return stay * stay_too, move * stay_too, stay * move_too, move * move_too",
        "return stay, move, stay, move",
    ),
    # structured topics
    "factors-noise-alone": Change(
        "linear/factorization.py",
        "MultipleRelease(exact, family, rng=rng, any_order=any_order)",
        "MultipleRelease(exact * 0, family, rng=rng, any_order=any_order)",
    ),
    "factors-answers": Change(
        "linear/factorization.py",
        "self.around(MultipleRelease(exact, family, rng=rng, any_order=any_order))",
        "MultipleRelease(self.left.apply(exact), family, rng=rng, any_order=any_order)",
    ),
    "cell-never-hidden": Change(
        "sparse/first_passage.py",
        "kernels = self._kernels(level, threshold)",
        "kernels: list[Step] = []",
    ),
    "cell-forgets": Change(
        "sparse/sampler.py",
        "while level < self.held[0][0] and hidden.levels[0] < self.held[0][0]:",
        "while False:",
    ),
    "cell-from-exact": Change(
        "sparse/first_passage.py", "sd=math.sqrt(high - level)", "sd=math.sqrt(high)"
    ),
    "counter-own-noise": Change(
        "counting/steps.py",
        "return plan.family.bridge(below, above, low, level, plan.levels[place], rng=rng)",
        "return plan.family.extend(np.zeros_like(below), 0.0, level, rng=rng)",
    ),
    "counter-low-tree": Change(
        "counting/continual_counting.py",
        "[laplace_level(e, tree.height * self._moved)",
        "[laplace_level(e, (tree.height - 1) * self._moved)",
    ),
    "exponential-for-gumbel": Change(
        "top_k/draws.py",
        "rng.gumbel(0.0, scale, scores.size)",
        "rng.exponential(scale, scores.size)",
    ),
    "list-half-noise": Change(
        "top_k/ranking.py",
        "return self._step / (self._reach.linf * (2 if self._reach.both_ways else 1))",
        "return self._step / (self._reach.linf * (2 if self._reach.both_ways else 1)) * 2",
    ),
    "list-afresh": Change(
        "top_k/ranking.py", "        gone = set(self._found)\n", "        gone = set()\n"
    ),
    "end-low": Change(
        "top_k/reach.py",
        "return reach.linf * (1 + Fraction(more) / step)",
        "return reach.linf * (Fraction(more) / step)",
    ),
    "end-largest": Change(
        "top_k/ranking.py",
        "beyond = int(numbers[places[unknown.seen]]) if places.size > unknown.seen else 0",
        "beyond = 0",
    ),
    "end-items": Change(
        "top_k/reach.py",
        "math.log(reach.moved(self.seen)) - self.log_delta",
        "-self.log_delta",
    ),
    # the local model
    "jumps-seldom": Change(
        "gradual/laws.py", "return 2 * math.log1p((b - a) / a)", "return math.log1p((b - a) / a)"
    ),
    "jumps-out-long": Change("gradual/path.py", "1 / (2 * rates[outside])", "1 / rates[outside]"),
    "jumps-in-near": Change(
        "gradual/path.py", "moved = noise * places", "moved = noise * np.sqrt(places)"
    ),
    "second-coin": Change(
        "local/rappor.py",
        "again = (first - second) / (1 - second) / 2",
        "again = (first - second) / (1 - second)",
    ),
    "both-as-blurrier": Change(
        "local/rappor.py",
        "return math.log1p(2 * (1 - float(second)) / float(second))",
        "return math.log1p(2 * (1 - float(first)) / float(first))",
    ),
    "answers-own-session": Change(
        "local/social_network.py", "if user not in self._people:", "if True:"
    ),
    "friends-of-friends": Change(
        "local/social_network.py",
        "self._trust.at(distance)",
        "self._trust.at(max(1, (distance or 1) - 1))",
    ),
    "buyers-add": Change(
        "local/data_market.py",
        "return max((held[name] for name in names), default=Fraction(0))",
        "return sum((held[name] for name in names), Fraction(0))",
    ),
    "last-sale": Change(
        "local/data_market.py",
        "return self.loss_of(self.held)",
        "return self.sales[-1].epsilon if self.sales else Fraction(0)",
    ),
}
