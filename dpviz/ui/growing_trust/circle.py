"""Growing trust, a circle of friends: what each ring is told, who compares notes, who joins."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import streamlit as st

from dpviz.charts.circle import MOST_DRAWN, NAME, circle_frames, circle_picture
from dpviz.charts.forms.picture import Picture
from dpviz.local.person import BRIDGE, EXTEND, FIRST, KNOWN, NEARER
from dpviz.local.trust import EXAMPLE, Trust, read_trust
from dpviz.parameters import EPSILON, SENSITIVITY
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.scenes import growing_trust as scenes
from dpviz.scenes.growing_trust import NETWORKS, CircleScene, CircleSettings, Network
from dpviz.ui.growing_trust import meter
from dpviz.ui.growing_trust.meter import REFUSED
from dpviz.ui.kit import controls, parts, press, state
from dpviz.ui.kit.page_form import COMPUTED, Closer, Missing, PageForm
from dpviz.ui.kit.parts import Field
from dpviz.ui.kit.state import Shelf, fill
from dpviz.words import (
    NO_BREAK,
    budget,
    join,
    number,
    percent,
    pm,
    shorten,
    significant,
    visible,
    within,
)
from dpviz.words.claims import Claim, Name, Said, plus_minus, say
from dpviz.words.grammar import several, times_in_100
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.local.social_network import Circle, Joined, Ring, read_value
from dpviz.workspace.workspace import Workspace

LONGEST = 30  # letters of a name in a sentence
FEW = 3  # members whose names a sentence lists
_CIRCLES = Shelf[Circle]("network_circles")


# --- whose circle it is ---


def _network() -> Network:
    """The network that is looked at."""
    name = controls.selectbox(
        "Network",
        list(NETWORKS),
        key="network_which",
        help="The value is made up and typed here, in every network: nobody’s data is asked for.",
    )
    found = NETWORKS[name]
    st.caption(found.told)
    return replace(found, graph=scenes.graph_of(found.source))


def _person_key(network: str) -> str:
    return controls.keyed("network_person", network)


def _person(network: Network) -> str:
    """Whose circle is shown."""
    names = list(network.graph)
    return str(
        controls.selectbox(
            "Whose circle",
            names,
            index=names.index(network.somebody),
            format_func=visible,
            key=_person_key(network.name),
            help="Or click somebody in the picture.",
        )
    )


# --- what is told in it, and who compares notes ---


def settings(ws: Workspace) -> CircleScene | Missing:
    """Ask who compares notes; behind a button, for a circle of the visitor’s own."""
    beside = st.container()
    with st.popover("Your own circle", icon=":material/edit:"):
        network = _network()
        user = _person(network)
        what = visible(controls.text_input("What is asked", "blood pressure", key="network_what"))
        unit = controls.text_input("Unit", "mmHg", key="network_unit", placeholder="none")
        unit = visible(unit.strip())[:20]
        value, sensitivity = _value_field().value(), _apart_field(unit).value()
        found = CircleSettings(
            network=network.source,
            mark=network.name,
            graph=network.graph,
            places=network.places,
            user=user,
            what=what.strip()[:30] or "value",
            value=value,
            unit=unit,
            sensitivity=sensitivity,
            trust=_trust(),
            mode=ws.mode,
        )
    circle = parts.value_or_refusal(lambda: circle_of(found))
    if circle is None:  # what is typed does not go together
        return REFUSED
    with beside:
        rings, members = _coalition(found, circle)
    return CircleScene(settings=found, circle=circle, rings=rings, members=members)


def _value_field() -> Field[Any]:
    return Field(
        label="Own value",
        default="142",
        help="You make it up, so the page may show it. A whole number gets answers in whole "
        "numbers; one with a decimal point gets answers with decimals.",
        reader=read_value,
        key="network_value",
    )


def _apart_field(unit: str) -> Field[Any]:
    return Field(
        label="Hide differences up to" + (f" ({literal(unit)})" if unit else ""),
        default="20",
        help="From the answers, two values of this person that are no farther apart are hard to "
        "tell from each other; ε says how hard. A larger number hides more and needs more noise, "
        "of scale b = Δ/ε, where Δ is this number.",
        reader=SENSITIVITY.read_exact,
        key="network_apart",
    )


def _trust() -> Trust:
    """The ε of each ring."""
    return Field(
        label="ε of each ring, nearest first",
        default="4, 2, 1",
        help="ε, epsilon, bounds the privacy loss of an answer: larger = less private, less noise. "
        f"One ε for each ring, such as {EXAMPLE}; those who are farther away get no answer.",
        reader=lambda text, *, where: read_trust(text),  # noqa: ARG005 - it names the ring
        key="network_epsilons",
    ).value()


def circle_of(found: CircleSettings) -> Circle:
    """The circle of a person, answered when it is first asked for, and kept.

    Raises:
        ParameterError: what is typed does not go together.
    """
    told = (found.user, found.value, found.sensitivity, found.trust, found.mode)
    return _CIRCLES.take(found.key, lambda: scenes.answered(found.graph, *told))


def _coalition(found: CircleSettings, circle: Circle) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Who compares notes: whole rings, and single members."""
    distances = [ring.distance for ring in circle.rings]
    if not distances:
        return (), ()
    names = {ring.distance: _ring_name(ring, found.places) for ring in circle.rings}
    what = (found.mark, found.user, distances)
    rings = controls.pills(
        "Who compares notes",
        distances,
        default=distances[1:3] if len(distances) > 2 else distances,
        format_func=names.__getitem__,
        key=controls.keyed("network_rings_pooling", what),
    )
    others = [name for name in circle.network.members if name != circle.user]
    single = controls.multiselect(
        "And these of the others",
        others,
        key=controls.keyed("network_members", (what, len(circle.joined))),
        format_func=visible,
        placeholder="Add somebody",
    )
    return tuple(rings), tuple(single)


