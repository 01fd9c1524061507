"""Collusion: what readers gain by comparing notes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.accounting.schemes import DOUBLING, GLOBAL, INDEPENDENT, LOSSLESS, SCHEMES, SPLITTING
from dpviz.charts.collusion import look_of, trade_off
from dpviz.charts.forms.bar_rows import bar_rows
from dpviz.charts.forms.guess_scale import ONE_NOISE, SEPARATE, with_sign
from dpviz.charts.forms.lines import Axis, Here, lines
from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.squares import guesses_frame, squares
from dpviz.experiments.attack import Worlds
from dpviz.noise.family import NORMAL
from dpviz.palette import GREY
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import FIRST_PLAN
from dpviz.scenes import collusion as scenes
from dpviz.scenes.collusion import (
    COUNTS,
    MOST_MEMBERS,
    SUMMED,
    WAYS,
    CoalitionLoss,
    Group,
    Holder,
    Ladder,
    Question,
)
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.ui.kit.state import Shelf
from dpviz.words import (
    NARROW,
    NO_BREAK,
    aligned,
    capitalised,
    clean,
    delta,
    join,
    percent,
    rounded_up,
    significant,
)
from dpviz.words.claims import Claim, Name, Number, Said, joined, say
from dpviz.words.grammar import numbered, times_in_100, uncapitalised
from dpviz.words.markdown import literal
from dpviz.workspace import takeaways
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import A_COIN, ALL, COIN, GUESSER
from dpviz.workspace.takeaways import counted, counted_with
from dpviz.workspace.workspace import Workspace

EXAMPLE, OWN = "example", "own"
WHOSE = {EXAMPLE: "made-up town", OWN: "my tiers"}
ONE, EVERYBODY = "one", "everybody"
NO_TIERS = (
    "No tier can be drawn yet: say on Tiers who may see how much, or choose the made-up town "
    "among the settings for specialists."
)
MOST_NAMED = 4
ACROSS = 50  # squares in a row: low enough for both arrays on one screen of a phone
EXAMPLE_FACTS = footer(
    "ρ-zCDP",
    unit="one person",
    neighbours="add or remove one person",
    sensitivity="one person moves the number by at most 1",
    data="none: the made-up town",
    symbols="Δ₂ = 1",
)


# --- whose tiers, and who compares notes ---


def specialist(ws: Workspace) -> Ladder:
    """Ask whose tiers.

    The visitor's tiers come first if they are not those that everybody finds here.
    """
    theirs = tuple(ws.plan.tiers) not in ((), FIRST_PLAN) or bool(ws.rounds)
    chosen = controls.segmented_control(
        "Whose tiers?",
        WHOSE,
        default=OWN if theirs else EXAMPLE,
        key="collusion_whose_theirs" if theirs else "collusion_whose",
        help="Made-up town: a count of people with Gaussian noise, which one person moves by 1. "
        "My tiers: your plan, with its noise and its sensitivity.",
    )
    return scenes.plan_of(ws) if chosen == OWN else scenes.example()


def settings(_: Workspace, ladder: Ladder) -> tuple[Ladder, tuple[Holder, ...]] | Missing:
    """All tiers: one reader of each, or every reader where more of them are known."""
    for problem in ladder.problems:
        st.caption(literal(problem))
    if not ladder.tiers:
        return Missing(NO_TIERS)
    if all((many or 1) == 1 for many in ladder.people.values()):
        return ladder, ladder.tiers
    how = controls.segmented_control(
        "Who compares notes?",
        {ONE: "one reader of each tier", EVERYBODY: "every reader"},
        default=ONE,
        key="collusion_persons",
        help="Every reader: as many people as the page Tiers states for each tier. A tier: a group "
        "of readers, who all get the same numbers.",
    )
    return ladder, ladder.everybody if how == EVERYBODY else ladder.tiers


def picked(scene: Group) -> tuple[Holder, ...]:
    """Those who compare notes, of the tiers that somebody picks."""
    looks = {m.name: m.style for m in scene.members[::-1]}
    ticked = controls.pills(
        "Tiers in the group",
        list(looks),
        default=list(looks),
        format_func=lambda name: parts.chip(name, looks[name]),
        key=controls.keyed("collusion_ticked", tuple(t.name for t in scene.ladder.tiers)),
        help="Tick the tiers that pool their numbers.",
    )
    return tuple(m for m in scene.members if m.name in set(ticked))


# --- the sentences ---


def headline(scene: Group) -> Said:
    """What comparing notes gains them: in guesses, here and with separate noise."""
    last = scene.last.name
    here = scene.here.times(
        "right guesses of the group, here",
        _held(scene, "the sharpest number says all"),
        _one(scene),
    )
    if scene.persons == 1:
        return say(
            "{last} alone guesses right {here} ({coin}) and has nobody to compare notes with.",
            last=Name(capitalised(last)),
            here=here,
            coin=A_COIN,
        )
    apart = scene.apart.claim(
        "right guesses of the group, with separate noise",
        _held(scene, "all numbers count"),
        _one(scene),
    )
    return say(
        "They gain nothing over {one}. {who} together guess right {here} ({coin}); with separate "
        "noise{each}, {apart}.",
        who=Name(capitalised(who(scene))),
        here=here,
        one=Name(f"{last} alone" if len(scene.members) > 1 else "one of them"),
        coin=A_COIN,
        each=_for_each(scene),
        apart=Number(scene.apart.said, apart),
    )


def _held(scene: Group, counts: str) -> str:
    """Who compares notes, and which of their numbers count."""
    return f"{numbered(scene.persons, 'readers')} in all, and {counts} (MATHEMATICS 1.3, 5.4)"


def _one(scene: Group) -> str:
    return scene.ladder.nouns.one


def _for_each(scene: Group) -> str:
    return " for each" if scene.persons > len(scene.members) else ""


def who(scene: Group) -> str:
    """Who compares notes, such as "all four tiers"."""
    tiers, readers = len(scene.members), scene.persons
    everybody = tiers == len(scene.ladder.tiers) > 1
    names = join([m.name for m in scene.members], most=MOST_NAMED)
    if readers > tiers:
        return (
            f"all {counted(readers)} readers"
            if everybody
            else (f"the {counted(readers)} readers of {names}")
        )
    if everybody:
        return "both tiers" if tiers == 2 else f"all {counted(tiers)} tiers"
    return names


def beside(scene: Group) -> tuple[Said, ...]:
    """How many readers of which tiers there are, where they are more than one of each."""
    if scene.persons <= len(scene.members):
        return ()
    many = [f"{m.joining:,}{NO_BREAK}{m.name}" for m in reversed(scene.members)]
    named = f": {join(many)}" if len(many) <= MOST_NAMED else f" of {counted(len(many))} tiers"
    held = "Each has the number of their tier."
    return (Said(f"{capitalised(counted(scene.persons))} readers{literal(named)}. {held}"),)


def learned(scene: Group) -> Said:
    """The privacy loss behind these guesses, and what separate noise would have given them."""
    bound = _bound(
        scene.ladder,
        scene.held,
        LOSSLESS,
        "the least private release tells all that the others tell (MATHEMATICS 1.3)",
    )
    if scene.persons == 1:
        return say("Its privacy loss is bounded by {bound} (larger = less private).", bound=bound)
    return say(
        "They learn exactly what {last} learns alone: a privacy loss bounded by {bound}. Separate "
        "noise would give them {most}{apart}.",
        last=Name(scene.last.name),
        bound=bound,
        most="up to " if scene.ladder.delta else "",
        apart=_bound(scene.ladder, scene.held, INDEPENDENT),
    )


def _bound(ladder: Ladder, held: Sequence[float], scheme: str, method: str = "") -> Number:
    """A bound on the privacy loss of readers with these budgets under a scheme."""
    found, releases = ladder.learned(held, scheme), len(held) if scheme == INDEPENDENT else 1
    at = min(1.0, releases * ladder.delta)
    claim = Claim(
        what=f"bound on the privacy loss, {SCHEMES[scheme].name}, {ladder.letter}",
        value=found.value,
        fixed="who compares notes, and what each tier holds"
        + (f", at δ = {significant(at)}" if at else ""),
        method=method or f"{found.method} (MATHEMATICS 5.4)",
        assumes="all releases are of one session" if scheme == LOSSLESS else "",
        kind="at most",
    )
    return Number(ladder.words(found.value, releases), claim)


@dataclass(frozen=True, slots=True)
class Sides:
    """What a membership test says: its two answers and its question."""

    yes: str
    no: str
    ask: str


def sides(ladder: Ladder) -> Sides:
    """The question that neighbouring tables ask: in or out, or which of two."""
    one = ladder.nouns.one
    if ladder.replaced:
        return Sides("B", "A", f"Is {one} A or {one} B in the table?")
    return Sides("in", "out", f"Is a given {one} in the table?")


# --- the picture, and its formulas ---


def picture(scene: Group) -> tuple[Picture, Picture]:
    """A thousand guesses of the group: by one path, and with separate noise."""
    own = (
        f"thanks to {scene.last.name}’s number",
        max(scene.here.count - COIN, 0),
        scene.last.style,
    )
    more = max(scene.apart.count - scene.here.count, 0)
    made = []
    for name, right, extra in (
        (ONE_NOISE, scene.here, 0),
        (f"{SEPARATE}, same ±", scene.apart, more),
    ):
        frame = guesses_frame((*own, False), ("by comparing notes", extra, None, False))
        made.append(
            squares(frame, across=ACROSS, key=True, name=name, number=with_sign(right.said))
        )
    return made[0], made[1]


def reading(scene: Group) -> str:
    """What a square is."""
    ask = uncapitalised(sides(scene.ladder).ask)
    return (
        f"Each square is one of {ALL:,} guesses: {ask} {GUESSER} With shared noise each noisier "
        "number is a sharper one plus more noise, so it tells nothing new. Both ways have the same "
        "± here; the page Variances compares them at equal protection."
    )


def formula(scene: Group) -> str:
    """The joint budget of every scheme with the numbers of this group, and its best test."""
    ladder, held = scene.ladder, scene.held
    x = r"\rho" if ladder.letter == "ρ" else r"\varepsilon"
    value = {s: f"**{significant(ladder.learned(held, s).value, 5)}**" for s in WAYS}
    few = [significant(each, 5) for each in held[:5]] + ["…"] * (len(held) > 5)
    of_global = "two members who hold equal numbers hold the global release"
    if ladder.letter == "ρ":
        of_global = (
            r"$\Big(g+\frac1{\sum_{i\in C}1/(t_i-g)}\Big)^{-1}$ with $t_i=1/\rho_i$, "
            r"$g=1/\rho_{\rm global}$"
        )
    lines = {
        LOSSLESS: rf"$\max_{{i\in C}}{x}_i$ = max({', '.join(few)})",
        INDEPENDENT: rf"$\sum_{{i\in C}}{x}_i$ = {' + '.join(few)}",
        SPLITTING: f"the sum of ${x}_i-{x}_{{i-1}}$ over the tiers in $C$",
        DOUBLING: f"the sum of the pieces ${x}_1 2^j$ held, each once",
        GLOBAL: of_global,
    }
    return "\n\n".join(
        [
            f"Readers $C$ with budgets ${x}_i$; together they learn",
            "\n".join(f"- {SCHEMES[s].name}: {line} = {value[s]}" for s, line in lines.items()),
            _test_formula(scene),
        ]
    )


def _test_formula(scene: Group) -> str:
    """The best membership test of all that one person moves."""
    family, two = scene.ladder.setting.family, sides(scene.ladder)
    if family.shape == NORMAL:
        return (
            "Membership test: for false alarms $\\alpha$ it misses at least "
            r"$\beta=\Phi(\Phi^{-1}(1-\alpha)-\mu)$, $\mu=\sqrt{2\rho}$; at even odds it is right "
            r"with probability at most $\Phi(\mu/2)$."
        )
    return (
        rf"Membership test: “{two.yes}” for the outcomes of the largest $P(y-\Delta)/P(y)$ first, "
        r"summed over all outcomes $y$; at even odds it is right with probability "
        r"$\frac12+\frac14\sum_y|P(y-\Delta)-P(y)|$. Several numbers, or several separate "
        "releases: the logarithms of the ratios add, and their distributions are convolved on a "
        "grid."
    )


def facts(scene: Group) -> Facts | None:
    """The facts of the made-up town; else those of the visitor's plan."""
    return None if scene.ladder.own else EXAMPLE_FACTS


