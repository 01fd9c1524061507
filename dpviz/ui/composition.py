"""Composition: what many private answers cost together.

What is typed into a row of the sequence belongs to its fields, whose keys have the number of the
row; a row keeps its number while others come and go.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.accounting.adaptive_composition import ADAPTIVE
from dpviz.accounting.bounds import ANY_ORDER, EXACT, FIXED_ORDER, IN_ADVANCE
from dpviz.accounting.composed_loss import NAME
from dpviz.accounting.pure_composition import NAME as WORST
from dpviz.charts.axes import probability
from dpviz.charts.forms.bar_rows import INK, Scale, Tick, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.palette import GREY, TEAL, rgba
from dpviz.parameters import DELTA, DELTA_MEANING, EPSILON
from dpviz.scenes import composition as scenes
from dpviz.scenes.composition import FEW, Composition, Questions, amount, shown
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.page_form import WORST_CASE, Closer, Missing, PageForm
from dpviz.ui.kit.parts import Field
from dpviz.ui.kit.state import Slot
from dpviz.words import NO_BREAK, budget, capitalised, delta, significant
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.grammar import uncapitalised
from dpviz.words.markdown import literal
from dpviz.workspace.composition import (
    ANSWERS,
    ANY,
    CHOICE,
    EXAMPLE,
    MOST_PARTS,
    Part,
    from_ledger,
    read_part,
    typed,
)
from dpviz.workspace.composition_totals import ANY_CHOICE, BY_RHO, FIXED, IN_ORDER, SUM, whole_rho
from dpviz.workspace.facts import DEFINITION_WORDS, Facts
from dpviz.workspace.guesses import A_COIN
from dpviz.workspace.takeaways import counted, counted_with
from dpviz.workspace.workspace import Workspace

CHANGE = "Change the questions"
NAMES = {answer.name: answer for answer in ANSWERS}
CHOSEN = {  # what may depend on earlier answers
    FIXED_ORDER: "one by one, in this order",
    ANY_ORDER: "one by one, in any order",
    IN_ADVANCE: "all in advance",
}
GRANTED = {
    ANY_ORDER: "each question, and its kind, may depend on the answers before it",
    FIXED_ORDER: "each question may depend on the answers before it, but not its kind",
    IN_ADVANCE: "no question depends on an answer",
}
MEANINGS = {  # beside the name of a bound
    SUM: "every ε added",
    BY_RHO: "every ρ added, then turned into ε",
    ANY_CHOICE: "by means and spreads",
    WORST: "each at its worst, added up",
    NAME: "each as it is known, added up",
    ADAPTIVE: "in the worst order",
    IN_ORDER: "of kinds as above",
    FIXED: "no question depends on an answer",
}
NO_QUESTION = "Add a question: here you read what all answers cost together."
WRONG = "Correct what is typed: then you read here what all answers cost together."


# --- the rows of the sequence ---

Texts = tuple[str, str, str, str]  # kind, budget, how many, note


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows in order, by their numbers, and what each began with."""

    order: tuple[int, ...]
    began: tuple[Texts, ...]  # by number

    @classmethod
    def of(cls, texts: Iterable[Texts], known: tuple[Texts, ...] = ()) -> "Rows":
        """New rows, numbered on from those that were there before."""
        added = tuple(texts)
        return cls(tuple(range(len(known), len(known) + len(added))), known + added)


ROWS = Slot("composition_rows", lambda: Rows.of(EXAMPLE))


def remove(number: int) -> None:
    """Take a row away, if it is still there."""
    rows = ROWS.get()
    ROWS.set(Rows(tuple(n for n in rows.order if n != number), rows.began))


def add() -> None:
    """Add a row at the end."""
    rows = ROWS.get()
    if len(rows.order) < MOST_PARTS:
        began = (*rows.began, (ANY.name, "0.1", "1", ""))
        ROWS.set(Rows((*rows.order, len(rows.began)), began))


def example() -> None:
    """Show the made-up sequence."""
    ROWS.set(Rows.of(EXAMPLE, ROWS.get().began))


def load(ws: Workspace) -> None:
    """Show what was released in the workspace, all of it."""
    texts = ((p.answer.name, amount(p), str(p.count), p.note) for p in from_ledger(ws))
    ROWS.set(Rows.of(texts, ROWS.get().began))


# --- what is asked ---


