"""What the page Social network says: who is told what, what a coalition gains, how to read it."""

import pandas as pd

from dpviz.charts.local.network_attack import AVERAGED_HALF, OURS_HALF
from dpviz.charts.local.network_frame import MOST_DRAWN
from dpviz.local.person import BRIDGE, EXTEND, FIRST, KNOWN, NEARER
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.social_network.circles import MOST_SIMULATED, REPETITIONS
from dpviz.ui.social_network.view import View
from dpviz.words import (
    budget,
    join,
    number,
    percent,
    pm,
    rounded_up,
    shorten,
    significant,
    visible,
    within,
)
from dpviz.words.claims import Claim, Said
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.local.social_network import Coalition, Joined, Ring

NOTHING = "Type a value and an ε for each ring, and this line will say what a coalition learns."
NOBODY = "None of those who compare notes was told anything: they learn nothing."
ALONE = "Choose who compares notes, and this line will say what that brings them."
BEST_WAY = "Is there a better way than to average?"
LONGEST = 30  # letters of a name in a sentence
MOST_LISTED = 3  # members whose names a sentence lists


def named(name: object) -> str:
    """A stranger's name in a sentence, safe for Markdown."""
    return literal(shorten(visible(name), LONGEST))


def terms(user: str | None) -> str:
    """What the drawer with the person's own choices is called."""
    return f"{named(user)}’s terms" if user else "Own terms"


def hops(distance: int) -> str:
    """A distance.

    >>> hops(1), hops(2)
    ('1 hop', '2 hops')
    """
    return f"{distance} hop" + ("" if distance == 1 else "s")


def members(count: int, places: bool) -> str:
    """How many members.

    >>> members(1, False), members(2, True)
    ('1 member', '2 hospitals')
    """
    noun = "hospital" if places else "member"
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


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
    unit, user, those = view.asked.unit, view.asked.user, literal(who(view))
    off = _near(found.half_width, unit)
    if len(found.viewers) == 1:
        most = literal(budget("ε", float(found.together.largest)))
        text = (
            f"{those} holds a number that is {off} of {named(user)}’s value, 95 times in 100. The "
            f"privacy loss is at most {most}."
        )
    else:
        text = (
            f"{those} {_hold(view, found)}, {off}. With separate noise for each, they could come "
            f"to {_near(found.separate, unit)}."
        )
    return Said(text, _claims(view, found, those))


def _hold(view: View, found: Coalition) -> str:
    """The numbers of those who compare notes, and what they know by them together."""
    held = [_answer(each.answer, each.half) for each in view.held]
    if len(held) == 1:
        return f"hold one identical number, {held[0]}; together they know only that"
    numbers = join(held) if len(held) <= MOST_LISTED else f"{len(held):,} different numbers"
    return f"hold {numbers}; together they know only what {_sharpest(view, found)} knows"


def _sharpest(view: View, found: Coalition) -> str:
    """Who of them is told the sharpest number."""
    best = found.viewers[0]
    ring = next((r for r in view.whole_rings if best in r.members), None)
    return named(best) if ring is None else f"the {ring.distance}-hop ring"


def _near(half: float, unit: str) -> str:
    """How near, with its unit, on one line and safe for Markdown."""
    if not half:
        return literal(within(half))
    return f"within {pm(half)}\u00a0{literal(unit)}".strip()