def look_at(scene: CircleScene, row: int) -> None:
    """Show the circle of somebody who was clicked in the picture."""
    key = _person_key(scene.settings.mark)
    if state.field(key) is not None:
        fill(key, _nodes(scene)[0][NAME].tolist()[row])


# --- the sentences ---


def _name(name: object) -> str:
    """A stranger’s name in a sentence."""
    return shorten(visible(name), LONGEST)


def _hops(distance: int) -> str:
    return several(distance, "hop", "hops")


def _count(many: int, places: bool) -> str:
    """How many members."""
    return several(many, *(("hospital", "hospitals") if places else ("person", "people")))


def _ring_name(ring: Ring, places: bool) -> str:
    """A ring by its distance and size."""
    return f"{_hops(ring.distance)} away ({_count(len(ring.members), places)})"


def _who(scene: CircleScene) -> str:
    """Who compares notes, of those who were told anything: by number, or a few by name."""
    viewers = scene.coalition.viewers if scene.coalition else ()
    count = _count(len(viewers), scene.settings.places)
    if len(viewers) > FEW or not set(viewers).intersection(scene.members):
        return count
    return f"{count} ({join([_name(name) for name in viewers])})"


def headline(scene: CircleScene) -> Said:
    """What a coalition learns here, and what it would learn with separate noise."""
    found = scene.coalition
    if found is None:
        return Said(
            "None of those who compare notes was told anything: they learn nothing."
            if scene.pooling
            else "Choose who compares notes, and this line will say what that brings them."
        )
    those, unit = _who(scene), scene.settings.unit
    most, apart = found.together.largest, f"Δ = {float(scene.settings.sensitivity):g}"
    fixed = f"{those}, {budget('ε', most.value)} for the best informed, {apart}"
    sure = f"{fixed}, {percent(ACCURACY_CONFIDENCE)} confidence"
    ours = Claim(
        what="± of the best estimate from the answers here",
        value=found.half_width,
        unit=unit,
        fixed=sure,
        method="quantile of the noise at the largest ε among them: the others add nothing to "
        "that answer (MATHEMATICS 4.1, 15.3)",
        assumes="an estimate shifts by as much as all answers shift",
    )
    thing = {"whose": Name(_name(scene.settings.user)), "what": Name(scene.settings.what)}
    if len(found.viewers) == 1:
        return say(
            "{those} knows {whose}’s {what} {near}, {often}.",
            those=Name(those),
            near=_near(ours),
            often=Said(times_in_100(ACCURACY_CONFIDENCE)),
            **thing,
        )
    separate = Claim(
        what="± of the best weighted average, separate noise for each",
        value=found.separate,
        unit=unit,
        fixed=sure,
        method="inverse-variance weights; the noise terms convolved on a grid of 1/400 of the "
        "spread of their average (MATHEMATICS 15.3)",
    )
    return say(
        "{those} compare notes on {whose}’s {what} and still know it only {near}, as the best "
        "informed of them did before. With separate noise, an average would bring them {apart}.",
        those=Name(those),
        near=_near(ours),
        apart=_near(separate, unit=False),
        **thing,
    )