def specialist(ws: Workspace) -> tuple[str, Fraction]:
    """Ask in the drawer what may depend on earlier answers, and for the δ of all together."""
    controls.button(
        "Load my releases",
        load,
        ws,
        key="composition_load",
        icon="input",
        disabled=not ws.ledger,
        help="Replaces these questions by what this workspace has released, each session at its "
        "largest budget."
        + ("" if ws.ledger else " Nothing has been released yet: see the page Releases."),
    )
    granted = controls.radio(
        "Questions are chosen",
        list(CHOSEN),
        format_func=CHOSEN.__getitem__,
        key="composition_granted",
        help="Somebody who sees an answer before choosing the next question can learn a little "
        "more, and more again if the kind of the next answer may be chosen, too. Fewer bounds "
        "hold then.",
    )
    whole = Field(
        label="δ of all together",
        default=delta(ws.delta),
        help=f"δ, delta: {DELTA_MEANING}. It begins at the δ of your plan; changing it here "
        "changes no plan.",
        reader=DELTA.read_exact,
        key=f"composition_delta_{ws.delta!r}",
    )
    return granted, whole.value()


def settings(_: Workspace, chosen: tuple[str, Fraction]) -> Questions | Missing:
    """Ask for the sequence, and what may be spent."""
    kept = ROWS.get()
    if not kept.order:
        controls.button("Show the example", example, key="composition_example")
    change = st.popover(CHANGE, icon=":material/edit:", width="stretch")
    with change:
        read = [_row(place, number) for place, number in enumerate(kept.order)]
        controls.button(
            "Add a question",
            add,
            key="composition_add",
            icon="add",
            disabled=len(kept.order) >= MOST_PARTS,
        )
    limit = _limit()
    sequence = tuple(part for part in read if part is not None)
    if not read or len(sequence) < len(read):
        return Missing(WRONG if read else NO_QUESTION, file="")
    notes = tuple(_note(number, part) for number, part in zip(kept.order, sequence, strict=True))
    granted, whole = chosen
    return Questions(sequence=sequence, notes=notes, delta=whole, granted=granted, limit=limit)


def _row(place: int, number: int) -> Part | None:
    """The fields of one part and its buttons; None where it cannot be used, with the reason."""
    kind, amount_typed, many, note = ROWS.get().began[number]
    where = f"Question {place + 1}"
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{place + 1}** {literal(note)}" if note else f"**{where}**")
        name = controls.selectbox(
            "Kind of answer",
            list(NAMES),
            index=list(NAMES).index(kind),
            format_func=capitalised,
            key=f"composition_answer_{number}",
        )
        answer = NAMES[name]
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
            count = controls.text_input(
                "How many", many, key=f"composition_count_{number}", width=80
            )
            spent = controls.text_input(
                answer.budget,
                amount_typed,
                key=f"composition_budget_{number}",
                help=f"Of each answer. {capitalised(answer.name)}: {answer.meaning}.",
                width=112,
            )
            controls.button("Remove", remove, number, key=f"composition_remove_{number}")
        return parts.value_or_refusal(lambda: read_part(answer, spent, count, where=where))


def _note(number: int, part: Part) -> str:
    """What a row says of itself, if its kind is still the one that it began with."""
    name, _, _, note = ROWS.get().began[number]
    return note if name == part.answer.name else ""


def _limit() -> Fraction | None:
    """The total that may be spent, as typed; None: no limit."""

    def reader(text: str, *, where: str) -> Fraction | None:
        return EPSILON.read_exact(text, where=where) if text.strip() else None

    return Field(
        label="Your limit on the cost (ε)",
        default="2",
        help="How many more questions fit below it. Leave the field empty for no limit.",
        reader=reader,
        key="composition_limit",
    ).value()


# --- the sentences ---


def _answers(count: int) -> str:
    return counted_with(count, "answers")


def headline(scene: Composition) -> Said:
    """How many more answers fit below the limit, or what all cost where there is no limit."""
    many = Number(_answers(scene.count), _claimed(scene, "answers", scene.count, "counted"))
    gave = say("{Gave} {many} about the same people", Gave=Name(_gave(scene)), many=many)
    if scene.room is None:
        return say("{gave}. Together they cost ε ≤ {best}.", gave=gave, best=_total(scene))
    if scene.room.best < 0:
        return say("{gave}. That may cost more than your limit: ask less, or raise it.", gave=gave)
    claim = _claimed(
        scene,
        f"more answers like the last question that fit into {_limit_of(scene)}",
        scene.room.best,
        "searched by the totals of longer sequences (MATHEMATICS 5.7, 5.9)",
        assumes=_assumes(scene),
        kind="at least",
    )
    place = len(scene.questions.sequence)
    last = _name(scene.questions.sequence[-1], scene.questions.notes[-1])
    return say(
        "{gave}. {lead} limit has {room} like {question}.",
        gave=gave,
        lead="Together they cost less than their sum: your" if scene.gains else "Your",
        room=Number(
            f"room for {scene.room.best:,} more" if scene.room.best else "no room for more", claim
        ),
        question=Name(f"question {place:,}, {last}" if place > 1 else "these"),
    )