def _claims(view: View, found: Coalition, those: str) -> tuple[Claim, ...]:
    largest = found.together.largest
    most, apart = budget("ε", largest.value), f"Δ = {float(view.asked.sensitivity):g}"
    fixed = f"{those}, {most} for the best informed, {apart}"
    sure = f"{fixed}, {percent(ACCURACY_CONFIDENCE)} confidence"
    claims = [
        Claim(
            what="± of the best estimate, answers as they are here",
            value=found.half_width,
            unit=view.asked.unit,
            fixed=sure,
            method="quantile of the noise at the largest ε among them: the others add nothing to "
            "that answer (MATHEMATICS 4.1, 15.3)",
            assumes="estimates move along with the answers",
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
        claims += [*_of_separate(view, found, sure, fixed), *_of_answers(view)]
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


def _of_answers(view: View) -> list[Claim]:
    return [
        Claim(
            what="a number that was told",
            value=each.answer,
            unit=view.asked.unit,
            fixed=f"{budget('ε', each.epsilon)}, this draw",
            method="drawn on one path of noise with the others (MATHEMATICS 15.3)",
            kind="simulated",
        )
        for each in view.held
    ]


def told(view: View, name: object, distance: int) -> str:
    """What a member is told, for the hover."""
    if distance == 0:
        return f"{name} knows the own value: {view.shown_value}."
    granted = {joined.name: joined for joined in view.circle.joined}
    if name in granted and granted[name].answer is not None:
        one = granted[name]
        return (
            f"{name}, new, {hops(distance)} away, is told {_answer(one.answer)} {view.asked.unit} "
            f"({budget('ε', float(one.epsilon or 0))})."
        )
    ring = next((r for r in view.circle.rings if r.distance == distance), None)
    if ring is None:
        return f"{name}, {hops(distance)} away, is told nothing."
    return (
        f"{name}, {hops(distance)} away, is told {_answer(ring.answer, ring.half_width)} "
        f"{view.asked.unit} ({budget('ε', float(ring.epsilon))})."
    )


def _answer(answer: float | None, half: float | None = None) -> str:
    """A number that was told, with the digits that its accuracy deserves."""
    if answer is None:
        return "nothing"
    return number(answer, step=half)


def answers(view: View) -> dict[int, tuple[str, str]]:
    """What each ring is told, as it stands in the picture; the next one is told nothing."""
    found = {r.distance: _answer(r.answer, r.half_width) for r in view.circle.rings}
    beyond = view.asked.trust.rings + 1
    if view.circle.members_at(beyond):
        found[beyond] = "no answer"
    return {distance: (hops(distance), text) for distance, text in found.items()}


def heading(view: View) -> str:
    """What the picture is."""
    unit = f", in {literal(view.asked.unit)}" if view.asked.unit else ""
    return f"What {named(view.asked.user)}’s circle is told{unit}"


def reading(view: View, drawn: int) -> str:
    """How to read the picture."""
    text = (
        "Everybody on a dotted circle is told the number at its top; hollow: told nothing. Ringed: "
        "those who compare notes; click anybody to see their circle."
    )
    connected = len(view.circle.network.distances(view.asked.user))
    if drawn < min(connected, MOST_DRAWN + 1) or connected > MOST_DRAWN:
        text += f" Drawn: the nearest {drawn:,} of {len(view.circle.network.members):,} members."
    return text


def circle_alt(view: View) -> str:
    """The picture in words."""
    rings = "; ".join(
        f"{ring_of(r, view.asked.network.places)}: {_answer(r.answer, r.half_width)}"
        for r in view.circle.rings
    )
    return (
        f"A person in the middle and dotted rings by distance. Told: {rings or 'nobody'}. "
        f"{view.circle.unanswered:,} get no answer."
    )


def table(view: View) -> pd.DataFrame:
    """What each ring is told, as a table."""
    unit = f" ({view.asked.unit})" if view.asked.unit else ""
    rows = [
        (
            hops(r.distance),
            f"{len(r.members):,}",
            significant(float(r.epsilon), 4),
            _answer(r.answer, r.half_width),
            pm(r.half_width, 2),
        )
        for r in view.circle.rings
    ]
    for name, count in (
        ("farther", view.circle.too_far),
        ("no path", view.circle.unconnected),
    ):
        if count:
            rows.append((name, f"{count:,}", "none", "nothing", "–"))
    return pd.DataFrame(
        rows, columns=["distance", "members", "ε", f"told{unit}", "95 of 100 within"]
    )


def table_reading(view: View) -> str:
    """What a hop is, and what ε says."""
    user = named(view.asked.user)
    hop = (
        f"1 hop: treats {user} directly; each referral adds one."
        if view.asked.network.places
        else f"1 hop: knows {user}; 2 hops: knows somebody who does."
    )
    return f"{hop} A larger ε means a sharper, less private number."


def meter_reading(view: View) -> str:
    """What the two bars say: harm before ε."""
    if view.coalition is None:
        return ""
    right = number(rounded_up(view.right_guesses, 3))
    apart = f"{float(view.asked.sensitivity):g} {view.asked.unit}".strip()
    return (
        f"Of 1,000 guesses between two values {literal(apart)} apart, at most {right} are right "
        "here (a coin: 500). With separate noise, every ε would add."
    )


def meter_alt(view: View) -> str:
    """The two bars in words."""
    if view.coalition is None:
        return "No coalition."
    both = view.coalition.together
    return (
        f"Two bars of privacy loss. Here: ε = {significant(both.largest.value)}, the largest. With "
        f"separate noise: ε = {significant(both.added.value)}, the sum."
    )


def attack_reading(view: View) -> str:
    """What the two lines say."""
    unequal = view.coalition is not None and len(set(view.coalition.epsilons)) > 1
    first = ", the best informed first," if unequal else ""
    return (
        f"Here, more members{first} come no nearer. With separate noise, each would bring them "
        "nearer."
    )


def attack_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Averaging beside the best estimate, where that was simulated."""
    found = frame[frame["best"].notna()]
    rows = [
        (f"{count:,}", significant(averaged), f"{significant(best)} ± {significant(2 * error, 1)}")
        for count, averaged, best, error in zip(
            *(found[column] for column in ("members", "averaged", "best", "best error")),
            strict=True,
        )
    ]
    return pd.DataFrame(rows, columns=["members", "averaged", "best estimate"])


def attack_table_reading(view: View) -> str:
    """What the best estimate is, and how its error was found."""
    count = len(view.coalition.levels) if view.coalition else 0
    upto = f", up to {MOST_SIMULATED} members" if count > MOST_SIMULATED else ""
    unit = f", in {literal(view.asked.unit)}" if view.asked.unit else ""
    return (
        f"Root mean squared errors with separate noise for each{unit}. Best estimate: the mean "
        f"given all answers, simulated {REPETITIONS:,} times{upto}, ± two standard errors; no "
        "average is nearer."
    )


def attack_alt(frame: pd.DataFrame) -> str:
    """The two lines in words."""
    last = frame.iloc[-1]
    return (
        "Two lines over the number of members: how near the value 95 of 100 are. Here they stay "
        f"{within(last[OURS_HALF])}; with separate noise for each, {int(last['members']):,} "
        f"members who average are {within(last[AVERAGED_HALF])}."
    )


def joined(view: View, one: Joined) -> str:
    """How the answer to somebody new was found."""
    name, user = named(one.name), named(view.asked.user)
    where = "has no path" if one.distance is None else f"is {hops(one.distance)} away"
    if one.draw is None or one.epsilon is None:
        to = "to" if one.distance is None else "from"
        return f"**{name}** {where} {to} {user} and is told nothing."
    value = literal(f"{_answer(one.answer)} {view.asked.unit}".strip())
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
    apart = (
        "Δ" if view is None else f"Δ = {float(view.asked.sensitivity):g} {view.asked.unit}".strip()
    )
    data = "nothing yet" if view is None else f"a made-up value; network: {view.asked.network.name}"
    return footer(
        "ε-DP",
        unit="the value of the one person in the middle; who knows whom is not protected",
        neighbours=f"two values of that person at most {apart} apart",
        sensitivity=apart,
        data=data,
    )
