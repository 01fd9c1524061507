"""The two folds of the page Top-k: the formulas with their numbers, and the same in Python.

Sources: MATHEMATICS 13.1 to 13.4.
"""

from dpviz.queries import Count
from dpviz.top_k.choice import HISTOGRAM, TRUNCATED
from dpviz.ui.kit.code import HARDENED, generator, if_sealed, in_any_order, table_code
from dpviz.ui.top_k.own import asking_of
from dpviz.ui.top_k.view import SEED, SEEN, Scene
from dpviz.words import delta as written_delta
from dpviz.words import significant
from dpviz.workspace.workspace import Workspace

HEAD = (
    r"A list: Gumbel noise of scale $b=\Delta_\infty/\varepsilon_1$ once in every count, the $k$ "
    r"largest in order; $\varepsilon_1$ is what one place may cost. All places together cost "
    r"$k\varepsilon_1$ without a $\delta$, and are $\tfrac18k\varepsilon_1^2$-zCDP. Where the "
    r"list of all items is private, the sign that the list has ended competes with the count "
    r"$h_\bot=h_{(\bar d+1)}+\Delta_\infty+\dfrac{\Delta_\infty}{\varepsilon_1}"
    r"\ln\dfrac{\min(\Delta_0,\bar d)}{\delta_1}$."
)
FIT = (
    r"Counts fitted to the order of the list: $\min_x\sum_j(x_j-y_j)^2$ such that "
    r"$x_1\ge x_2\ge\dots\ge x_k\ge0$. It reads no data, so it costs nothing."
)


def formula(scene: Scene | None) -> str:
    """The formulas, and the same with the numbers on screen."""
    if scene is None:
        return f"{HEAD}\n\n{FIT}"
    choice, reach = scene.choice, scene.asked.reach
    at = written_delta(float(scene.asked.delta))
    start = f"Here $k$ = {scene.k:,}, ε = {significant(scene.asked.epsilon, 4)} and δ = {at} for "
    start += "list and counts together. "
    if choice.step is not None:
        line = (
            f"Half of both is for the list: $\\varepsilon_1$ = {significant(choice.step, 5)}, so "
            f"$b$ = {significant(choice.scale, 5)}. The other half is for the counts: Gaussian "
            f"noise with σ = {significant(choice.value_sigma, 5)}, as one {scene.nouns.one} "
            f"moves at most "
            f"{reach.moved(scene.k):,} of them."
        )
        if choice.threshold is not None:
            line += (
                f" $\\bar d$ = {SEEN:,} and a quarter of δ give $h_\\bot$ = "
                f"{significant(choice.threshold, 5)} above the count after the {SEEN:,} largest, "
                "which is 0 where there are fewer items."
            )
    elif choice.mechanism == HISTOGRAM:
        line = (
            f"One {scene.nouns.one} moves at most {reach.l0:,} counts, so Gaussian noise with σ = "
            f"{significant(choice.scale, 5)} in every count keeps the whole budget, and the list "
            "is read off."
        )
    else:
        line = (
            f"One {scene.nouns.one} moves at most {reach.l0:,} counts: Gaussian noise with σ = "
            f"{significant(choice.scale, 5)}, cut at ±T, and what is above Δ∞ + T = "
            f"{significant(choice.threshold or 0.0, 5)} is shown."
        )
    return f"{HEAD}\n\n{start}{line}\n\n{FIT}"


def code(ws: Workspace, scene: Scene | None) -> str:
    """A program that gives the list on screen; defines `items`.

    Where its counts are on screen, too, it defines `values` and `fitted`.
    """
    if scene is None:
        return "# First correct what is typed.\n"
    first, counts = _counts(scene, ws)
    asked, choice = scene.asked, scene.choice
    epsilon, delta = (_fraction(x.numerator, x.denominator) for x in (asked.epsilon, asked.delta))
    lines = [
        "import math",
        "from fractions import Fraction",
        "",
        "import numpy as np",
        "from dpviz import streams",
        "from dpviz.noise import FAMILIES",
        "from dpviz.release import MultipleRelease",
        "from dpviz.top_k import Reach, TopK, TruncatedHistogram, UnknownDomain",
        "from dpviz.top_k import choose_top_k, fit_in_order",
        *first,
        "",
        *counts,
        f"reach = {asked.reach!r}",
        f"log_delta = math.log({delta})",
        "choice = choose_top_k(",
        f"    {asked.k}, epsilon={epsilon}, log_delta=log_delta,",
        f"    reach=reach, known={asked.known}, seen={SEEN},",
        f").named({choice.mechanism!r})",
        *_generators(ws, scene),
        *_draw(ws, scene),
        "",
    ]
    return "\n".join(lines)


