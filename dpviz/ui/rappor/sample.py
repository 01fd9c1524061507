"""The two folds of the page RAPPOR: the formulas with their numbers, and the same in Python.

Source: MATHEMATICS 15.2.
"""

from dpviz.local import laplace_response
from dpviz.ui.kit.code import HARDENED, generator, table_code
from dpviz.ui.rappor import examples
from dpviz.ui.rappor.jobs import SEED
from dpviz.ui.rappor.view import Scene
from dpviz.words import significant
from dpviz.workspace.workspace import Workspace

HEAD = (
    r"A text sets $h$ bits of its filter. A client keeps $B'=B$ with probability $1-f$, else a "
    r"fair coin, for good; a report shows 1 with probability $q$ where $B'=1$, and $p$ where "
    r"$B'=0$. So a bit is reported as 1 with probability $p^*=p+\tfrac f2(q-p)$ where it is 0, and "
    r"$q^*=q-\tfrac f2(q-p)$ where it is 1."
)
DECODED = (
    r"Of $n_c$ clients of cohort $c$, who report bit $j$ so often as $C_{cj}$, about "
    r"$t_{cj}=\dfrac{C_{cj}-p^*n_c}{q^*-p^*}$ have it; a regression of $t$ on the filters of all "
    r"candidates gives their numbers."
)
COST = (
    r"Any number of reports tells $\varepsilon_\infty=2h\ln\dfrac{2-f}f$, one report "
    r"$\varepsilon_1=h\ln\dfrac{q^*(1-p^*)}{p^*(1-q^*)}$. Both $f$ together, $f_1\gt f_2$, tell "
    r"$2h\ln\dfrac{2-f_2}{f_2}$ by the chain, which blurs the kept bits of $f_2$ again with "
    r"$\varphi=\dfrac{f_1-f_2}{1-f_2}$ to those of $f_1$."
)


def formula(scene: Scene | None) -> str:
    """The formulas, and the same with the numbers on screen."""
    parts = [HEAD, DECODED, COST]
    if scene is None:
        return "\n\n".join(parts)
    asked, h = scene.asked, scene.asked.bloom.hashes
    lines = []
    for name, rappor in (("f_1", asked.first), ("f_2", asked.second)):
        lines.append(
            f"${name}$ = {significant(rappor.f)}: $p^*$ = {significant(rappor.one_if_zero, 5)}, "
            f"$q^*$ = {significant(rappor.one_if_one, 5)}, $\\varepsilon_\\infty$ = "
            f"{significant(rappor.epsilon_forever(h), 5)}, $\\varepsilon_1$ = "
            f"{significant(rappor.epsilon_once(h), 5)}."
        )
    again = (asked.first.f - asked.second.f) / (1 - asked.second.f)
    epsilon, theta = laplace_response(asked.first.p, asked.first.q)
    lines.append(
        f"$\\varphi$ = {significant(again, 5)}. Koufogiannis, Han and Pappas (2015) write a report "
        f"as a kept bit plus a Laplace number of scale {significant(1 / epsilon, 4)}, cut at "
        f"{significant(theta, 4)}."
    )
    return "\n\n".join([*parts, *lines])


def code(ws: Workspace, scene: Scene | None) -> str:
    """A program that gives the estimates on screen; defines `decoded`."""
    if scene is None:
        return "# First correct what is chosen.\n"
    asked, bloom = scene.asked, scene.asked.bloom
    fs = [reports.rappor.f for reports in scene.reports] or [asked.first.f, asked.second.f]
    names = f"{list(asked.candidates[: len(asked.candidates) - asked.decoys])!r}"
    if scene.own is None:
        names = f"[*shares, *(f'nobody-{{i + 1}}.example' for i in range({asked.decoys}))]"
    imports, clients = _clients(ws, scene)
    return "\n".join(
        [
            "from dpviz import streams",
            *imports,
            "",
            *clients,
            f"asked = [Rappor(f=f, p={asked.first.p!r}, q={asked.first.q!r}) for f in {fs!r}]",
            f"bloom = Bloom(bits={bloom.bits}, hashes={bloom.hashes}, cohorts={bloom.cohorts})",
            *_reports(ws, scene),
            f"candidates = {names}",
            "decoded = [",
            f"    decode_rappor(each, candidates, correction={asked.correction!r})",
            "    for each in reports",
            "]",
            "for rappor, found in zip(asked, decoded):",
            "    print(rappor, rappor.epsilon_forever(bloom.hashes))",
            "    for row in zip(candidates, found.counts, found.errors, found.found):",
            "        print(*row)",
            "",
        ]
    )


def _clients(ws: Workspace, scene: Scene) -> tuple[list[str], list[str]]:
    """Imports, and the lines that define how many clients have each text."""
    if scene.own is None:
        names = "Bloom, Rappor, collect_rappor, decode_rappor"
        many = scene.clients or 0
        line = f"clients = {{name: n * {many} // 1000 for name, n in shares.items()}}"
        return [f"from dpviz.local import {names}"], [examples.CODE, line]
    query = scene.own.query
    loading, table = table_code(ws.table, ws.loading, query.columns)
    return (
        [
            loading,
            "from dpviz.local import Bloom, Rappor, RapporSurvey, decode_rappor",
            "from dpviz.queries import Bounds, TextCounts",
        ],
        [table, f"clients = {query!r}.values(table)"],
    )


def _reports(ws: Workspace, scene: Scene) -> list[str]:
    """The lines that define `reports`."""
    if scene.own is None:
        rng = f"streams.teaching({SEED}, {scene.again})"
        return [f"reports = collect_rappor(clients, bloom, asked, rng={rng})"]
    rng = generator(ws, scene.own.asking(scene.asked.first.f, ws.family))
    order = [reports.rappor.f for reports in scene.own.reports(ws)]
    hardened = [HARDENED] if ws.mode == "hardened" else []
    lines = [*hardened, f"survey = RapporSurvey(clients, bloom, rng={rng})"]
    if order:
        p, q = scene.asked.first.p, scene.asked.first.q
        lines.append(f"for f in {order!r}:  # in the order of asking")
        lines.append(f"    survey.report(Rappor(f=f, p={p!r}, q={q!r}))")
    return [*lines, "reports = [survey.report(each) for each in asked]"]
