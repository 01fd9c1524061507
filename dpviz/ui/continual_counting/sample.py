"""The two folds of the page Continual counting: the formula with its numbers, and the code.

Sources: MATHEMATICS 4.2, 7.1 to 7.5.
"""

from dpviz.ui.continual_counting.controls import View
from dpviz.ui.continual_counting.example import HOURS, SEED, Reader
from dpviz.ui.kit.code import HARDENED, generator, if_sealed, in_any_order, query_code
from dpviz.words import significant
from dpviz.words.markdown import literal
from dpviz.workspace.counting import Stream
from dpviz.workspace.workspace import Workspace


def formula(view: View | None) -> str:
    """The formulas, and the same with the numbers of the least private tier."""
    text = (
        r"Step $t=\sum_l d_l k^l$ with digits $-m\le d_l\le k-1-m$ adds or subtracts $|d_l|$ "
        r"blocks of width $k^l$. An event lies in at most one used block of each of the $h$ "
        r"levels, so the blocks move by $\Delta_1=h\,c$ at most, and every block gets Laplace "
        r"noise of scale $b=\dfrac{h\,c}{\varepsilon}$. Variance of one running count: "
        r"$2b^2\sum_l|d_l|$. Interval: the sum of $n$ such terms has "
        r"$P(|S|>x)=\sum_{j<n}\binom{n-1+j}{j}2^{-(n-1+j)}\,Q(n-j,\,x/b)$, exactly. "
        r"Gaussian noise on the square root: mean squared error $\sigma^2\Gamma_T$, "
        r"$\Gamma_T=S_T\bigl(S_T(1+\tfrac1{4T})-T f_T^2\bigr)$."
    )
    if view is None:
        return text
    c = view.counting
    tree, last = c.tree, c.readers[-1]
    return (
        f"{text}\n\nHere $T$ = {c.steps:,}, $k$ = {tree.arity}, $m$ = {tree.most_negative}, $h$ = "
        f"{tree.height}, $c$ = {c.moved}. {literal(last.name)}: $\\varepsilon$ = "
        f"{significant(last.loss, 6)} gives $b$ = {significant(last.level, 6)}; a running count "
        f"carries at most {int(c.used.max())} noise terms. The tiers share the noise of each "
        "block: a noisier tier has the noise of a less noisy one and more, so together they "
        "learn what the least private one learns."
    )


def code(ws: Workspace, view: View | None) -> str:
    """A program that gives the numbers on screen."""
    if view is None:
        return "# First type what is missing.\n"
    return _own(ws, view) if view.own is not None else _example(view)


def _example(view: View) -> str:
    """The made-up stream; defines `noisy`, by the names of the tiers, for every hour."""
    one = view.example
    if one is None:
        return ""
    shape = [
        f"    arity={one.branching.arity!r},",
        f"    subtraction={one.branching.subtraction!r},",
        f'    family=FAMILIES["{one.family_name}"],',
        f"    rng=streams.teaching({SEED}, {one.path}),",
        ")",
    ]
    name = "ContinualCounter" if one.live else "CountedStream"
    lines = [
        "from dpviz import streams",
        f"from dpviz.counting import {name}",
        "from dpviz.data import hourly_events",
        "from dpviz.noise import FAMILIES",
        "",
        f"counts = hourly_events({HOURS})",
    ]
    if not one.live:
        lines += ["stream = CountedStream(", "    counts,", *shape, "noisy = {"]
        lines += [f"    {r.name!r}: stream.release({r.epsilon!r})," for r in _drawn(view)]
        return "\n".join([*lines, "}", ""])
    lines += [
        "counter = ContinualCounter(",
        f"    {HOURS},",
        f"    {[r.epsilon for r in one.readers]!r},",
        *shape,
        f"names = {[r.name for r in one.readers]!r}",
        f"joining = {_joining(view)!r}  # before this hour: name and ε",
        "noisy = {}",
        "for hour, count in enumerate(counts, start=1):",
        "    for name, epsilon in joining.get(hour, []):",
        "        counter.add_tier(epsilon)",
        "        names.append(name)",
        "    for name, number in zip(names, counter.push(int(count))):",
        "        noisy.setdefault(name, []).append(number)",
        "",
    ]
    return "\n".join(lines)


def _joining(view: View) -> dict[int, list[tuple[str, float]]]:
    """Who joined before which hour."""
    found: dict[int, list[tuple[str, float]]] = {}
    for reader, first in view.example.joined if view.example else ():
        found.setdefault(first, []).append((reader.name, reader.epsilon))
    return found


def _drawn(view: View) -> list[Reader]:
    """Tiers of the whole-stream form in the order in which they are drawn."""
    return [reader for reader, _ in view.example.everybody] if view.example else []


def _loading(stream: Stream) -> str:
    """Python that defines `counts`."""
    if stream.counted is None:
        return "counts = [...]  # the list that was typed: it stays on the page"
    return query_code(stream.counted) + "\ncounts = query.values(table)"


def _own(ws: Workspace, view: View) -> str:
    """The visitor's stream; defines `noisy`, by the names of the tiers."""
    own = view.own
    if own is None:
        return ""
    one = ws.find(own.key)
    epsilons = {r.level: r.loss for r in view.counting.tiers()}
    asked = [(e.tier, epsilons[e.level]) for e in ws.entries_of(one)]
    lines = [
        "from dpviz import streams",
        "from dpviz.counting.counted_stream import CountedStream",
        "from dpviz.noise import FAMILIES",
        _loading(own.stream),
        "",
        "stream = CountedStream(",
        "    counts,",
        f"    arity={own.branching.arity!r},",
        f"    subtraction={own.branching.subtraction!r},",
        f"    sensitivity={own.stream.moved},",
        f'    family=FAMILIES["{own.family.name}"],',
        f"    rng={generator(ws, own.asking)}{in_any_order(ws, own.asking)},",
        ")",
    ]
    if ws.mode == "hardened":
        lines.append(HARDENED)
    lines += if_sealed(one)
    lines.append("noisy = {")
    lines += [f"    {name!r}: stream.release({epsilon!r})," for name, epsilon in asked]
    return "\n".join([*lines, "}", ""])