def _fraction(top: int, bottom: int) -> str:
    return f"Fraction({top}, {bottom})"


def _counts(scene: Scene, ws: Workspace) -> tuple[list[str], list[str]]:
    """Further imports, and the lines that define `counts`."""
    if scene.example is not None:
        head, _, body = scene.example.code.rpartition("\n\n")
        return head.split("\n") if head else [], body.split("\n")
    if scene.own is None:
        return [], ["counts = {}"]
    query, of = scene.own.source.query, scene.own.source.table
    loading, names = ws.loading, {type(query).__name__, "Bounds"}
    line = "counts = query.values(table)"
    if isinstance(query, Count):
        loading, names = ws.statistic.loading, names | {type(query.by).__name__}
        line = "counts = dict(zip(query.labels, query.values(table).tolist()))"
    load, table = table_code(of, loading, query.columns)
    imports = [
        load,
        f"from dpviz.queries import {', '.join(sorted(names))}",
    ]
    return imports, [table, f"query = {query!r}", line]


def _generators(ws: Workspace, scene: Scene) -> list[str]:
    """Where the noise of the list comes from."""
    if scene.own is None:
        return [f"rng = streams.teaching({SEED}, {scene.again})"]
    hardened = [HARDENED] if ws.mode == "hardened" else []
    listing = scene.own.listing
    if listing is None:  # nothing is drawn here: the numbers of the page Releases are sorted
        return [f"rng = streams.teaching({ws.seed})"]
    return [*hardened, f"rng = {generator(ws, asking_of(ws, listing))}"]


FITTED = [
    "fitted = fit_in_order(values, non_negative=True)",
    "for item, noisy, near in zip(items, values, fitted):",
    "    print(item, noisy, near)",
]


def _draw(ws: Workspace, scene: Scene) -> list[str]:
    """The lines that define `items`, and `values` and `fitted` if they are on screen."""
    choice, k = scene.choice, scene.k
    if choice.mechanism == HISTOGRAM:
        return [
            "names = sorted(counts)",
            "session = MultipleRelease(",
            '    np.array([counts[name] for name in names]), FAMILIES["gaussian"], rng=rng',
            ")",
            "noisy = session.release(choice.value_sigma**2)",
            f'best = np.argsort(-noisy, kind="stable")[:{k}]',
            "items, values = [names[place] for place in best], noisy[best]",
            *FITTED,
        ]
    if choice.mechanism == TRUNCATED:
        return [
            "histogram = TruncatedHistogram(",
            "    counts, sigma=choice.scale, log_delta=choice.log_hidden, reach=reach,",
            "    whole=True, rng=rng,",
            ")",
            "found = histogram.release()",
            f"items, values = found.items[:{k}], found.values[:{k}]",
            *FITTED,
        ]
    unknown = "None"
    if choice.log_hidden is not None:
        unknown = f"UnknownDomain(seen={SEEN}, log_delta=choice.log_hidden)"
    listing = scene.own.listing if scene.own else None
    ordered = in_any_order(ws, asking_of(ws, listing)) if listing else ""
    return [
        f"unknown = {unknown}",
        "top = TopK(",
        f"    counts, epsilon=choice.step, reach=reach, unknown=unknown, rng=rng{ordered}",
        ")",
        f"items = top.rank({k}).items",
        *_values(ws, scene),
    ]


def _values(ws: Workspace, scene: Scene) -> list[str]:
    """The counts of a list: of the example, or of the tiers in the order in which they asked."""
    if scene.found is None or scene.found.values is None:
        return ["print(items)"]
    if scene.own is None or scene.own.values is None:
        return [
            f"rng = streams.teaching({SEED}, {scene.again}, 1)",
            'session = top.values(FAMILIES["gaussian"], rng=rng)',
            "values = session.release(choice.value_sigma**2)",
            *FITTED,
        ]
    asking = scene.own.values.asking
    one = ws.find(asking.key)
    return [
        f'family = FAMILIES["{scene.own.values.family.name}"]',
        *if_sealed(one),
        f"session = top.values(family, rng={generator(ws, asking)}{in_any_order(ws, asking)})",
        f"asked = {[entry.level for entry in ws.entries_of(one)]!r}  # levels of noise, of tiers",
        "releases = [session.release(level) for level in asked]",
        "values = session.release(min(asked)) - family.mean(min(asked))  # of the sharpest",
        *FITTED,
    ]