def _near(claim: Claim, *, unit: bool = True) -> Said:
    """How near an estimate comes."""
    if claim.value == 0:
        return Said("to what is usually exactly right", (claim,))
    return say("to within {half}", half=plus_minus(claim, unit=unit))


def beside(scene: CircleScene) -> tuple[Said, ...]:
    """What those who compare notes guess."""
    found = scene.meter
    if found is None:
        return ()
    guess = "together guess" if found.readers > 1 else "guesses"
    fixed = f"Δ = {float(scene.settings.sensitivity):g}; the graph is not protected"
    return (meter.question(found, f"{_who(scene)} {guess}", fixed),)


def aside(scene: CircleScene) -> Picture | None:
    """How often those who compare notes are right; nothing where nobody was told anything."""
    return None if scene.meter is None else meter.bars(scene.meter, "the best informed")


def reading(scene: CircleScene) -> str:
    """How to read the picture."""
    user = literal(_name(scene.settings.user))
    hop = f"1{NO_BREAK}hop: knows {user}; 2{NO_BREAK}hops: knows somebody who does."
    if scene.settings.places:
        hop = f"1{NO_BREAK}hop: treats {user} directly; each referral adds one."
    text = f"{hop} Everybody on a dotted circle is told the number at its top."
    drawn = len(_nodes(scene)[0])
    connected = len(scene.circle.network.distances(scene.settings.user))
    if drawn < min(connected, MOST_DRAWN + 1) or connected > MOST_DRAWN:
        text += f" Drawn: the nearest {drawn:,} of {len(scene.circle.network.members):,} members."
    return text


# --- the picture ---


def _answer(told: float | None, half: float | None = None) -> str:
    """A number that was told, with the digits that its accuracy deserves."""
    return "nothing" if told is None else number(told, step=half)


def _told(scene: CircleScene, name: object, distance: int) -> str:
    """What a member is told, for the hover."""
    unit = scene.settings.unit
    if distance == 0:
        return f"{name} knows the exact value: {f'{scene.settings.value} {unit}'.strip()}."
    new = {one.name: one for one in scene.circle.joined}.get(name)
    ring = next((r for r in scene.circle.rings if r.distance == distance), None)
    who = f"{name}, {'new, ' if new else ''}{_hops(distance)} away"
    if new is not None and new.answer is not None:
        answer, epsilon = _answer(new.answer), float(new.epsilon or 0)
    elif ring is not None:
        answer, epsilon = _answer(ring.answer, ring.half_width), float(ring.epsilon)
    else:
        return f"{who}, is told nothing."
    return f"{who}, is told {answer} {unit} ({budget('ε', epsilon)})."


