"""What the lesson on trust says beside its pictures, and why its numbers are true."""

from dpviz.charts.threads import number_of
from dpviz.charts.threads_frame import half_of
from dpviz.planning.cast import MONTHS, PEOPLE
from dpviz.ui.kit.notes import HERE, asking, guess_claim, joint
from dpviz.ui.trust_grows.town import (
    CITY,
    FAR,
    HOSPITAL,
    ORDER,
    RHO,
    STYLE,
    TRUSTED_RHO,
    YES,
    Drawn,
)
from dpviz.words import pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal

LEFT_TO_GUESS = (
    "Had her answer been no, the same number could have come up: its reader is left to guess."
)
EVERYBODY_KNOWS = "Without noise her number is her answer: all who read it know."
EXACT = "exact"
BLURS = {pm(half_of(rho)): rho for rho in RHO.values()}  # ± of a number, and its budget


def total_claims(total: float) -> tuple[Claim, ...]:
    """Why the town’s number is what it is, and how far off it may be."""
    return (
        Claim(
            what="people with high blood pressure, by their noisy reports",
            value=total,
            unit="people",
            fixed="one seeded draw of a made-up town",
            method="sum of the 1,000 reports, whose noise has mean 0",
            kind="simulated",
        ),
        Claim(
            what="half width of that sum",
            value=half_of(RHO[HOSPITAL] / PEOPLE),
            unit="people",
            fixed="95 % confidence, independent noise on each of 1,000 phones",
            method="quantile of Gaussian noise (MATHEMATICS 4.1), √1,000 times that of one report",
        ),
        Claim(
            what="half width of the count of a trusted collector, with the same promise to each",
            value=half_of(RHO[HOSPITAL]),
            unit="people",
            fixed="95 % confidence; one person moves the count by 1",
            method="quantile of Gaussian noise (MATHEMATICS 4.1), at the budget of one report",
        ),
    )


def growth_claims(*, trusted: bool) -> tuple[Claim, ...]:
    """What the far clinic guesses right before, and after with both numbers; and all four."""
    if not trusted:
        return (guess_claim("the far clinic", RHO[FAR]),)
    both = joint((RHO[FAR], TRUSTED_RHO), HERE)
    everything = joint((*RHO.values(), TRUSTED_RHO), HERE)
    return (
        guess_claim("the far clinic, by both its numbers", both),
        guess_claim("all four, by all they ever got", everything),
    )


def sent(drawn: Drawn) -> tuple[str, ...]:
    """What a collector does, and what her phone does; the sum once it is sent."""
    x = drawn.here[HOSPITAL]
    return (
        "**With a collector**  \nOne office gathers all 1,000 true answers. Everybody must trust "
        "it never to leak, sell or lose them.",
        "**Without one**  \nEvery phone turns yes into 1 and no into 0, and adds noise, a random "
        "number. The true answer never leaves it.",
        f"Her answer **1**, noise **{literal(number_of(x - YES))}**: "
        f"her phone sends **{literal(number_of(x))}**.",
    )


CONE = (
    "Cone and ±: where 95 % of such numbers fall. Maria and her town of 1,000 people are made up, "
    "so her answer may be shown."
)


ROOT = ("**Four times as many people: half the blur.** A thousand: about 3 % of it.",)


def better_guess(x: float, rho: float | None) -> str:
    """What the number makes one guess, and whether that is right."""
    guess, verdict = ("yes", "right") if x > YES / 2 else ("no", "wrong")
    if rho is None:
        return "Without noise everybody knows: all 1,000 guesses are right."
    return (
        f"Hills: how often each number would come up. At {literal(number_of(x))}, one draw, the "
        f"better guess is “{guess}”: {verdict}."
    )


def crowd(*, asked: bool) -> str:
    """What the noise of a thousand comes to, and the price of trusting nobody."""
    if not asked:
        return (
            "Upright lines: the true share who say yes. Bars: where half of the averages fall, and "
            "95 % of them."
        )
    hidden = pm(half_of(RHO[HOSPITAL]))
    return (
        f"The price of trusting nobody: a collector with all true answers could publish the count "
        f"within {hidden} people and hide each of them just as well. This is one draw."
    )


def arrivals(drawn: Drawn, *, trusted: bool) -> tuple[str, ...]:
    """Who asked when, and got which number."""
    heard = [
        (month, name, STYLE[name], RHO[name], drawn.here[name])
        for month, name in zip(MONTHS, ORDER, strict=True)
    ]
    if trusted:
        heard.append(("Today", FAR, STYLE[FAR], TRUSTED_RHO, drawn.trusted))
    return asking(heard)


def growth(*, trusted: bool) -> str:
    """What the new number adds to the old one."""
    if not trusted:
        return (
            f"Bands: where the sharper number usually falls, given those of the {HOSPITAL} and "
            f"the {CITY}; dark: half of the time. Her answer is not needed for it."
        )
    both, everything = (round(claim.value) for claim in growth_claims(trusted=True))
    return (
        f"Its old number adds nothing: with both it guesses {both} right, and all four, with all "
        f"they ever got, {everything}. In another order it would be the same."
    )
