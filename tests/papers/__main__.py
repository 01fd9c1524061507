"""Compute the papers again: `make papers` writes docs/PAPERS.md and build/papers/index.html.

Numbers of the text are rounded to four digits, so that it is the same on every machine.
"""

import html
import time
from collections.abc import Iterable
from pathlib import Path

from dpviz.charts import theme
from dpviz.words import significant
from dpviz.workspace.takeaways import counted
from tests.papers.claims import CLAIMS, PAPERS, SEED, WRONG, Claim
from tests.papers.figures import shown

ROOT = Path(__file__).resolve().parents[2]
TEXT, PAGE = ROOT / "docs" / "PAPERS.md", ROOT / "build" / "papers" / "index.html"
PLACES = Path(__file__).parent / "places.md"  # where every result is, written by hand
DIGITS = 4
HEAD = """# The papers, computed again

What the four papers say in numbers, beside what the library computes. `make papers` writes this
list, and a page with every figure that shows numbers to `build/papers/index.html`. A test computes
what is quick and compares.

The texts that we have of three of the papers have lost their formulas, and no paper prints a table
of results: so the printed column has the numbers that can still be read, or what a statement in
words says of them. Settings of figures that are lost are ours, and say so.

A verdict is one of four. *Agrees.* *Wrong as printed*: the rule fails what the paper promises of
it; there are {wrong}, of one paper, which has each of them right in another place. *Misprint*: the
lines around it have it right. *Remark*: true as stated, but only in the limit or under its
condition, or a bound that is not tight. [MATHEMATICS, section 11](MATHEMATICS.md#s11) has all
corrections by kind, and for the rules that are wrong their words, their place, a counterexample and
what the authors may have meant.
"""
COLUMNS = ("where", "what", "printed", "ours", "verdict")
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #14171b; max-width: 960px; margin: 2rem auto }
body { padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
td, th { border-bottom: 1px solid #c9cdd3; padding: 0.3rem 0.5rem }
td, th { text-align: left; vertical-align: top }
.wrong { color: #a74a14; font-weight: 600 }
p.note { color: #454c56 }
"""


def row(claim: Claim, value: float) -> tuple[str, ...]:
    """The cells of a claim, in the order of `COLUMNS`."""
    verdict = f"{claim.verdict}: {claim.why}" if claim.why else claim.verdict
    return claim.where, claim.what, claim.printed or "–", significant(value, DIGITS), verdict


def line(claim: Claim, value: float) -> str:
    """A claim as a row of the text."""
    return f"| {' | '.join(row(claim, value))} |"


def text(found: Iterable[tuple[Claim, float]]) -> str:
    """docs/PAPERS.md."""
    found = list(found)
    wrong = len({claim.where for claim, _ in found if claim.verdict == WRONG})
    parts = [HEAD.format(wrong=counted(wrong))]
    for paper in PAPERS:
        parts.append(f"\n## {paper}\n\n| {' | '.join(COLUMNS)} |\n|---|---|---|---|---|")
        parts += [line(claim, value) for claim, value in found if claim.paper == paper]
    return "\n".join(parts) + f"\n\n{PLACES.read_text(encoding='utf-8')}"


def page(found: list[tuple[Claim, float, float]]) -> str:
    """The page with tables and figures; it needs nothing from elsewhere."""
    parts = [f"<h1>The papers, computed again</h1><p>Seed {SEED}; seconds on this machine.</p>"]
    figures = list(shown())
    script: str | bool = True
    for paper in PAPERS:
        parts.append(f"<h2>{html.escape(paper)}</h2><table><tr>")
        parts += [f"<th>{name}</th>" for name in (*COLUMNS, "seconds")]
        for claim, value, seconds in (each for each in found if each[0].paper == paper):
            cells = [f"<td>{html.escape(cell)}</td>" for cell in row(claim, value)]
            cells[-1] = cells[-1].replace("<td>", f'<td class="{claim.verdict.split()[0]}">', 1)
            parts.append(f"</tr><tr>{''.join(cells)}<td>{seconds:.2f}</td>")
        parts.append("</tr></table>")
        for _, name, note, figure in (each for each in figures if each[0] == paper):
            drawn = figure.to_html(full_html=False, include_plotlyjs=script, config=theme.CONFIG)
            script = False  # once for the whole page
            parts.append(f"<h3>{html.escape(name)}</h3>{drawn}")
            parts.append(f'<p class="note">{html.escape(note)}</p>')
    head = f'<meta charset="utf-8"><title>The papers, computed again</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>'


def main() -> None:
    """Compute everything and write both."""
    found = []
    for claim in CLAIMS:
        began = time.perf_counter()
        value = claim.ours()
        found.append((claim, value, time.perf_counter() - began))
    TEXT.write_text(text((claim, value) for claim, value, _ in found), encoding="utf-8")
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(found), encoding="utf-8")
    print(f"Wrote {TEXT.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