def _nodes(scene: CircleScene) -> Any:
    """Members with their places, and who knows whom."""
    return circle_frames(
        scene.circle.network,
        scene.settings.user,
        reach=scene.settings.trust.rings + 1,
        told=partial(_told, scene),
        pools=set(scene.pooling),
        new={one.name for one in scene.circle.joined},
    )


def picture(scene: CircleScene) -> Picture:
    """Who is told what, and who compares notes."""
    nodes, edges = _nodes(scene)
    found, beyond = scene.circle, scene.settings.trust.rings + 1
    answers = {
        r.distance: f"{_answer(r.answer, r.half_width)} {pm(r.half_width)}" for r in found.rings
    }
    if found.members_at(beyond):
        answers[beyond] = "no answer"
    made = circle_picture(
        nodes,
        edges,
        answered=len(found.rings),
        answers={distance: (_hops(distance), text) for distance, text in answers.items()},
        value=str(scene.settings.value),
        ringed=_ringed(scene),
    )
    return Picture(made.figure, f"{made.alt} {found.unanswered:,} get no answer.")


def _ringed(scene: CircleScene) -> tuple[str, ...]:
    """Who compares notes, and how near they come together: two lines beside the circle."""
    if not scene.pooling:
        return ()
    those, found = _count(len(scene.pooling), scene.settings.places), scene.coalition
    if found is None:
        return f"Ringed: {those}", "Told nothing"
    near = within(found.half_width, scene.settings.unit)
    return f"Ringed: {those} who compare notes", f"Together: still {near}"


# --- the closer: one more reader ---


def add_reader(_: Workspace, scene: CircleScene) -> None:
    """Somebody joins later: name, friend, and an own ε if the person grants one."""
    circle, places = scene.circle, scene.settings.places
    members, new = circle.network.members, "eye clinic" if places else "Zoe"
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        name = controls.text_input("New member", new, key=f"network_new_{new}", width=150)
        friend = controls.selectbox(
            "Who knows",
            list(members),
            index=_farthest(circle),
            key=controls.keyed("network_friend", (scene.settings.key, len(members))),
            format_func=visible,
        )
        own = controls.text_input(
            "ε granted",
            "",
            placeholder="by distance",
            key="network_granted",
            width=150,
            help="Empty: the ε of their ring. Another ε may lie between the ε of two rings.",
        )
        press.button(
            "Let them join",
            join_circle,
            circle,
            name,
            friend,
            own,
            key="network_join",
            type="primary",
            icon="person_add",
        )
        if circle.joined:
            again: Callable[..., None] = _CIRCLES.drop  # the answers come out the same in practice
            label, key = "Take them out again", "network_again"
            controls.button(label, again, scene.settings.key, key=key, icon="undo")
    parts.problem_of_last_act()
    for one in circle.joined:
        st.markdown(joined(scene, one))


def join_circle(circle: Circle, name: str, friend: str, epsilon: str) -> None:
    """Let somebody join, at an ε of their own if one is typed.

    Raises:
        ParameterError: one sentence with what to type instead.
    """
    own = EPSILON.read_exact(epsilon, where="ε of the new member") if epsilon.strip() else None
    circle.join(name, friend, own)


def _farthest(circle: Circle) -> int:
    """Somebody in the last ring but one, so that who joins there is in the last one."""
    rings = circle.rings[:-1] or circle.rings
    members = circle.network.members
    return members.index(rings[-1].members[-1]) if rings else members.index(circle.user)


def joined(scene: CircleScene, one: Joined) -> str:
    """How the answer to somebody new was found."""
    name, user = literal(_name(one.name)), literal(_name(scene.settings.user))
    where = "has no path" if one.distance is None else f"is {_hops(one.distance)} away"
    if one.draw is None or one.epsilon is None:
        to = "to" if one.distance is None else "from"
        return f"**{name}** {where} {to} {user} and is told nothing."
    value = literal(f"{_answer(one.answer)} {scene.settings.unit}".strip())
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


