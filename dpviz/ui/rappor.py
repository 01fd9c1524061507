"""RAPPOR: answers that are partly coin tosses, and what many of them say together."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from dpviz.charts.forms.picture import Picture
from dpviz.charts.rappor import ANSWERS, BITS_SHOWN, bit_rows, bits_and_estimates, interval_ends
from dpviz.errors import ParameterError
from dpviz.local import Bloom, Rappor
from dpviz.local.decoding import MOST_CANDIDATES
from dpviz.local.survey import Reports
from dpviz.noise.family import Array
from dpviz.planning.typed import NothingTyped
from dpviz.queries import Bounds, TextCounts
from dpviz.scenes import rappor as scenes
from dpviz.scenes.rappor import CLIENTS, HIJACKED, NOBODYS, REPORTS_SEED, SHARES, Question, Survey
from dpviz.ui.kit import (
    bound_controls,
    code,
    controls,
    looking,
    noun_controls,
    panel,
    parts,
    source,
)
from dpviz.ui.kit.page_form import COMPUTED, Closer, Missing, PageForm
from dpviz.ui.kit.source import EXAMPLE, OWN
from dpviz.ui.kit.state import Shelf, Slot, workspace
from dpviz.words import capitalised, percent, significant
from dpviz.words.claims import Claim, Name, Number, Said, say, share
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal, unbroken
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.guesses import A_COIN, ALL
from dpviz.workspace.local.rappor import NEIGHBOURS, Subject
from dpviz.workspace.workspace import Workspace

STEPS = tuple(step / 20 for step in range(21))  # of f, p and q
BITS, COHORTS = (8, 16, 32, 64), (1, 2, 4, 8, 16, 32, 64, 128)
EACH_ROW, ANY_ROW = "one row", "one row, of whomever"
_AGAIN = Slot("rappor_again", lambda: 0)
_CLIENT = Shelf[tuple[dict[str, Array], Array]]("rappor_client")
_SAYS = Shelf[pd.DataFrame]("rappor_decoded")

REPORTS: parts.Badge = (
    "All reports together are as private as the later ones",
    "check",
    "green",
    "Weakly lossless: the kept bits of the first kind add nothing to those of the second. Each "
    "report is drawn from them afresh, so one report of each kind tells more than one of the "
    "second kind; all of them stay within the loss of the second kind’s kept bits.",
)
F_HELP = (
    "The share of yes-or-no answers that coin tosses replace, for good. Larger = more private. "
    "The later report has a smaller share, so it says more."
)
NO_STATISTIC = (
    "A survey like this cannot be added to your plan: everybody randomizes their own answer, the "
    "same for all readers, so no tier has a budget for it."
)
FRESH = "For each kept bit, every report decides again by chance what it sends."
ALIKE = (
    "The later report must have fewer random answers than the first one. "
    "Choose a smaller share for the later report"
)
NOTHING = "There are no candidates yet. Type texts to look for, one on each line"
FIRST, LATER = "At first", "Asked again"
IN_ALL = f" times in {ALL:,}"


# --- what is asked ---


class Fine(NamedTuple):
    """What only specialists change."""

    p: float
    q: float
    bloom: dict[str, Any]  # bits, hashes and cohorts, which may not go together


def fine(_ws: Workspace) -> Fine:
    """Ask for the bits of a report, and for how they are read."""
    st.caption(
        "The answers are bits of a Bloom filter; coin tosses replace a share f₁ of them for good, "
        "and f₂ in the later report. The method is RAPPOR (Erlingsson, Pihur and Korolova, 2014)."
    )
    return Fine(
        p=_chance("Chance that a 0 is sent as 1 (p)", 0.25, "rappor_p", FRESH),
        q=_chance("Chance that a 1 is sent as 1 (q)", 0.75, "rappor_q", FRESH),
        bloom={
            "hashes": controls.slider(
                "Hash functions h",
                1,
                8,
                2,
                key="rappor_h",
                help="Ones that a text sets in its filter. More cost more privacy.",
            ),
            "bits": controls.select_slider("Bits of a filter", BITS, value=16, key="rappor_bits"),
            "cohorts": controls.select_slider(
                "Cohorts",
                COHORTS,
                value=64,
                key="rappor_cohorts",
                help="Groups of browsers with hash functions of their own, so that two texts which "
                "share bits in one group differ in another.",
            ),
        },
    )


def _chance(label: str, usual: float, key: str, help: str) -> float:
    return controls.select_slider(
        label, STEPS, value=usual, key=key, help=help, format_func=percent
    )


def settings(ws: Workspace, fine: Fine) -> Survey | Missing:
    """Ask whose texts, how noisy, and which text is suspicious."""
    if controls.look_at(EXAMPLE, OWN, key="rappor_source") == OWN:
        return source.of_table(ws, lambda: _own(ws, fine), texts=True)
    texts = (*SHARES, *(f"nobody-{number + 1}.example" for number in range(NOBODYS)))
    return source.value_or_missing(lambda: example(_question(fine, HIJACKED, texts)))


def _own(ws: Workspace, fine: Fine) -> Survey:
    """Ask for the visitor's column, and for the texts to look for: never read off the data.

    Raises:
        ParameterError: what is chosen cannot be used.
    """
    query, texts = _query(ws), _candidates()
    suspicious = controls.selectbox(
        "Which text do we look for?",
        texts,
        key=controls.keyed("rappor_text", texts),
        help="The collector wants to know whether anybody reports this one.",
    )
    question = _question(fine, suspicious, texts)
    return column(ws, query, question, revealed=looking.reveal(ws, ws.table, key="rappor_reveal"))


def _question(fine: Fine, suspicious: str, texts: tuple[str, ...]) -> Question:
    """Ask how many answers are random, first and later.

    Raises:
        ParameterError: what is chosen makes no sense together.
    """
    left, right = st.columns(2)
    with left:
        before = _chance("Random answers, first", 0.75, "rappor_f1", F_HELP)
    with right:
        after = _chance("Random answers, later", 0.5, "rappor_f2", F_HELP)
    first, second = (Rappor(f=f, p=fine.p, q=fine.q) for f in (before, after))
    _ = first.level, second.level  # refuses an f of 0 or 1
    if not second.f < first.f:
        raise ParameterError(ALIKE)
    return Question(
        first=first,
        second=second,
        bloom=Bloom(**fine.bloom),
        suspicious=suspicious,
        candidates=texts,
    )


def _candidates() -> tuple[str, ...]:
    """The texts to look for, each once, as they are typed.

    Raises:
        NothingTyped: no text is typed.
        ParameterError: there are too many.
    """
    typed = controls.text_area(
        "Texts to look for, one on each line",
        key="rappor_candidates",
        placeholder="first text\nsecond text",
        help="Typed, not read off the column: which texts there are is secret. White space at the "
        "ends is left out.",
    )
    found = tuple(dict.fromkeys(line.strip() for line in typed.splitlines() if line.strip()))
    if not found:
        raise NothingTyped(NOTHING)
    if len(found) > MOST_CANDIDATES:
        raise ParameterError(
            f"There are {len(found):,} candidates; at most {MOST_CANDIDATES:,} are possible. "
            "Delete some lines"
        )
    return found


def _query(ws: Workspace) -> TextCounts:
    """Whose texts are reported.

    Raises:
        NothingTyped: nothing says who reports.
    """
    nouns = noun_controls.in_use(ws)
    column = source.column(
        ws,
        "Column of texts",
        key="rappor_column",
        help="The column with the texts that are reported.",
        texts=True,
    )
    texts = {
        EACH_ROW: f"each {nouns.row}: it is one {nouns.one}",
        ANY_ROW: f"each {nouns.row}, though {nouns.a_unit} may have several",
    }
    names = [c.name for c in ws.table.columns if c.name != column]
    client = controls.optional_selectbox(
        "Who reports",
        [EACH_ROW, *names, ANY_ROW],
        index=_reports(ws, names),
        placeholder="Choose who reports",
        format_func=lambda name: texts.get(name, f"all {nouns.rows} with the same “{name}”"),
        key=controls.keyed("rappor_client", (ws.table.digest[:12], column)),
        help="Of several texts the first in the alphabet is reported.",
    )
    if client is None:
        raise NothingTyped(
            f"Who reports: nothing is chosen. Say whether {nouns.a_unit} can have several "
            f"{nouns.rows}, and which column says who"
        )
    person = None if client in texts else client
    several = None if person is not None or ws.sample else client == ANY_ROW
    return TextCounts(
        column, Bounds(person=person, relation="replace", several_rows=several, nouns=nouns)
    )


def _reports(ws: Workspace, names: Sequence[str]) -> int | None:
    """Who reports at first: of a sample one row, else as it was said of the statistic in use."""
    said = bound_controls.answered(ws, None)
    if ws.sample or (said and not said.unsaid and said.person is None and not said.several_rows):
        return 0
    if said is None or said.unsaid or (said.person is not None and said.person not in names):
        return None
    return len(names) + 1 if said.person is None else 1 + names.index(said.person)


# --- what was reported ---


def example(question: Question) -> Survey:
    """The made-up browsers with what they reported."""
    again = _AGAIN.get()
    with_thief, without = (
        scenes.reported(hijacked, question.bloom, question.kinds, again)
        for hijacked in (True, False)
    )
    key = question.kinds, question.bloom, again
    return Survey(
        question=question,
        says=_says(with_thief, question, key),
        without=_says(without, question, (key, "without")),
        truth=scenes.browsers(CLIENTS),
        clients=CLIENTS,
        again=again,
    )


def column(ws: Workspace, query: TextCounts, question: Question, *, revealed: bool) -> Survey:
    """The visitor's column with what was reported."""
    p, q = question.first.p, question.first.q
    of = Subject(table=ws.table, query=query, bloom=question.bloom, p=p, q=q)
    session = ws.find(of.key)
    drawn = {each.rappor: each for each in of.reports(ws)}
    held = tuple(drawn[kind] for kind in question.kinds if kind in drawn)
    key = of.key, ws.mode, session.number if session else 0
    return Survey(
        question=question,
        says=_says(held, question, key),
        without=_says((), question, None),
        truth=of.query.values(of.table) if revealed else None,
        clients=held[0].total if held else None,
        own=of,
        order=tuple(drawn),
    )


