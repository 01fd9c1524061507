"""The risk card: what one tier or the ticked coalition learns, as a picture that can be saved."""

import math
from dataclasses import replace

import streamlit as st

from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.collusion.card import Card, card_bars, risk_card
from dpviz.charts.collusion.frame import INDEPENDENT, persons
from dpviz.ui.collusion.controls import View
from dpviz.ui.collusion.words import moves, sides
from dpviz.ui.collusion.worlds import question
from dpviz.ui.kit import controls, parts
from dpviz.words import capitalised, clean, delta, join, within
from dpviz.words.markdown import literal
from dpviz.workspace.facts import DEFINITION_WORDS, MODE_WORDS
from dpviz.workspace.promises import notes
from dpviz.workspace.workspace import Workspace

_NAMED = 3


def section(ws: Workspace, shown: View) -> None:
    """Choose whose card, look at it, save it."""
    left, right = st.columns([3, 1], gap="medium")
    with right:
        place = controls.selectbox(
            "Card of",
            range(-1, len(shown.plan.tiers)),
            format_func=lambda i: _title(shown, i),
            help="The coalition ticked above, or one tier alone.",
            lasting=False,
            key=controls.keyed("collusion_card_of", [t.name for t in shown.plan.tiers]),
        )
        one = shown if place < 0 else replace(shown, members=(shown.plan.tiers[place],))
        made = card_of(ws, one)
        controls.download_button(
            "Save the card as SVG",
            data=risk_card(made).encode("utf-8"),
            file_name="dpviz-risk-card.svg",
            mime="image/svg+xml",
            key="collusion_card",
            width="stretch",
        )
        st.caption("One picture for a slide or a report. No released number is on it.")
    with left, st.container(border=True):
        _written(made)


def _written(made: Card) -> None:
    """The card on the page, in its font and on its ground."""
    st.subheader(f"Risk card: {literal(made.who)}", anchor=False)
    st.markdown(literal(made.sentence))
    each = [f"{name} {stated}" for name, _, stated in made.bars]
    parts.chart(
        card_bars(made),
        heading="",
        reading="",
        alt=f"Bars of the bound on the privacy loss: {join(each)}.",
        key="collusion_card_bars",
    )
    st.markdown("  \n".join(f"{literal(name)}: **{literal(value)}**" for name, value in made.rows))
    st.caption("  \n".join(literal(text) for text in made.small))


def _title(shown: View, place: int) -> str:
    if place < 0:
        return "the ticked coalition"
    tier = shown.plan.tiers[place]
    return f"{shown.look(tier).glyph} {clean(tier.name)}"


def card_of(ws: Workspace, shown: View) -> Card:
    """The card's texts and bars, plain."""
    plan, last = shown.plan, shown.last
    names = [m.name if m.joining == 1 else f"{m.joining:,} of {m.name}" for m in shown.members]
    who = join(names) if len(names) <= _NAMED else f"{len(names)} tiers up to {last.name}"
    apart = plan.learned(persons(shown.members), INDEPENDENT).value
    most = "" if plan.adds_exactly else "at most "
    sentence = (
        f"{capitalised(last.name)} alone learns a privacy loss bounded by "
        f"{shown.budget(last.loss)}."
        if shown.persons == 1
        else f"Together they learn what {last.name} learns alone: a privacy loss bounded by "
        f"{shown.budget(last.loss)}."
    )
    bars = [("Lossless release (here)", last.loss, shown.budget(last.loss))]
    if shown.persons > 1:
        bars.append(
            ("Independent releases", apart, f"{most}{plan.loss_words(apart, shown.persons)}"),
        )
    return Card(
        who=who,
        sentence=sentence,
        bars=tuple(bars),
        style=shown.look(last),
        rows=_rows(shown),
        small=_small(ws, shown),
    )


def _rows(shown: View) -> tuple[tuple[str, str], ...]:
    plan = shown.plan
    half = plan.half_width(shown.last.loss)
    near = within(half, shown.noun) if math.isfinite(half) else "no guarantee"
    rows = [
        ("People who collude", f"{shown.persons:,}"),
        ("Sees each number (95 % confidence)", near),
    ]
    right = question(shown).right(lossless=True)
    rows.append((f"Guesses {sides(shown).guess} right", f"{right.said} of 1,000"))
    rows.append(("A coin guesses right", "500 of 1,000"))
    return tuple(rows)


def _small(ws: Workspace, shown: View) -> tuple[str, ...]:
    definition = DEFINITION_WORDS[guarantee_of(shown.plan.setting.family).definition]
    asked = question(shown)
    bound = "" if asked.exact(lossless=True) else " (a bound from ε and δ)"
    guessed = f"{moves(shown, asked.moved, shown.unit)}; the guess is from all that moves{bound}."
    if not shown.own:
        return (definition, "The made-up town: one person moves each number by at most 1.")
    at = f"; δ = {delta(shown.plan.setting.delta)}" if not shown.plan.adds_exactly else ""
    return (
        f"{definition}{at}",
        f"{ws.statistic.query.statistic}; {ws.statistic.query.neighbours}.",
        guessed,
        *(f"{capitalised(name)}: {text}." for name, text in notes(ws.seen.of(ws.statistic))),
        f"Mode: {MODE_WORDS[ws.mode]}.",
    )
