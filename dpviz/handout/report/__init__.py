"""One page for stakeholders: tiers, who sees what, what collusion would give, how exact it is.

A single HTML file with its style and pictures inside: no script, no link, no request, no font from
elsewhere; it prints on A4 and follows the reader's dark mode on screen. Every number comes from
`ReportFacts`, and every text passes `clean` and the escaping of the template.
"""

from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined

from dpviz.handout.report.facts import ReportFacts, ReportStatistic, ReportSum, ReportTier
from dpviz.palette import GREY, INKS
from dpviz.words import clean, join, percent, pm, shorten

__all__ = ["ReportFacts", "ReportStatistic", "ReportSum", "ReportTier", "report_html"]


def _one_line(value: Any) -> Any:
    """One visible line of anything that the page shows; what a macro made has passed already."""
    return value if hasattr(value, "__html__") else clean(value)


_PAGE = Environment(
    autoescape=True,
    finalize=_one_line,
    keep_trailing_newline=True,
    lstrip_blocks=True,
    trim_blocks=True,
    undefined=StrictUndefined,
).from_string(
    files(__name__).joinpath("report.html.jinja").read_text(encoding="utf-8"),
    {"percent": percent, "pm": pm, "join": join, "shorten": shorten, "grey": GREY, **INKS},
)


def report_html(facts: ReportFacts) -> str:
    """Write the report.

    Returns:
        A whole HTML document; save it in UTF-8.
    """
    return _PAGE.render(facts=facts)