def _says(held: Sequence[Reports], question: Question, key: Hashable) -> pd.DataFrame:
    """What reports say about the candidates; computed once and kept."""
    fs = tuple(each.rappor.f for each in held)
    return _SAYS.take(
        (key, fs, question.candidates), lambda: scenes.estimates(held, question.candidates)
    )


def acts(scene: Survey) -> None:
    """Let all report: the example again, or a column."""
    if scene.own is not None:
        _ask(workspace(), scene, scene.own)
        return
    panel.start_over(
        "Let the browsers report again", _AGAIN.set, scene.again + 1, key="rappor_over", blue=True
    )


def _ask(ws: Workspace, scene: Survey, of: Subject) -> None:
    """Ask everybody, and ask again at the second f; then a file with the sums of each f."""
    held = [kind.f for kind in scene.kinds]
    waiting = [kind.f for kind in scene.question.kinds if kind.f not in held]
    for place, f in enumerate(kind.f for kind in scene.question.kinds):
        panel.draw_once(
            ws,
            of.asking(f, ws.family),
            of.planned(f),
            f"Ask everybody, {percent(f)} random answers" + " (done)" * (f in held),
            key=f"rappor_ask_{place}",
            done=f in held,
            means="However often one reports like this, it costs no more. Of all reports of the "
            "same survey only the largest ε counts.",
            icon="groups",
            blue=f in waiting[:1],
        )
    st.caption(NO_STATISTIC)
    parts.problem_of_last_act()
    panel.hand_out(
        ws,
        of.asking(scene.question.first.f, ws.family),
        [of.planned(f) for f in held],
        key="rappor_file_",
        caption="Each file says how often each bit was reported at one f; it has nobody’s text.",
    )