# --- for specialists ---

FORMULA = (
    r"Somebody $d$ hops away is answered at $\varepsilon(d)$, which never rises with $d$: with the "
    r"value plus noise of scale $b=\Delta/\varepsilon(d)$. All answers lie on one path of noise, "
    r"so a coalition $S$ learns $\max_{i\in S}\varepsilon_i$; with separate noise for each it "
    r"would learn $\sum_{i\in S}\varepsilon_i$."
    "\n\n"
    r"Mean squared errors, with $v_i$ the variance of the noise of member $i$ "
    r"($2b^2$ for Laplace noise): $\min_i v_i$ from answers of one path, however large "
    r"the coalition; $1/\sum_i v_i^{-1}$ by the best weighted average of answers with separate "
    r"noise, which is $2\Delta^2/(k\varepsilon^2)$ for $k$ equal $\varepsilon$ and Laplace noise."
    "\n\n"
    r"Protected is the value, not the graph: that two answers are equal tells that two members are "
    r"equally far away."
)
PICKED = (
    "The seed was picked so that the numbers of the first example are about as far off as is "
    "typical."
)


def formula(scene: CircleScene) -> str:
    """The formulas (MATHEMATICS 15.3, 15.4), and what they give for this circle."""
    lines = [
        f"{r.distance} away: $\\varepsilon$ = {_digits(r.epsilon)}, $b$ = {_digits(r.level)}, "
        f"$\\sqrt v$ = {_digits(r.error)}."
        for r in scene.circle.rings
    ]
    if scene.coalition is not None:
        both, errors = scene.coalition.together, scene.coalition.errors
        lines += [
            f"Coalition: max {_digits(both.largest.value)}, sum {_digits(both.added.value)}.",
            f"Mean squared error: {_digits(errors.lossless)} here; {_digits(errors.weighted)} with "
            "separate noise.",
        ]
    noise = f"Noise: {literal(scene.circle.family.label)}."
    if scene.settings.mode == "teaching":
        noise += f" {PICKED}"
    return "\n\n- ".join([f"{FORMULA}\n\n{noise}", *lines])


def _digits(x: float | Fraction) -> str:
    return significant(float(x), 6)


def facts(scene: CircleScene) -> Facts:
    """Definition, unit, neighbours, sensitivity and data of this story."""
    apart = f"{float(scene.settings.sensitivity):g} {scene.settings.unit}".strip()
    return footer(
        "ε-DP",
        unit="the value of the one person in the middle; who knows whom is not protected",
        neighbours=f"two values of that person at most {apart} apart",
        sensitivity=f"changes of the value by up to {apart} are hidden",
        data="a made-up value, in a network that is made up or a classic one",
        symbols=f"Δ = {apart}",
    )


def arguments(scene: CircleScene) -> dict[str, object]:
    """With which the recipe makes the numbers on screen."""
    circle = scene.circle
    return {
        "network": scene.settings.network,
        "user": scene.settings.user,
        "value": scene.settings.value,
        "sensitivity": scene.settings.sensitivity,
        "trust": scene.settings.trust,
        "mode": scene.settings.mode,
        "joined": tuple(
            (one.name, circle.network.neighbours(one.name)[0], one.epsilon) for one in circle.joined
        ),
        "rings": scene.rings,
        "members": scene.members,
    }


PAGE = PageForm(
    file="growing_trust",
    guesses=COMPUTED,
    controls=settings,
    headline=headline,
    picture=picture,
    pressed=look_at,
    reading=reading,
    beside=beside,
    aside=aside,
    formula=formula,
    recipe=scenes.circle,
    arguments=arguments,
    facts=facts,
    closers=(Closer(label="Add a reader", inside=add_reader, key="network_add"),),
    badges=(parts.lossless("the best informed"),),
)