def _gave(scene: Composition) -> str:
    """Who gave the answers: nobody did where the questions are the example."""
    example = scene.questions.notes == tuple(note for *_, note in EXAMPLE)
    return "Suppose you gave" if example else "You gave"


def beside(scene: Composition) -> tuple[Said, ...]:
    """What the total means for one person, or that it is too large to mean anything."""
    if scene.likelier is None:
        return (Said("A cost this large promises next to nothing."),)
    fixed = _fixed(scene)
    at_limit = Said("")
    if scene.at_limit is not None:
        claim = scene.at_limit.claim("right, if the limit were spent", fixed)
        at_limit = say("; at your limit, {most}", most=Number(scene.at_limit.said, claim))
    return (
        say(
            "**What is ε?** How much all answers together may tell about one person. At ε ≤ {best} "
            "and {at} an insurer who knows everyone else guesses right "
            "about that person {right} ({coin}){at_limit}.",
            at=Name(at(scene)),
            best=_total(scene),
            right=scene.promised.times("right, if only the total ε is known", fixed),
            coin=A_COIN,
            at_limit=at_limit,
        ),
    )


def _limit_of(scene: Composition) -> str:
    return budget("ε", float(scene.questions.limit or 0))


def _claimed(scene: Composition, what: str, value: float, method: str, **more: Any) -> Claim:
    return Claim(what=what, value=value, fixed=_fixed(scene), method=method, **more)


def _fixed(scene: Composition) -> str:
    return f"these {_answers(scene.count)}, {at(scene)}"


def at(scene: Composition) -> str:
    """The δ of all answers together."""
    return f"δ{NO_BREAK}={NO_BREAK}{probability(math.log(scene.questions.delta))}"


def _assumes(scene: Composition) -> str:
    return f"{GRANTED[scene.questions.granted]}, and that each answer has fresh randomness"


def _total(scene: Composition) -> Number:
    best = scene.best
    claim = _claimed(
        scene,
        "total ε",
        float(best["epsilon"]),
        f"“{best['bound']}”, {best['theorem']}",
        assumes=_assumes(scene),
        kind="exact" if best["kind"] == EXACT else "at most",
    )
    return Number(shown(claim.value), claim)


def facts(scene: Composition) -> Facts:
    """Answers of any kind meet in (ε, δ)."""
    return (
        ("Definition", f"{DEFINITION_WORDS['(ε, δ)-DP']}; here {at(scene)}"),
        ("Unit", "one person, as each answer counts them"),
        ("Neighbours", "two tables that differ in one person"),
        ("Sensitivity", "that of each answer, which is part of its budget"),
        ("Data", "none: only budgets, which are public"),
    )


# --- the picture, and the formulas ---


def picture(scene: Composition) -> Picture:
    """The cost after each question, on a scale that ends at the limit, and the plain sum."""
    asked = list(zip(scene.questions.sequence, scene.questions.notes, strict=True))
    rows = [
        _bar(row, _question(place, *asked[place - 1]), INK)
        for place, row in enumerate(scene.filled, 1)
    ]
    together = f"All {_answers(scene.count)} together"
    if len(asked) <= len(rows) + 1:
        together = _question(len(asked), *asked[-1], scene.count)
    rows.append(_bar(scene.best, together, INK))
    if room := _room(scene):
        rows[-1]["row"] = f"{rows[-1]['row']}; teal: {room}"
        free = float(scene.questions.limit or 0) - float(scene.best["epsilon"])
        rows.append(rows[-1] | {"length": free, "colour": TEAL, "detail": f"{capitalised(room)}."})
    what = "What the answers cost in ε, as they are added."
    return bar_rows(pd.DataFrame(rows), what=what, scale=_scale(scene))


def _room(scene: Composition) -> str:
    """How many more answers fit; nothing where none does, or where there is no limit."""
    if scene.room is None or scene.room.best < 1:
        return ""
    return f"room for {scene.room.best:,} more"