def badges(scene: Survey) -> list[parts.Badge]:
    """That both kinds of report keep one bound, and whether the truth of a table is on screen."""
    revealed = scene.own is not None and scene.truth is not None
    return [REPORTS, *([parts.REVEALED] if revealed else [])]


# --- the sentences ---


def headline(scene: Survey) -> Said:
    """No answer proves anything, and yet all together may show the text."""
    if not scene.kinds:
        return Said("Nobody has reported yet.")
    first, last = scene.kinds[0], scene.kinds[-1]
    shown = next((kind for kind in reversed(scene.kinds) if kind.found), None)
    of = {
        "first": Name(_random(first.f)),
        "what": Name(f"“{scene.question.suspicious}”" if scene.own else "a hijacked home page"),
    }
    if shown is None:
        even = Name(f", and even {_random(last.f)}" if last is not first else "")
        return say(
            "In these reports, {what} stays hidden while {who} answer at random {first}{even}.",
            who=Name(scene.noun),
            even=even,
            **of,
        )
    if first.found:
        return say(
            "In these reports, {what} shows up though {who} answer at random {first}.",
            who=Name(scene.noun),
            **of,
        )
    return say(
        "{many} {who} answer at random {first}, so no single answer proves anything. These reports "
        "hide {what}; once answers are random only {later}, it shows up here.",
        many=_count(f"{scene.noun} that report", scene.clients or 0),
        who=Name(scene.noun),
        later=Name(_random(shown.f)),
        **of,
    )


