"""Mistakes in what is drawn: sessions, kinds of noise, structured topics, the local model."""

from tests.mutants.copies import Change

DRAWS = {
    # releases
    "A new number starts from the sharpest one, not from the nearest.": Change(
        "release/session.py",
        "            low, below = self._held[place - 1]\n",
        "            low, below = self._held[0]\n",
    ),
    "A new number does not look at the blurrier one that is already out.": Change(
        "release/session.py",
        "        if place == len(self._held):\n",
        "        if place <= len(self._held):\n",
    ),
    "The number between two others is drawn afresh.": Change(
        "noise/noise_path.py",
        "self._between(below, above, (low, level, high), result, rng)",
        "self._step(np.zeros_like(below), 0.0, level, result, rng)",
    ),
    "Asked again, a level is drawn again.": Change(
        "release/session.py",
        "            if place < len(self._held) and self._held[place][0] == level:\n",
        "            if place > len(self._held):\n",
    ),
    "Two levels use the same random bits.": Change(
        "release/any_order.py",
        "return streams.at_level(point, rng=rng)",
        "return streams.at_level(1.0, rng=rng)",
    ),
    "A sealed session keeps the exact numbers.": Change(
        "release/session.py",
        "erased, self._exact = self._exact, None",
        "erased = self._exact.copy()",
    ),
    "A sealed session keeps its generator, which can be wound back.": Change(
        "release/session.py",
        "self._rng, self._any_order = streams.hardened(), False",
        "self._any_order = False",
    ),
    "The memory of the exact numbers is not overwritten.": Change(
        "release/session.py", "            erased.fill(0)\n", "            del erased\n"
    ),
    "A session can be copied.": Change(
        "release/uncopied.py", "def __reduce_ex__(", "def __reduce_never__("
    ),
    "Each group gets too large a share of the difference.": Change(
        "handout/post_processing.py",
        "keepdims=True)) / estimates.shape[-1]\n",
        "keepdims=True)) / (estimates.shape[-1] - 1)\n",
    ),
    "Rounding is called lossless.": Change(
        "handout/post_processing.py",
        'label="rounded to whole units",\n        kind="weakly lossless",',
        'label="rounded to whole units",\n        kind="lossless",',
    ),
    # kinds of noise
    "The weights of the two neighbours are exchanged.": Change(
        "noise/gaussian.py",
        "    share = (level - low) / (high - low)\n",
        "    share = (high - level) / (high - low)\n",
    ),
    "Between two numbers there is 10 % too much noise.": Change(
        "noise/gaussian.py", "return share, math.sqrt(", "return share, 1.1 * math.sqrt("
    ),
    "The noise is 10 % too small.": Change(
        "noise/gaussian.py",
        "deviation = math.sqrt(high - low)",
        "deviation = 0.9 * math.sqrt(high - low)",
    ),
    "Steps inwards and outwards exchange their lengths, as in Lemma F.5 as printed.": Change(
        "noise/laplace_path.py",
        "        away_scale=level / total,\n        toward_scale=toward_scale,\n",
        "        away_scale=toward_scale,\n        toward_scale=level / total,\n",
    ),
    "A number stays where it is with the chance l/b, not (l/b)².": Change(
        "noise/laplace_path.py",
        "    moved = (level - low) / level * (1 + low / level)  # 1 - μ₁\n",
        "    moved = (level - low) / level\n",
    ),
    "A number that moves must move by at least 1.": Change(
        "noise/discrete_laplace_law.py", "return moved * high / (1 + high)", "return moved / 2"
    ),
    "A number that reaches its blurrier neighbour passes it too often.": Change(
        "noise/discrete_laplace_law.py",
        "return product * (1 - chain.level_by_high) / (1 - product)",
        "return product",
    ),
    "A number is drawn away from its blurrier neighbour, not towards it.": Change(
        "noise/discrete_laplace.py", "out=step, where=k < 0)", "out=step, where=k > 0)"
    ),
    "Counts are thinned by the share of the other neighbour.": Change(
        "noise/poisson.py", "share = counts.share(*levels)", "share = 1 - counts.share(*levels)"
    ),
    "The number between two others lies on the straight line, without chance.": Change(
        "noise/poisson.py",
        "counts.binomial(k[part], share, rng=rng)",
        "np.rint(k[part] * float(share))",
    ),
    "The hidden counts are left out, as if no steps had cancelled.": Change(
        "noise/skellam.py",
        "smaller = skellam_bridge.hidden(np.abs(k[part]), rate, rng=rng)",
        "smaller = np.zeros_like(k[part])",
    ),
    "No proposed count is ever rejected.": Change(
        "noise/skellam_bridge.py",
        "accepted = _accepted(away, mode[waiting], k[waiting], rate, rng=rng)",
        "accepted = np.flatnonzero(mode[waiting] + away >= 0)",
    ),
    "The coin turns reports 10 % too seldom.": Change(
        "noise/randomised_response.py",
        "return Exponential(Fraction(high) - Fraction(low))",
        "return Exponential((Fraction(high) - Fraction(low)) * 9 / 10)",
    ),
    "A report that is drawn again is never the old one.": Change(
        "noise/randomised_response.py",
        "    other = (1 - kept) / Interval.of(categories, kept.bits)\n"
        "    return kept + other, other\n",
        "    other = (1 - kept) / Interval.of(categories - 1, kept.bits)\n    return kept, other\n",
    ),
    "A report between two others looks at the sharper one alone.": Change(
        "noise/randomised_response.py",
        "return stay * stay_too, move * stay_too, stay * move_too, move * move_too",
        "return stay, move, stay, move",
    ),
    # structured topics
    "The noise alone is returned, as in Algorithm 2 as printed.": Change(
        "linear/factorization.py",
        "MultipleRelease(exact, family, rng=rng, any_order=any_order)",
        "MultipleRelease(exact * 0, family, rng=rng, any_order=any_order)",
    ),
    "Noise is added to the answers, not between the two factors.": Change(
        "linear/factorization.py",
        "self.around(MultipleRelease(exact, family, rng=rng, any_order=any_order))",
        "MultipleRelease(self.left.apply(exact), family, rng=rng, any_order=any_order)",
    ),
    "A cell shows as often as if it had never been hidden.": Change(
        "sparse/first_passage.py",
        "kernels = self._kernels(level, threshold)",
        "kernels: list[Step] = []",
    ),
    "A cell that shows forgets where it was hidden.": Change(
        "sparse/crossed.py",
        "while level < self.held[0][0] and hidden.levels[0] < self.held[0][0]:",
        "while False:",
    ),
    "Noise between two levels is taken for noise from the exact number.": Change(
        "sparse/first_passage.py", "sd=math.sqrt(high - level)", "sd=math.sqrt(high)"
    ),
    "A tier that joins later gets noise of its own.": Change(
        "counting/steps.py",
        "return plan.family.bridge(below, above, low, level, plan.levels[place], rng=rng)",
        "return plan.family.extend(np.zeros_like(below), 0.0, level, rng=rng)",
    ),
    "The tree is taken for one level lower than it is.": Change(
        "counting/continual_counting.py",
        "[laplace_level(e, tree.height * self._moved)",
        "[laplace_level(e, (tree.height - 1) * self._moved)",
    ),
    "Exponential noise stands in for Gumbel noise, which is another mechanism.": Change(
        "top_k/draws.py",
        "rng.gumbel(0.0, scale, scores.size)",
        "rng.exponential(scale, scores.size)",
    ),
    "A list has half of the noise that its budget asks for.": Change(
        "top_k/ranking.py",
        "return self._step / (self._reach.linf * (2 if self._reach.both_ways else 1))",
        "return self._step / (self._reach.linf * (2 if self._reach.both_ways else 1)) * 2",
    ),
    "A list that grows is drawn afresh.": Change(
        "top_k/ranking.py", "        gone = set(self._found)\n", "        gone = set()\n"
    ),
    "The sign that ends a list stands one person too low.": Change(
        "top_k/unknown.py",
        "return reach.linf * (1 + Fraction(more) / step)",
        "return reach.linf * (Fraction(more) / step)",
    ),
    "The sign that ends a list forgets the largest count that does not compete.": Change(
        "top_k/ranking.py",
        "beyond = int(numbers[places[unknown.seen]]) if places.size > unknown.seen else 0",
        "beyond = 0",
    ),
    "It does not count how many items one person moves.": Change(
        "top_k/unknown.py",
        "math.log(reach.moved(self.seen)) - self.log_delta",
        "-self.log_delta",
    ),
    # the local model
    "The noise jumps half as often.": Change(
        "gradual/clock.py", "return 2 * math.log1p((b - a) / a)", "return math.log1p((b - a) / a)"
    ),
    "A jump outwards is twice as long.": Change(
        "gradual/sampler.py", "1 / (2 * rates[outside])", "1 / rates[outside]"
    ),
    "A jump inwards stays too near to where it began.": Change(
        "gradual/sampler.py", "moved = noise * places", "moved = noise * np.sqrt(places)"
    ),
    "The second coin turns a bit twice as often.": Change(
        "local/couplings.py",
        "again = (first - second) / (1 - second) / 2",
        "again = (first - second) / (1 - second)",
    ),
    "Both reports are said to tell what the blurrier one tells.": Change(
        "local/couplings.py",
        "return math.log1p(2 * (1 - float(second)) / float(second))",
        "return math.log1p(2 * (1 - float(first)) / float(first))",
    ),
    "Each answer opens a session of its own.": Change(
        "local/social_network.py", "if user not in self._people:", "if True:"
    ),
    "Friends of friends are answered like friends.": Change(
        "local/social_network.py",
        "self._trust.at(distance)",
        "self._trust.at(max(1, (distance or 1) - 1))",
    ),
    "What different buyers hold is added up.": Change(
        "local/data_market.py",
        "return max((held[name] for name in names), default=Fraction(0))",
        "return sum((held[name] for name in names), Fraction(0))",
    ),
    "An owner who sold twice to one buyer has lost what was sold last.": Change(
        "local/data_market.py",
        "return self.loss_of(self.held)",
        "return self.sales[-1].epsilon if self.sales else Fraction(0)",
    ),
}