# --- closer: watch an attacker try ---

AT = np.array([0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
SHARES = np.concatenate([np.geomspace(1e-4, 0.02, 40), np.linspace(0.025, 1, 160)])
SURE = NormalDist().inv_cdf((1 + ACCURACY_CONFIDENCE) / 2)  # standard deviations
BOTH = {LOSSLESS: "With one path", INDEPENDENT: "With separate noise"}
_KEPT = Shelf[dict[str, Worlds]]("collusion_attacks")


def attacker(_: Workspace, scene: Group) -> None:
    """A simulated attacker and its membership test; errors alone are drawn, of made-up numbers."""
    question = scenes.question(scene)
    worlds = _KEPT.take(question, lambda: scenes.attack(question))
    if len(question.levels) < scene.persons:
        st.caption(
            f"Only the {len(question.levels)} least private of the {scene.persons:,} readers "
            "attack here, in the picture and in the numbers below."
        )
    _membership(scene, question, worlds)
    for sentence in right_words(scene, question, worlds):
        parts.sentence(sentence)
    st.caption(knows(scene, question))


def _membership(scene: Group, question: Question, worlds: Mapping[str, Worlds]) -> None:
    """What the best membership test misses at each share of false alarms."""
    two = sides(scene.ladder)
    made = trade_off(
        {way: (SHARES, question.misses(SHARES, way)) for way in BOTH},
        {way: (AT, found.misses(AT)) for way, found in worlds.items()},
        style=scene.last.style,
        yes=two.yes,
        no=two.no,
    )
    marks = "; symbols: the simulated attacker" if worlds else ""
    parts.picture(
        made,
        heading=two.ask,
        reading=f"Lines: what no test comes below{marks}. Nearer to tossing a coin: more private.",
        key="collusion_trade_off",
    )


def right_words(scene: Group, question: Question, worlds: Mapping[str, Worlds]) -> list[Said]:
    """How many guesses are right: by the best test, and by the simulated attacker."""
    two, said = sides(scene.ladder), []
    for scheme, way in BOTH.items():
        what = f"right guesses “{two.yes}” or “{two.no}”, {SCHEMES[scheme].name}"
        best = question.right(scheme).times(what, "what this group holds", _one(scene))
        simulated = _simulated(worlds[scheme]) if worlds else ""
        said.append(
            say("{way} the best test is right {best}{by}.", way=way, best=best, by=simulated)
        )
    return said


def _simulated(found: Worlds) -> Said:
    """How many of 1,000 guesses a simulated attacker had right, and how far chance moves that."""
    share_, tries = found.success(), 2 * found.out.size
    by = max(math.ceil(ALL * SURE * math.sqrt(share_ * (1 - share_) / tries)), 1)
    claim = Claim(
        what="right guesses of the simulated attacker",
        value=ALL * share_,
        unit=f"of {ALL:,}",
        fixed=f"{tries:,} simulated worlds, half with the person; 95 times in 100 chance "
        f"moves it by at most {by}",
        method="counted",
        kind="simulated",
    )
    number = Number(f"{ALL * share_:.0f} ±{NARROW}{by}", claim)
    return say(", and the simulated attacker {number}", number=number)


def knows(scene: Group, question: Question) -> str:
    """What the attacker of the membership test knows, and whether anybody could do better."""
    ladder, end = scene.ladder, "nobody can do better."
    only = "which of the two it is" if ladder.replaced else f"whether this {ladder.nouns.one} is in"
    if not all(map(question.exact, BOTH)):
        which = "the number for separate noise is" if question.exact(LOSSLESS) else "both are"
        end = (
            f"{which} a bound from (ε, δ) alone, since the exact test of {question.moved.count:,} "
            "numbers is too long to compute; a real attacker is right less often."
        )
    if not question.worlds:
        end += " These are too many numbers to simulate."
    moves = capitalised(
        takeaways.moves(
            ladder.setting.sensitivity,
            step=ladder.setting.step,
            unit=literal(ladder.unit),
            replaced=ladder.replaced,
            one=ladder.nouns.one,
        )
    )
    return f"{moves}. The attacker knows all except {only}, and looks at all that moves: {end}"


# --- closer: pick the group yourself ---


def group(_: Workspace, scene: Group) -> None:
    """A group that somebody picks: what it learns in five ways, and how likely each loss is."""
    ladder, members = scene.ladder, picked(scene)
    if members:
        found = scenes.group(ladder, members)
        gain = headline(found)
        parts.sentence(joined([Said(f"**{gain.text}**", gain.claims), learned(found)]))
        if any((ladder.people[m.name] or 0) > MOST_MEMBERS for m in members):
            st.caption(f"More than {MOST_MEMBERS:,} of a tier count as {MOST_MEMBERS:,}.")
        sums = f" Each ε is at δ = {delta(ladder.delta)}; of sums (≤) the δ add, too."
        sums = sums if ladder.delta else ""
        parts.picture(
            scheme_bars(found),
            heading="What they learn together, five ways",
            reading="Shorter is more private. Each colour is what a tier adds, grey what no member "
            f"holds alone. Budget split and doubling need more noise.{sums}",
            key="collusion_bars",
        )
        if controls.toggle("Show how likely each privacy loss is", key="collusion_losses"):
            _losses(found)
    else:
        parts.empty("Nobody is ticked.", "Tick one tier or more.")
    _crowd(ladder)


def scheme_bars(found: Group) -> Picture:
    """A row for each scheme: what each tier adds to the joint bound."""
    ladder, frame = found.ladder, scenes.segments(found)
    colours = {m.name: m.style.colour for m in found.members} | {"": GREY}
    sums = frame.groupby("scheme", sort=False)["total"].first().tolist()
    totals = dict(zip(WAYS, aligned(sums), strict=True))
    rows = []
    for row in frame.to_dict("records"):
        scheme, tier = row["scheme"], row["tier"]
        most = "≤" + NARROW if ladder.delta and scheme != LOSSLESS else ""
        part = f"{ladder.letter} = {significant(row['loss'])}"
        rows.append(
            {
                "row": capitalised(SCHEMES[scheme].name)
                + (", as here" if scheme == LOSSLESS else ""),
                "length": row["loss"],
                "colour": colours[tier],
                "end": f"{most}{ladder.letter}{NARROW}{totals[scheme]}",
                "detail": f"{tier} adds {part}."
                if tier
                else f"No member holds this part alone: {part}.",
            }
        )
    return bar_rows(
        pd.DataFrame(rows),
        what=f"The bound {ladder.letter} on what they learn together, five ways.",
    )


def _losses(found: Group) -> None:
    """How likely each privacy loss of this group is, three ways."""
    ladder, losses = found.ladder, scenes.coalition_losses(found)
    if not losses:
        parts.empty("Too much to add up.", "Tick fewer tiers, or let fewer readers join in.")
        return
    missing = [SCHEMES[s].name for s in SUMMED if s not in {each.scheme for each in losses}]
    left_out = f" Too much to add up: {join(missing)}." if missing else ""
    one = ladder.nouns.one
    alike = f"with {one} B as with {one} A" if ladder.replaced else f"with this {one} as without"
    parts.picture(
        loss_curves(found, losses),
        heading="How likely each privacy loss is",
        reading=f"At a loss of 0 what they hold is as likely {alike}, at "
        f"{significant(math.log(2), 2)} twice as likely, at {significant(math.log(10), 2)} ten "
        f"times. Each ε is at δ{NO_BREAK}={NO_BREAK}{delta(ladder.setting.delta)}.{left_out}",
        key="collusion_losses_chart",
    )
    parts.sentence(loss_words(losses))


def loss_curves(found: Group, losses: Sequence[CoalitionLoss]) -> Picture:
    """The chance of a loss beyond each value, and the ε of each way."""
    names, looks = {}, {}
    for each in losses:
        least = significant(rounded_up(each.epsilon, 4), 4)
        kept = f"ε{NARROW}{least}" if math.isfinite(each.epsilon) else "no ε"
        name = names[each.scheme] = SCHEMES[each.scheme].name
        words = f"{capitalised(name)}: {kept}"
        looks[name] = look_of(each.scheme, found.last.style, words)
    frame = scenes.chances(losses)
    told = [
        f"a loss above {significant(loss)} in {percent(chance)} of cases."
        for loss, chance in zip(frame["loss"], frame["chance"], strict=True)
    ]
    rows = {"line": frame["scheme"].map(names), "x": frame["loss"], "y": 100 * frame["chance"]}
    return lines(
        pd.DataFrame(rows | {"detail": told}),
        what="The chance of each privacy loss, for all that they hold.",
        x=Axis(title="privacy loss"),
        y=Axis(title="chance of a larger loss, %"),
        looks=looks,
    )


def loss_words(losses: Sequence[CoalitionLoss]) -> Said:
    """Which privacy loss is seldom exceeded, in each way."""
    sure = times_in_100(ACCURACY_CONFIDENCE)
    held = [
        say(
            "{most} ({name})",
            most=_at_most(each.within(ACCURACY_CONFIDENCE), SCHEMES[each.scheme].name, sure),
            name=SCHEMES[each.scheme].name,
        )
        for each in losses
    ]
    return say(
        "{sure} their privacy loss is at most {held}.",
        sure=Name(capitalised(sure)),
        held=joined(held, ", "),
    )


def _at_most(value: float, name: str, sure: str) -> Number:
    claim = Claim(
        what=f"loss that is seldom exceeded, {name}",
        value=value,
        fixed=f"who compares notes, what each tier holds, and {sure}",
        method="the losses of all independent releases, added (MATHEMATICS 5.4, 5.7)",
        kind="at most",
    )
    return Number(significant(rounded_up(value, 3)), claim)


def _crowd(ladder: Ladder) -> None:
    """What many readers of one tier learn together."""
    tiers = ladder.tiers
    left, right = st.columns(2)
    with left:
        place = controls.selectbox(
            "Many readers of",
            range(len(tiers)),
            index=min(1, len(tiers) - 1),
            format_func=lambda i: f"{tiers[i].style.glyph} {clean(tiers[i].name)}",
            key=controls.keyed("collusion_tier", tuple(t.name for t in tiers)),
        )
    with right:
        count = controls.select_slider(
            "How many compare notes",
            COUNTS,
            value=5,
            format_func=lambda k: f"{k:,}",
            key="collusion_count",
        )
    tier = tiers[place]
    parts.picture(
        crowd_curves(ladder, tier, count),
        heading=f"What more and more readers of {literal(tier.name)} learn",
        reading="Both axes grow by factors of ten. Global release: one number at "
        f"{ladder.words(ladder.whole)}, of which each reader gets a copy with more noise.",
        key="collusion_crowd",
    )
    parts.sentence(crowd_words(ladder, tier, count))


def crowd_curves(ladder: Ladder, tier: Holder, count: int) -> Picture:
    """The joint bound against the number of readers of one tier, three ways."""
    names = {LOSSLESS: "lossless", INDEPENDENT: "separate noise", GLOBAL: "global release"}
    frame = scenes.crowd(ladder, tier.loss)
    told = [
        f"{readers:,} together learn {ladder.letter} = {significant(loss)}."
        for readers, loss in zip(frame["readers"], frame["loss"], strict=True)
    ]
    rows = {"line": frame["scheme"].map(names), "x": frame["readers"], "y": frame["loss"]}
    return lines(
        pd.DataFrame(rows | {"detail": told}),
        what=f"The joint bound {ladder.letter} against readers of one tier, three ways.",
        x=Axis(title="readers of the tier who compare notes", log=True),
        y=Axis(title=f"bound {ladder.letter} (larger = less private)", log=True),
        looks={name: look_of(scheme, tier.style) for scheme, name in names.items()},
        here=Here(x=count, words=numbered(count, "readers")),
    )


def crowd_words(ladder: Ladder, tier: Holder, count: int) -> Said:
    """What this many readers of one tier learn together, three ways."""
    held = [tier.loss] * count
    return say(
        "{who} of {tier} together learn {here}, because all of them hold the same numbers. "
        "Separate noise would give them {apart}, a global release {whole}.",
        who=Name(capitalised(counted_with(count, "readers"))),
        tier=Name(tier.name),
        here=_bound(ladder, held, LOSSLESS),
        apart=_bound(ladder, held, INDEPENDENT),
        whole=_bound(ladder, held, GLOBAL),
    )


PAGE = PageForm(
    file="collusion",
    specialist=specialist,
    controls=settings,
    scene=lambda ladder_and_members: scenes.group(*ladder_and_members),
    headline=headline,
    picture=picture,
    reading=reading,
    beside=beside,
    formula=formula,
    recipe=scenes.guesses,
    arguments=lambda scene: {
        "held": tuple(scene.counted),
        "letter": scene.ladder.letter,
        "delta": scene.ladder.delta,
    },
    facts=facts,
    closers=(
        Closer(label="Watch an attacker try", inside=attacker, key="collusion_attack"),
        Closer(
            label="Pick the group yourself",
            inside=group,
            key="collusion_group",
        ),
    ),
    wide=True,
)