def _random(f: float) -> str:
    """How often an answer is random.

    >>> _random(0.75), _random(0.6).replace(chr(0x202F), " ")
    ('three times in four', '60 % of the time')
    """
    few = {0.25: "one time in four", 0.5: "one time in two", 0.75: "three times in four"}
    return few.get(f, f"{percent(f)} of the time")


def price(scene: Survey) -> Said:
    """How much better a guess is by both answers than by the first one."""
    first, second = scene.question.kinds
    return say(
        "**What it costs:** all answers of {unit} together say more than one does. A guess at "
        "which of two {texts} they describe is right {after}, however many reports of both kinds "
        "there are; {before} from the first kind alone ({coin}).",
        coin=A_COIN,
        texts="pages" if scene.own is None else "texts",
        unit=Name(scene.unit),
        after=_guesses(scene, second, "both f", of=IN_ALL),
        before=_guesses(scene, first, "the first f", bare=True),
    )


def luck(scene: Survey) -> Said:
    """How often the made-up browsers would show that they are hijacked."""
    first, *later = (
        share(
            scene.chance(kind),
            what="chance that the hijacked home page is found",
            fixed=f"f = {kind.f:g}; the other settings of this page, and the truth",
            method="a normal estimate around the truth, compared with what is found from; its "
            "standard error is that of these reports",
            kind="simulated",
        )
        for kind in scene.kinds
    )
    then = say(" and in {often} of later ones", often=later[-1]) if later else ""
    return say(
        "**Only luck?** Repeated many times, the page would be found in {often} of first "
        "rounds{then}.",
        often=first,
        then=then,
    )


def beside(scene: Survey) -> list[Said]:
    """The story, who reported, how much of it is luck, and what it costs."""
    told = []
    if scene.own is None:
        story = say(
            "The browsers are invented; each describes its home page by {bits} yes-or-no answers, "
            "at most {yes} of them yes (RAPPOR). An attacker hijacked some: their home page is now "
            f"{unbroken(HIJACKED)}.",
            bits=_count("bits of a Bloom filter", scene.question.bloom.bits),
            yes=_count("hash functions, each of which sets a bit", scene.question.bloom.hashes),
        )
        told += [story, luck(scene)]
    elif scene.kinds:
        many = _count(f"{scene.noun} that report", scene.clients or 0)
        told.append(say("{many} {noun} reported.", many=many, noun=Name(scene.noun)))
    return [*told, price(scene)] if len(scene.kinds) > 1 else told


def _settings(scene: Survey) -> str:
    question = scene.question
    return (
        f"p = {significant(question.first.p)}, q = {significant(question.first.q)}, "
        f"{question.bloom.hashes} of {question.bloom.bits} bits, {question.bloom.cohorts} cohorts"
    )


