"""What the story of a circle says: what a coalition gains and why, who joined, and the facts."""

from dpviz.local.person import BRIDGE, EXTEND, FIRST, KNOWN, NEARER
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.growing_trust.circle.view import View
from dpviz.words import budget, join, number, percent, shorten, visible, within
from dpviz.words.claims import Claim, Said
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.local.social_network import Coalition, Joined, Ring

NOTHING = "Type a value and an ε for each ring, and this line will say what a coalition learns."
NOBODY = "None of those who compare notes was told anything: they learn nothing."
ALONE = "Choose who compares notes, and this line will say what that brings them."
LONGEST = 30  # letters of a name in a sentence
MOST_LISTED = 3  # members whose names a sentence lists


def named(name: object) -> str:
    """A stranger's name in a sentence, safe for Markdown."""
    return literal(shorten(visible(name), LONGEST))


def hops(distance: int) -> str:
    """A distance.

    >>> hops(1), hops(2)
    ('1 hop', '2 hops')
    """
    return f"{distance} hop" + ("" if distance == 1 else "s")


def members(count: int, places: bool) -> str:
    """How many members.

    >>> members(1, False), members(19, False), members(2, True)
    ('1 person', '19 people', '2 hospitals')
    """
    one, several = ("hospital", "hospitals") if places else ("person", "people")
    return f"{count:,} {one if count == 1 else several}"


def ring_of(ring: Ring, places: bool) -> str:
    """A ring by its distance and size."""
    return f"{hops(ring.distance)} away ({members(len(ring.members), places)})"


def who(view: View) -> str:
    """Who compares notes, of those who were told anything: by number, or a few by name."""
    viewers = view.coalition.viewers if view.coalition else ()
    count = members(len(viewers), view.asked.network.places)
    if len(viewers) > MOST_LISTED or not set(viewers).intersection(view.single):
        return count
    return f"{count} ({join([shorten(visible(name), LONGEST) for name in viewers])})"


def take_away(view: View | None) -> Said:
    """What a coalition learns here, and what it would learn with separate noise."""
    if view is None:
        return Said(NOTHING)
    found = view.coalition
    if found is None:
        return Said(NOBODY if view.pooling else ALONE)
    those, thing = literal(who(view)), f"{named(view.asked.user)}’s {literal(view.asked.what)}"
    if len(found.viewers) == 1:
        near = _near(found.half_width, view.asked.unit)
        text = f"{those} knows {thing} {near}, 95 times in 100."
    else:
        text = f"{those} compare notes on {thing} {_here(view, found)}; {_apart(view, found)}."
    return Said(text, _claims(view, found, those))


def _here(view: View, found: Coalition) -> str:
    """What they know together, which is what the best informed knows alone."""
    if not found.half_width:
        return "and know no more than the best informed, whose number is usually exactly right"
    near = _near(found.half_width, view.asked.unit)
    return f"and know no more than the best informed ({near})"


def _apart(view: View, found: Coalition) -> str:
    """What they would know with separate noise."""
    near = _near(found.separate, view.asked.unit)
    if not found.separate:
        near = "to what is usually exactly right"
    return f"with separate noise, a weighted average would bring them {near}"


def _near(half: float, unit: str) -> str:
    """How near, with its unit, safe for Markdown."""
    return literal(within(half, unit))


def _claims(view: View, found: Coalition, those: str) -> tuple[Claim, ...]:
    largest = found.together.largest
    most, apart = budget("ε", largest.value), f"Δ = {float(view.asked.sensitivity):g}"
    fixed = f"{those}, {most} for the best informed, {apart}"
    sure = f"{fixed}, {percent(ACCURACY_CONFIDENCE)} confidence"
    claims = [
        Claim(
            what="± of the best estimate from the answers here",
            value=found.half_width,
            unit=view.asked.unit,
            fixed=sure,
            method="quantile of the noise at the largest ε among them: the others add nothing to "
            "that answer (MATHEMATICS 4.1, 15.3)",
            assumes="an estimate shifts by as much as all answers shift",
        ),
        Claim(
            what="privacy loss of all of them together",
            value=largest.value,
            fixed=fixed,
            method=f"{largest.method} (MATHEMATICS 5.4, 15.3)",
            assumes="who is how far away may be known: the graph is not protected",
        ),
    ]
    if len(found.viewers) > 1:
        claims += _of_separate(view, found, sure, fixed)
    return tuple(claims)


def _of_separate(view: View, found: Coalition, sure: str, fixed: str) -> list[Claim]:
    sum_ = found.together.added
    return [
        Claim(
            what="± of the best weighted average, separate noise for each",
            value=found.separate,
            unit=view.asked.unit,
            fixed=sure,
            method="inverse-variance weights; the noise terms convolved on a grid of 1/400 of the "
            "spread of their average (MATHEMATICS 15.3)",
        ),
        Claim(
            what="privacy loss with separate noise for each",
            value=sum_.value,
            fixed=fixed,
            method=f"{sum_.method} (MATHEMATICS 5.4)",
        ),
    ]


def answer(told: float | None, half: float | None = None) -> str:
    """A number that was told, with the digits that its accuracy deserves."""
    return "nothing" if told is None else number(told, step=half)


def joined(view: View, one: Joined) -> str:
    """How the answer to somebody new was found."""
    name, user = named(one.name), named(view.asked.user)
    where = "has no path" if one.distance is None else f"is {hops(one.distance)} away"
    if one.draw is None or one.epsilon is None:
        to = "to" if one.distance is None else "from"
        return f"**{name}** {where} {to} {user} and is told nothing."
    value = literal(f"{answer(one.answer)} {view.asked.unit}".strip())
    epsilon = literal(budget("ε", float(one.epsilon)))
    how = {
        KNOWN: "A number at this ε is there already, so nothing was drawn.",
        EXTEND: "Noise was added to the noisiest number told so far (extend).",
        BRIDGE: "The number was drawn between two that others were told (bridge).",
        NEARER: "It was drawn between the value and the sharpest number told so far.",
        FIRST: "It is the first answer: the value with noise added.",
    }[one.draw.how]
    unseen = "" if one.draw.needs_value else f" Nobody looked at {user}’s value for it."
    return f"**{name}** {where}: told **{value}** at {epsilon}. {how}{unseen}"


def facts(view: View | None) -> Facts:
    """The footer."""
    apart = "as typed"
    if view is not None:
        apart = f"{float(view.asked.sensitivity):g} {view.asked.unit}".strip()
    data = "nothing yet" if view is None else f"a made-up value; network: {view.asked.network.name}"
    return footer(
        "ε-DP",
        unit="the value of the one person in the middle; who knows whom is not protected",
        neighbours=f"two values of that person at most {apart} apart",
        sensitivity=f"changes of the value by up to {apart} are hidden",
        data=data,
        symbols=f"Δ = {apart}",
    )