def _question(place: int, part: Part, note: str, every: int = 0) -> str:
    """A question after those before it, in words; `every`: how many answers there are then."""
    count = f"{_answers(part.count)} of {part.words}"
    if every > part.count:
        count += f", {every:,} in all"
    return f"{'With q' if place > 1 else 'Q'}uestion {place}, {_name(part, note)}: {count}"


def _name(part: Part, note: str) -> str:
    """What a question is called in a sentence: as it was noted, else by its kind of answer."""
    return uncapitalised(note or part.answer.name)


def _scale(scene: Composition) -> Scale:
    """From nothing to the limit, or to the sum if that is larger or there is no limit.

    Marks say where the sum is, which nobody spends, and a limit below it.
    """
    most, limit = float(scene.added["epsilon"]), scene.questions.limit
    end, ticks = f"ε = {shown(most)}", list[Tick]()
    if scene.gains:
        words, why = "all costs simply added", "Nobody spends that: together answers cost less."
        ticks.append(Tick(at=most, words=words, end=end, detail=why))
    if limit is not None and float(limit) >= most:
        most, end = float(limit), f"your limit: {_limit_of(scene)}"
    elif limit is not None:
        stay = "Answers must stay left of it."
        ticks.append(Tick(at=float(limit), words="your limit", end=_limit_of(scene), detail=stay))
    return Scale(
        low=0.0,
        high=most,
        title="how much all answers may tell (ε)",
        low_words="0: nothing told",
        high_words=end,
        ticks=tuple(ticks),
    )


def reading(scene: Composition) -> str:
    """What the bars and the room beside them are, and why they are shorter than the sum."""
    if not scene.gains:
        return "Shorter is more private."
    limit = scene.questions.limit
    over = limit is not None and float(scene.added["epsilon"]) >= float(limit)
    lead = "Simply added, the costs would use up your limit; together" if over else "Together"
    picks = CHOICE in {part.answer for part in scene.questions.sequence}
    less = (
        " A pick from a list, such as a top illness, gives away less than a yes-or-no answer of "
        "the same ε: its loss varies half as much." * picks
    )
    few = " For few answers, the sum is the best bound." * scene.begins_as_a_sum
    return (
        f"{lead} answers cost less than their sum, and each further one adds less: it hardly ever "
        f"happens that all give away their maximum at once ({at(scene)}).{less}{few}"
    )


def _bar(row: Mapping[Any, Any], words: str, colour: str, digits: int = FEW) -> dict[str, object]:
    """A row of `bar_rows` for a bound, which is not made smaller by being written."""
    sign = "=" if row["kind"] == EXACT else "≤"
    late = "" if row["holds"] else " Only if all questions are fixed in advance."
    return {
        "row": words,
        "length": float(row["epsilon"]),
        "colour": colour,
        "end": f"ε{NO_BREAK}{sign}{NO_BREAK}{shown(row['epsilon'], digits)}",
        "detail": f"{row['theorem']}.{late}",
    }


FORMULA = (
    r"The loss of an answer is $\ln\frac{P(\text{answer}\mid\text{with the person})}"
    r"{P(\text{answer}\mid\text{without})}$; losses of answers with independent randomness add."
    "\n\n"
    r"**Sum**: $\sum_i\varepsilon_i$, where an answer with a $\rho$ has its $\varepsilon$ at an "
    r"equal share of $\delta$. **zCDP**: $\rho=\sum_i\rho_i$, with $\rho_i=\varepsilon_i^2/2$ for "
    r"anything that promises ε, $\varepsilon_i^2/8$ for the best of a list, "
    r"$\varepsilon_i+e^{-\varepsilon_i}-1$ for Laplace and $\Delta_2^2/(2\sigma^2)$ for Gaussian "
    r"noise; then $\varepsilon=\inf_{\alpha>1}\alpha\rho+\frac{L+(\alpha-1)\ln(1-1/\alpha)-"
    r"\ln\alpha}{\alpha-1}$ with $L=\ln(1/\delta)$. **Any choice and order**: "
    r"$\varepsilon=\sum_i\mu_i+\sqrt{2L\sum_i\tau_i^2}$, with "
    r"$\mu=\varepsilon\tanh(\varepsilon/2)$, $\tau=\varepsilon$ for anything that promises ε, and "
    r"$\mu=u-1-\ln u$, $u=\varepsilon/(e^\varepsilon-1)$, $\tau=\varepsilon/2$ for the best of a "
    r"list. **Worst losses, privacy losses**: the least $\varepsilon$ with "
    r"$E\big[(1-e^{\varepsilon-\text{loss}})_+\big]\le\delta$ for the sum of all losses. **Fixed "
    r"in advance**: the same with losses $t$ and $t-\varepsilon_i$ for the best of a list, the "
    r"worst $t$ for all. **Chosen as results come in**, **in this order**: a worst $t$ for each, "
    r"which may depend on earlier answers."
)


