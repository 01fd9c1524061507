"""What stands at the picture of a circle, and what the meter says of those who compare notes."""

from dpviz.charts.local.network_frame import MOST_DRAWN
from dpviz.ui.growing_trust.circle.view import View
from dpviz.ui.growing_trust.circle.words import answer, hops, members, named, ring_of, who
from dpviz.ui.growing_trust.stories import Meter
from dpviz.words import NO_BREAK, budget, capitalised, pm, within
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import question


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
    named_so = f"{those} who compare notes" if several else those
    if found is None:
        return named_so, "Told nothing"
    near = within(found.half_width, view.asked.unit)
    return named_so, f"Together: still {near}" if several else capitalised(near)


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


def _hop(view: View) -> str:
    """What a hop is."""
    user = named(view.asked.user)
    if view.asked.network.places:
        return f"1{NO_BREAK}hop: treats {user} directly; each referral adds one."
    return f"1{NO_BREAK}hop: knows {user}; 2{NO_BREAK}hops: knows somebody who does."


def meter(view: View) -> Meter | None:
    """What those who compare notes can tell apart; None where nobody of them was told anything."""
    found, right = view.coalition, view.right
    if found is None or right is None:
        return None
    several = len(found.viewers) > 1
    return Meter(
        right=right,
        losses=(found.together.largest.value, found.together.added.value),
        who=f"{who(view)} together" if several else who(view),
        best="the best informed",
        asked=question(view.asked.value, float(view.asked.sensitivity)),
    )
