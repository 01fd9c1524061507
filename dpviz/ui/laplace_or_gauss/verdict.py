"""The sentence of the page Laplace or Gauss: which noise is smaller, and when that turns round."""

from dpviz.accounting.laplace_alike import within_reach
from dpviz.charts.crossover import frame as crossover
from dpviz.charts.crossover.hills import DIGITS
from dpviz.charts.crossover.points import GAUSS
from dpviz.charts.crossover.points import LAPLACE as LEAST
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.choice import LAPLACE
from dpviz.ui.laplace_or_gauss.controls import View
from dpviz.ui.laplace_or_gauss.words import NOTHING, deviations, point
from dpviz.words import pm, rounded_up, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal


def sentence(view: View | None) -> str:
    """Which noise is smaller here, and how many numbers a person must move to turn that round."""
    if view is None:
        return NOTHING
    c, unit = view.choice, literal(view.unit)
    name, rival = ("Laplace", "Gaussian") if c.better == LAPLACE else ("Gaussian", "Laplace")
    mine, other = (float(claim.value) for claim in _sizes(view))
    if c.better != LAPLACE:
        mine, other = other, mine
    if _tails_decide(view):
        mine, other = (rounded_up(x, 3) for x in (mine, other))
        sizes = f"typical error {significant(mine)} {unit}, {rival} {significant(other)}"
    else:
        sizes = f"{pm(mine, DIGITS, unit)}, {rival} {pm(other, DIGITS)}"
    return f"{_where(view)}{name} noise is smaller ({sizes}){_turns(view)}."


def _where(view: View) -> str:
    """How many numbers one person can change, where that is known."""
    if not (count := view.question.count):
        return "Here "
    if view.town:
        return f"If one person is in {count:,} of a town’s counts, "
    return f"If one {view.nouns.one} can change {several(view, count)}, "


def several(view: View, count: int) -> str:
    """What one person is in, with its number: counts of the town, or numbers."""
    one = "count" if view.town else "number"
    return f"one {one}" if count == 1 else f"{count:,} {one}s"


def halves(view: View) -> tuple[float, float]:
    """How far 95 % of Laplace and of Gaussian noise reach."""
    c = view.choice
    laplace, gauss = ((LEAST, c.laplace), (GAUSS, c.gaussian))
    return (
        crossover.half_width_of(*laplace, ACCURACY_CONFIDENCE),
        crossover.half_width_of(*gauss, ACCURACY_CONFIDENCE),
    )


def _tails_decide(view: View) -> bool:
    """Whether the noise of the smaller variance reaches farther with 95 %."""
    laplace, gauss = halves(view)
    return (laplace <= gauss) != (view.choice.better == LAPLACE)


def _sizes(view: View) -> tuple[Claim, Claim]:
    """The sizes that the verdict names: half widths, or standard deviations near the turn."""
    if _tails_decide(view):
        return deviations(view)
    fixed = f"{point(view)}, one release; 95 % confidence"
    laplace, gauss = halves(view)
    return (
        Claim(
            what="half width of Laplace noise",
            value=laplace,
            unit=view.unit,
            fixed=fixed,
            method="quantile of the noise (MATHEMATICS 4.1) at the least scale by "
            + ("its exact curve (9.1)" if view.choice.exact else "its pure ε (3.1)"),
            kind="exact" if view.choice.exact else "at most",
        ),
        Claim(
            what="half width of Gaussian noise",
            value=gauss,
            unit=view.unit,
            fixed=fixed,
            method="quantile of the noise (MATHEMATICS 4.1) at the least scale by its exact curve "
            "(3.3)",
        ),
    )


def _turns(view: View) -> str:
    """At how many numbers of one person the verdict turns round."""
    if (most := turning(view)) is None:
        return ""
    if most < 1:
        return f", even for {several(view, 1)}"
    if not _sure(view, most):
        return f"; up to {several(view, most)}, and perhaps beyond, it is Laplace noise"
    if view.choice.better == LAPLACE:
        return f"; from {several(view, most + 1)} on, Gaussian noise is smaller"
    return f"; below {several(view, most + 1)}, Laplace noise is smaller"


def turning(view: View) -> int | None:
    """Numbers of one person up to which Laplace noise is smaller; None where that says nothing."""
    count, most = view.question.count, view.choice.moved_up_to
    if count is None or (count <= most) != (view.choice.better == LAPLACE):
        return None
    return most


def turn(view: View) -> int | None:
    """Numbers per person from which on Gaussian noise is smaller; None where it is not known."""
    most = turning(view)
    return most + 1 if most is not None and _sure(view, most) else None


def _sure(view: View, most: int) -> bool:
    """Whether Laplace noise is known exactly for one number more."""
    return within_reach(view.question.epsilon, most + 1)


def claims(view: View | None) -> tuple[Claim, ...]:
    """Why the numbers of the verdict are what they are."""
    if view is None:
        return ()
    if not (most := turning(view)):
        return _sizes(view)
    fixed = f"{point(view)}, one release, each number moved by the same amount"
    if _sure(view, most):
        turn = Claim(
            what=f"numbers per {view.nouns.one} from which on Gaussian noise has the smaller "
            f"variance",
            value=most + 1,
            fixed=fixed,
            method="both exact curves compared (MATHEMATICS 9.1)",
        )
    else:
        turn = Claim(
            what=f"numbers per {view.nouns.one} up to which Laplace noise has the smaller variance",
            value=most,
            fixed=fixed,
            method="pure ε of Laplace noise against exact Gaussian noise (MATHEMATICS 3.6)",
            kind="at least",
        )
    return (*_sizes(view), turn)


def hills_reading(view: View) -> str:
    """What bars and hills say."""
    text = "95 times in 100 the error is within the bar: shorter is better. "
    if not _tails_decide(view):
        return text + "Curves: how likely each error is."
    return text + ("Laplace noise has the longer tails, which reverses the verdict for these bars.")