def formula(scene: Composition) -> str:
    """The formulas, and what they give for the sequence."""
    sequence, rows = scene.questions.sequence, []
    if scene.exact_sum is not None:
        added = " + ".join(f"{p.count:,} × {typed(p.amount)}" for p in sequence)
        rows.append(f"Sum: {added} = {typed(scene.exact_sum)}, exactly.")
    rows.append(f"All ρ added: $\\rho$ = {significant(whole_rho(sequence), 6)}.")
    rows += [
        f"{_titled(bound['bound'])}: $\\varepsilon$ = {significant(bound['epsilon'], 8)} "
        f"({bound['kind']}; {literal(bound['theorem'])})."
        for bound in scene.bounds.sort_values("epsilon", kind="stable").to_dict("records")
    ]
    right = significant(scene.right.value, 6)
    rows.append(
        f"Right guesses: $500\\,(1+\\delta(0))$ = {right} of 1,000. A promise of this ε and δ "
        f"alone, of which no more is known, would allow {scene.promised.said}."
    )
    if scene.likelier is not None:
        rows.append(
            f"No result is more than $e^\\varepsilon$ = {significant(scene.likelier, 5)} times as "
            "likely with a person as without, plus δ."
        )
    return FORMULA + "\n\n- " + "\n- ".join(rows)


def _titled(name: str) -> str:
    """The name of a bound at the beginning of a line; zCDP stays as it is."""
    return capitalised(name) if name.islower() else name


# --- the closers ---


def all_bounds(_: Workspace, scene: Composition) -> None:
    """The total by every bound, and what it is worth to register budgets."""
    rows: list[dict[str, object]] = []
    for bound in scene.bounds.to_dict("records"):
        name = bound["bound"]
        words = _titled(name) + (f": {MEANINGS[name]}" if name in MEANINGS else "")
        colour = INK if not rows else GREY if bound["holds"] else rgba(GREY, 0.35)
        rows.append(_bar(bound, words, colour, digits=4))
    made = bar_rows(pd.DataFrame(rows), what="Total ε by every bound.")
    reading = f"{capitalised(counted(len(rows)))} proven ceilings of one total, at {at(scene)}."
    if not scene.bounds["holds"].all():
        reading += " Faint: true only if the questions are chosen in advance."
    parts.picture(made, reading=reading, key="composition_bounds")
    parts.sentence(register(scene))


def register(scene: Composition) -> Said:
    """What budgets that are written down beforehand save, in whatever order they are used."""
    registered, on_the_way = (
        Number(
            shown(value),
            _claimed(scene, f"total ε, {how}", value, method, kind="at most", assumes=assumes),
        )
        for how, value, method, assumes in (
            (
                "budgets registered",
                scene.registered,
                "the least bound for any choice and order (MATHEMATICS 5.8)",
                "the budgets are fixed beforehand, each used once; all else follows the answers",
            ),
            (
                "budgets chosen on the way",
                scene.on_the_way,
                "the sum of ε, or of ρ turned into ε (MATHEMATICS 5.8)",
                "each budget may depend on the answers before it",
            ),
        )
    )
    if registered.text == on_the_way.text:
        return say(
            "Write your budgets down first, or choose each as you go: either way it is ε = {total} "
            "in all.",
            total=registered,
        )
    return say(
        "**Write your budgets down first**, and you may use them in any order: ε = {registered} "
        "in all. If you also choose each budget as you go, we can only promise ε = {on_the_way}.",
        registered=registered,
        on_the_way=on_the_way,
    )


PAGE = PageForm(
    file="composition",
    specialist=specialist,
    controls=settings,
    scene=scenes.scene,
    headline=headline,
    picture=picture,
    reading=reading,
    guesses=WORST_CASE,
    beside=beside,
    formula=formula,
    recipe=scenes.costs,
    arguments=lambda scene: scene.questions.typed,
    facts=facts,
    closers=(Closer(label="All proven bounds", inside=all_bounds, key="composition_bounds"),),
)