def _count(what: str, many: int) -> Number:
    """A number that somebody chose, or that is public."""
    claim = Claim(what=what, value=many, fixed="the fields of the page", method="counted")
    return Number(f"{many:,}", claim)


def _guesses(
    scene: Survey, sharpest: Rappor, which: str, *separate: Rappor, of: str = "", bare: bool = False
) -> Number:
    """How often a guess is right by any number of linked reports, with its claim."""
    right = scene.right(*separate, sharpest)
    claim = Claim(
        what=f"right guesses of 1,000 by any number of reports of {scene.unit} at {which}",
        value=right.value,
        fixed=f"two texts, equally likely beforehand; f = {significant(sharpest.f)}, "
        f"{_settings(scene)}; a coin: 500",
        method=right.method
        + ("" if separate else "; linked bits of a larger f add nothing (MATHEMATICS 15.2)"),
        kind="at most",
    )
    return Number(f"{right.count:,}" if bare else f"{right.said}{of}", claim)


# --- the pictures ---


def picture(scene: Survey) -> tuple[Picture, ...]:
    """For both kinds of answers a hundred bits, and what all answers say about the text."""
    who = f"“{scene.question.suspicious}”" if scene.own else "With the hijacked page"
    frames = []
    for place, kind in enumerate(scene.kinds):
        if_not = scene.kinds_without[place : place + 1]
        rows = [
            (words, each.value, each.half, each.found, each.needed, each is not kind)
            for words, each in ((who, kind), *(("If no browser were hijacked", o) for o in if_not))
        ]
        frames.append(pd.DataFrame(rows, columns=list(ANSWERS)))
    return tuple(
        bits_and_estimates(
            frame,
            title=f"{FIRST if kind.f == scene.question.first.f else LATER}: "
            + ("found" if kind.found else "not found"),
            random=round(kind.f * BITS_SHOWN),
            noun=scene.noun,
            true=scene.true,
            ends=interval_ends(pd.concat(frames), scene.true),
        )
        for kind, frame in zip(scene.kinds, frames, strict=True)
    )


def reading(scene: Survey) -> str:
    """How to read the intervals."""
    many = numbered(len(scene.question.candidates), "pages" if scene.own is None else "texts")
    hidden = ", which stays hidden," * (scene.truth is None)
    return (
        f"Each bar holds the true number{hidden} 95 times in 100. {capitalised(many)} are looked "
        "for; one is found if its mark is right of the dashed line. At least 95 times in 100 "
        "chance alone brings none of them there."
    )


def inside(_ws: Workspace, scene: Survey) -> None:
    """Show one made-up browser's bits, and what its reports cost."""
    question, again = scene.question, scene.again
    key = question.kinds, question.bloom, question.suspicious, again
    made = bit_rows(*_CLIENT.take(key, lambda: scenes.one_client(question, again)))
    parts.picture(
        made,
        heading="What one made-up browser sends, bit by bit",
        reading="In ink: the bits that the suspicious text sets. The kept bits are drawn once; "
        "every report is drawn from them afresh.",
        key="rappor_bits_shown",
    )
    st.subheader(f"What do the reports reveal about {literal(scene.unit)}?", anchor=False)
    parts.sentence(costs(scene))


def costs(scene: Survey) -> Said:
    """Why the first reports add nothing to the later ones."""
    first, second = scene.question.kinds
    what = "pages one browser" if scene.own is None else f"texts {scene.unit}"
    return say(
        "A guess says which of two {what} has, after any number of its reports ({coin}). With "
        "{before} random bits it is right {once}, with {after} {linked}. Both together give no "
        "more, because the first bits are made from the later ones; with separate noise "
        "it would be right {separate}.",
        what=Name(what),
        coin=A_COIN,
        before=Name(percent(first.f)),
        after=Name(percent(second.f)),
        once=_guesses(scene, first, "the first f", of=IN_ALL),
        linked=_guesses(scene, second, "both f"),
        separate=_guesses(scene, second, "both f, with separate noise", first),
    )


# --- the drawer ---


