"""What stands at the pictures of the page Social network: labels, captions, tables."""

from collections import Counter, defaultdict

import pandas as pd

from dpviz.charts.local.network_attack import AVERAGED_HALF, OURS_HALF
from dpviz.charts.local.network_frame import MOST_DRAWN
from dpviz.ui.social_network.circles import MOST_SIMULATED, REPETITIONS
from dpviz.ui.social_network.view import View
from dpviz.ui.social_network.words import answer, hops, members, named, ring_of
from dpviz.words import NO_BREAK, budget, capitalised, join, pm, significant, within
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import ALL, COIN, question


def told(view: View, name: object, distance: int) -> str:
    """What a member is told, for the hover."""
    if distance == 0:
        return f"{name} knows the exact value: {view.shown_value}."
    granted = {joined.name: joined for joined in view.circle.joined}
    if name in granted and granted[name].answer is not None:
        one = granted[name]
        return (
            f"{name}, new, {hops(distance)} away, is told {answer(one.answer)} {view.asked.unit} "
            f"({budget('ε', float(one.epsilon or 0))})."
        )
    ring = next((r for r in view.circle.rings if r.distance == distance), None)
    if ring is None:
        return f"{name}, {hops(distance)} away, is told nothing."
    return (
        f"{name}, {hops(distance)} away, is told {answer(ring.answer, ring.half_width)} "
        f"{view.asked.unit} ({budget('ε', float(ring.epsilon))})."
    )


def answers(view: View) -> dict[int, tuple[str, str]]:
    """What each ring is told, as it stands in the picture; the next one is told nothing."""
    found = {
        r.distance: f"{answer(r.answer, r.half_width)} {pm(r.half_width)}"
        for r in view.circle.rings
    }
    beyond = view.asked.trust.rings + 1
    if view.circle.members_at(beyond):
        found[beyond] = "no answer"
    return {distance: (hops(distance), text) for distance, text in found.items()}


def heading(view: View) -> str:
    """What the picture is."""
    unit = f", in {literal(view.asked.unit)}" if view.asked.unit else ""
    return f"What {named(view.asked.user)}’s circle is told: {literal(view.asked.what)}{unit}"


def reading(view: View, drawn: int) -> str:
    """How to read the picture."""
    text = f"{_hop(view)} Everybody on a dotted circle is told the number at its top."
    connected = len(view.circle.network.distances(view.asked.user))
    if drawn < min(connected, MOST_DRAWN + 1) or connected > MOST_DRAWN:
        text += f" Drawn: the nearest {drawn:,} of {len(view.circle.network.members):,} members."
    return text


def ringed(view: View) -> tuple[str, ...]:
    """Who compares notes, and how near they come together: two lines beside the circle."""
    if not view.pooling:
        return ()
    found, several = view.coalition, len(view.pooling) > 1
    those = f"Ringed: {members(len(view.pooling), view.asked.network.places)}"
    who = f"{those} who compare notes" if several else those
    if found is None:
        return who, "Told nothing"
    near = within(found.half_width, view.asked.unit)
    return who, f"Together: still {near}" if several else capitalised(near)


def circle_alt(view: View) -> str:
    """The picture in words."""
    rings = "; ".join(
        f"{ring_of(r, view.asked.network.places)}: {answer(r.answer, r.half_width)}"
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
            answer(r.answer, r.half_width),
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
    """What ε says, and what the two bars below are."""
    if view.coalition is None:
        return "ε bounds the privacy loss: a larger one means a sharper, less private number."
    return (
        "ε bounds the privacy loss. Of those who compare notes, the largest ε counts; with "
        "separate noise, every ε would add."
    )


def _hop(view: View) -> str:
    """What a hop is."""
    user = named(view.asked.user)
    if view.asked.network.places:
        return f"1{NO_BREAK}hop: treats {user} directly; each referral adds one."
    return f"1{NO_BREAK}hop: knows {user}; 2{NO_BREAK}hops: knows somebody who does."


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
    """What the two lines say: harm in guesses."""
    right = view.right
    if right is None:
        return ""
    here, apart = right
    asked = literal(question(view.asked.value, float(view.asked.sensitivity)))
    return (
        "Here each circle gets the next inner circle’s number with more noise, so comparing adds "
        f"nothing: of {ALL:,} guesses whether it is {asked}, {here.said} are right (a coin: "
        f"{COIN}). With separate noise, up to {apart.count:,}."
    )


def joining(view: View) -> list[tuple[str, int]]:
    """Who joins one after the other, those who were told most first, and how many they are."""
    if view.coalition is None:
        return []
    away = defaultdict(list)
    for ring in view.circle.rings:
        away[ring.epsilon].append(ring.distance)
    told = sorted(Counter(view.coalition.epsilons).items(), reverse=True)
    return [
        (f"{_all_hops(away[epsilon])} away" if epsilon in away else "newcomers", count)
        for epsilon, count in told
    ]


def _all_hops(distances: list[int]) -> str:
    """One distance, or several.

    >>> _all_hops([1]), _all_hops([2, 3])
    ('1 hop', '2 and 3 hops')
    """
    *before, last = distances
    return join([*map(str, before), hops(last)])


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


def attack_alt(frame: pd.DataFrame, groups: int) -> str:
    """The two lines in words."""
    last = frame.iloc[-1]
    bends = " Dotted: where those farther away begin to join." if groups > 1 else ""
    return (
        "Two lines over the number of members: how near the value 95 of 100 are. Here they stay "
        f"{within(last[OURS_HALF])}; with separate noise for each, {int(last['members']):,} "
        f"members who average are {within(last[AVERAGED_HALF])}.{bends}"
    )