def formula(scene: Survey) -> str:
    """The formulas of MATHEMATICS 15.2, and the same with the numbers on screen."""
    question, h = scene.question, scene.question.bloom.hashes
    lines = [
        r"A text sets $h$ bits of its filter. A client keeps $B'=B$ with probability $1-f$, else a "
        r"fair coin, for good; a report shows 1 with probability $q$ where $B'=1$, and $p$ where "
        r"$B'=0$. So a bit is reported as 1 with probability $p^*=p+\tfrac f2(q-p)$ where it is 0, "
        r"and $q^*=q-\tfrac f2(q-p)$ where it is 1.",
        r"Of $n_c$ clients of cohort $c$, who report bit $j$ so often as $C_{cj}$, about "
        r"$t_{cj}=\dfrac{C_{cj}-p^*n_c}{q^*-p^*}$ have it; a regression of $t$ on the filters of "
        "all candidates gives their numbers.",
        r"Any number of reports tells $\varepsilon_\infty=2h\ln\dfrac{2-f}f$, one report "
        r"$\varepsilon_1=h\ln\dfrac{q^*(1-p^*)}{p^*(1-q^*)}$. Both $f$ together, $f_1\gt f_2$, "
        r"tell $2h\ln\dfrac{2-f_2}{f_2}$ by the chain, which blurs the kept bits of $f_2$ again "
        r"with $\varphi=\dfrac{f_1-f_2}{1-f_2}$ to those of $f_1$.",
    ]
    for name, rappor in (("f_1", question.first), ("f_2", question.second)):
        lines.append(
            f"${name}$ = {significant(rappor.f)}: $p^*$ = {significant(rappor.one_if_zero, 5)}, "
            f"$q^*$ = {significant(rappor.one_if_one, 5)}, $\\varepsilon_\\infty$ = "
            f"{significant(rappor.epsilon_forever(h), 5)}, $\\varepsilon_1$ = "
            f"{significant(rappor.epsilon_once(h), 5)}."
        )
    return "\n\n".join(lines)


def arguments(scene: Survey) -> dict[str, object]:
    """With what `scenes.survey` gives the estimates on screen."""
    question = scene.question
    if scene.own is None:
        clients: object = scenes.browsers(CLIENTS)
        rng = code.seeded(REPORTS_SEED, scene.again)
    else:
        ws, of = workspace(), scene.own
        clients = code.values_code(ws.table, ws.loading, of.query)
        rng = code.generator(ws, of.asking(question.first.f, ws.family))
    return {
        "clients": clients,
        "bloom": question.bloom,
        "kinds": question.kinds if scene.own is None else _reported(scene),
        "candidates": question.candidates,
        "rng": rng,
        **({"order": scene.order} if scene.order else {}),
    }


def _reported(scene: Survey) -> tuple[Rappor, ...]:
    """The kinds of report that there are, or those that would come."""
    held = tuple(kind for kind in scene.question.kinds if kind in scene.order)
    return held or scene.question.kinds


def facts(scene: Survey) -> Facts:
    """The definitions: for made-up browsers, or for the visitor's column."""
    hashes, of = scene.question.bloom.hashes, scene.own
    data = "made up: the home pages of browsers"
    if of is not None:
        data = f"{of.table.described(of.query.columns)}; texts of “{of.query.column}”"
    return footer(
        "ε-DP",
        unit=scene.unit,
        neighbours=NEIGHBOURS
        if of
        else "the home page of one browser is replaced; which browsers take part is public",
        sensitivity=f"another {'text' if of else 'home page'} changes at most {2 * hashes} of "
        "the yes-or-no answers (bits) before noise",
        data=data,
        symbols=f"2h = {2 * hashes}, with h bits for a text",
    )


PAGE = PageForm(
    file="rappor",
    guesses=COMPUTED,
    specialist=fine,
    controls=settings,
    acts=acts,
    headline=headline,
    badges=badges,
    picture=picture,
    reading=reading,
    beside=beside,
    formula=formula,
    recipe=scenes.survey,
    arguments=arguments,
    facts=facts,
    closers=(
        Closer(
            label="Inside one report: its bits, and what it costs",
            inside=inside,
            key="rappor_inside",
        ),
    ),
)
