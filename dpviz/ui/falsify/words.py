"""What the page Falsify says: verdicts with their reasons, events in words, what was wrong."""

import math

from dpviz.experiments.audit import Counted
from dpviz.experiments.audit_bet import wins
from dpviz.experiments.audit_events import (
    AGREEMENT,
    CELLS,
    DIFFERENCE,
    DIGIT,
    NUMBER,
    SUM,
    Event,
    Seen,
)
from dpviz.experiments.audit_histogram import HIDDEN
from dpviz.experiments.audit_promise import most_allowed
from dpviz.planning.cast import ASKING
from dpviz.ui.falsify.games import BROKEN, OURS, Question
from dpviz.ui.falsify.jobs import Trial
from dpviz.words import NARROW, join, percent, significant
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.takeaways import counted

TWIN_NAMES = {
    "small": "too little noise",
    "fresh": "separate noise for each tier",
    "redraw": "new noise at each rerun",
    "copies": "a copied session",
    "copying bridge": "a bridge that copies",
    "straight bridge": "a bridge with the wrong shape",
    "Lemma F.5": "the paper’s Lemma F.5, as printed",
    "Algorithm 6": "the paper’s Algorithm 6, as printed",
    "floats": "floating-point noise",
}
WRONG = {
    "small": "The noise here is far too small: less than a third of what it should be.",
    "fresh": "Each tier got separate noise, so the budgets of all four add up; the promise is the "
    "largest of them.",
    "redraw": "People who ask again get new noise, and the mean of four answers has less noise "
    "than any of them.",
    "copies": "Every copy of the session draws noise of its own, so four holders of copies can "
    "take the mean.",
    "copying bridge": "The number in between is a copy of the sharper one, so its readers learn "
    "what only others may know.",
    "straight bridge": "Mean and spread of the noise are right, but large errors are too rare, and "
    "that tells more than is promised.",
    "Lemma F.5": "Two scales stand in each other’s place, so the number in between lies far too "
    "near the sharper one.",
    "Algorithm 6": "An item that was hidden at first gets a value that does not know it must now "
    "be large enough to show.",
    "floats": "The last binary digits of a sum of two floats depend on both, so they can tell the "
    "exact answer whatever the noise.",
}
BAD_LUCK = "Correct noise looks so, too, if rarely: by bad luck."
RUNNING = "A made-up town is counted with Maria and without her: can an attacker tell which?"
TRIAL = "Trial running"
LAW_PASSES, LAW_FAILS = "Noise: shaped as it should be", "Noise: not as it should be"
CAUGHT, HOLDS = "Attack: promise broken", "Attack: no breach found"
ORDINALS = ("first", "second", "third", "fourth")


def caught(asked: Question, trial: Trial) -> bool:
    """Whether the auditor proves more than exact noise of the promised budget can show."""
    return trial.audit.best(asked.delta).at_least > allowed(asked, trial)


def allowed(asked: Question, trial: Trial) -> float:
    """The most that the promise lets the best clue have on the table where it is likelier."""
    return most_allowed(asked.promise, trial.audit.best(asked.delta).at_most)


def law_fails(trial: Trial) -> bool:
    """Whether the joint law is not the right one."""
    return trial.law is not None and not trial.law.passed


def play(*, played: bool, running: bool) -> str:
    """What the button for a million runs says."""
    if played:
        return "Played 1 million runs"
    return "Running …" if running else "Play 1 million runs"


def coming(asked: Question) -> str:
    """What will be seen once a trial has ended."""
    return (
        "Then a bar shows how many of 1,000 bets the attacker wins, and a line how many are "
        f"promised at most: {math.ceil(asked.guesses)}."
    )


def who(asked: Question) -> str:
    """What is on trial, as a name."""
    if asked.kind == BROKEN:
        return f"broken on purpose: {TWIN_NAMES[asked.name]}"
    if set(asked.members) == set(ASKING):
        return "our noise: all four tiers together"
    several = " together" if len(asked.members) > 1 else ""
    return f"our noise: {join(asked.members)}{several}"


def won(trial: Trial) -> float:
    """Of 1,000 bets, as many as the best one won."""
    return 1000 * wins(trial.bet)


def take_away(asked: Question, trial: Trial | None) -> str:
    """What our noise lets an attacker win, and what the best bet did win."""
    if trial is None:
        return RUNNING
    start = "An attacker bets on whether Maria was counted."
    if caught(asked, trial):
        _, likely, most = shares(asked, trial)
        return (
            f"{start} One clue came in {percent(likely)} of the runs, where the promise allows "
            f"{percent(most)}. {BAD_LUCK}"
        )
    luck = (
        ", and luck explains the difference" if round(won(trial)) > math.ceil(asked.guesses) else ""
    )
    return (
        f"{start} Our noise lets them win at most {math.ceil(asked.guesses)} times in 1,000; after "
        f"{2 * trial.bet.runs:,} tries the best bet won {won(trial):.0f}{luck}."
    )


def verdict(asked: Question, trial: Trial) -> str:
    """What a broken copy did wrong, and what proves it."""
    _, likely, most = shares(asked, trial)
    wrong, seen = WRONG[asked.name], trial.audit.best(asked.delta)
    if not caught(asked, trial):
        return f"{wrong} Not proved yet: luck may explain what is seen."
    start = "Caught."
    if won(trial) <= asked.guesses:
        start = "Caught, though no bet wins more than is promised: a rare clue gives it away."
    with_ = "with" if seen.event.inside else "without"
    return (
        f"**{start}** {wrong} One clue came in {percent(likely)} of {seen.runs:,} runs {with_} "
        f"Maria; the promise allows {percent(most)}."
    )


def shares(asked: Question, trial: Trial) -> tuple[float, float, float]:
    """How often the best clue was there: on either table, and at most as promised."""
    seen = trial.audit.best(asked.delta)
    return seen.other / seen.runs, seen.likelier / seen.runs, allowed(asked, trial)


def claims(asked: Question, trial: Trial | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are true."""
    if trial is None:
        return ()
    seen = trial.audit.best(asked.delta)
    rare, likely, largest = shares(asked, trial)
    sure = f"{100 * trial.audit.confidence:g} % confidence over all questions"
    at = f", δ = {asked.delta:g}" if asked.delta else ""
    noise = f"the noise of the least private number alone: ε = {significant(asked.promised, 4)}{at}"
    counted = f"{seen.runs:,} of {asked.runs:,} runs: those that did not choose the clue"
    more, less = ("with", "without") if seen.event.inside else ("without", "with")

    def of(side: str, share: float) -> Claim:
        return Claim(
            what=f"share of the runs {side} Maria that had the best clue",
            value=100 * share,
            unit="%",
            fixed=counted,
            method="counted",
            kind="simulated",
        )

    return (
        Claim(
            what="bets that our noise lets anybody win"
            if asked.kind == OURS
            else "bets that the promise lets anybody win",
            value=asked.guesses,
            unit="of 1,000",
            fixed=f"{noise}; with and without Maria equally likely",
            method="500 (1 + δ at ε = 0), the best bet (MATHEMATICS 5.6)",
            kind="at most",
        ),
        Claim(
            what="bets that the best one won",
            value=won(trial),
            unit="of 1,000",
            fixed=f"{2 * trial.bet.runs:,} tries that did not choose the bet, half of them with "
            f"Maria; {significant(1000 * proved_wins(trial), 4)} are proved",
            method="counted (MATHEMATICS 16.1)",
            kind="simulated",
        ),
        of(more, likely),
        of(less, rare),
        Claim(
            what="share that the promise allows the best clue",
            value=100 * largest,
            unit="%",
            fixed=f"{noise}; {sure}",
            method="the trade-off curve of that noise: e to the power ε, times the largest share "
            "that the other count leaves possible, plus the δ at that ε, the least of all ε; its "
            "interval is that of Clopper and Pearson (MATHEMATICS 5.6, 16.1)",
        ),
        Claim(
            what="ε that is proved, of the privacy loss",
            value=trial.audit.epsilon(asked.delta),
            fixed=f"{sure}{at}",
            method="counted on the runs that did not choose the clue, with intervals of Clopper "
            "and Pearson (MATHEMATICS 16.1)",
            kind="at least",
        ),
    )


def proved_wins(trial: Trial) -> float:
    """Share of bets that the best one wins at least, with the confidence of its intervals."""
    return max(0.5, (1 + trial.bet.at_least - trial.bet.at_most) / 2)


def event_words(event: Event, names: tuple[str, ...]) -> str:
    """An event as a part of a sentence, safe for Markdown.

    Args:
        event: what is looked at.
        names: of the outputs.
    """
    kind, cut = event.statistic.kind, event.threshold
    who = [names[place] for place in event.statistic.places]
    side = "above" if event.above else "at most"
    if kind == NUMBER:
        return f"{who[0]} is {_beside(cut, above=event.above)}"
    if kind == DIGIT:
        has = "no" if event.above else "a"
        return f"{who[0]} has {has} binary digit as fine as 2 to the power {significant(cut)}"
    if kind == DIFFERENCE and cut > -HIDDEN / 2:
        return (
            f"the item is hidden in {who[0]} and shows in {who[1]}, "
            f"{_beside(cut + HIDDEN, above=True)}"
        )
    if kind == DIFFERENCE:
        return f"{who[1]} minus {who[0]} is {side} {significant(cut)}"
    if kind == AGREEMENT:
        near = "less than" if event.above else "at least"
        return f"{who[0]} and {who[1]} are {near} {significant(-cut)} apart"
    if isinstance(event.statistic, Seen) and kind == SUM:
        of = f"all {counted(len(who))} numbers" if len(who) > 2 else _both(who)
        whole = sum(event.statistic.weights)
        if whole > 0:  # the sum of weighted numbers, over the sum of the weights
            where = _beside(cut / whole, above=event.above)
            return f"a weighted average of {of} is {where}"
        return f"the weighted sum of {of}, counted from that without Maria, is {side} " + (
            significant(cut)
        )
    likely = "likelier with Maria" if event.above else "likelier without Maria"
    what = f"{who[0]} and its distance to {who[1]}" if kind == CELLS else join(who)
    return f"{what} lie where they are {likely}"


def _both(who: list[str]) -> str:
    """Two numbers, named by whose they are.

    >>> _both(["audit’s number", "public’s number"]), _both(["the first number"])
    ('audit’s and public’s numbers', 'the first number')
    """
    if len(who) < 2:
        return join(who)
    return f"{join([name.removesuffix(' number') for name in who])} numbers"


def _beside(cut: float, *, above: bool) -> str:
    """Where a number lies from the count without Maria.

    >>> _beside(2.0, above=True), _beside(-2.0, above=False)
    ('more than 2 above the count without Maria', '2 or more below the count without Maria')
    """
    count, apart = "the count without Maria", significant(abs(cut))
    if not cut:
        return f"above {count}" if above else f"at most {count}"
    if above:
        return f"more than {apart} above {count}" if cut > 0 else f"above {count} minus {apart}"
    return f"{apart} or more below {count}" if cut < 0 else f"at most {apart} above {count}"


def reading(asked: Question) -> str:
    """How to read the bars."""
    return (
        f"The made-up town was counted {asked.runs:,} times with Maria and as often without. Half "
        "of the runs choose the bet, the others count it. Line: what is promised."
    )


def clue(asked: Question, seen: Counted) -> str:
    """What the attacker looks for, one sentence; Markdown."""
    return f"The clue: {event_words(seen.event, names_of(asked))}."


def names_of(asked: Question) -> tuple[str, ...]:
    """How the numbers are called that the players hold."""
    if asked.kind == BROKEN:
        many = len(getattr(asked.game, "held", ())) or len(getattr(asked.game, "rhos", ()))
        return tuple(f"the {ordinal} number" for ordinal in ORDINALS[:many])
    return tuple(f"{literal(name)}’s number" for name in asked.members)


def proved(asked: Question, trial: Trial) -> tuple[tuple[str, float], ...]:
    """What is promised, and what the auditor proves, for two bars."""
    return (
        ("promised: a privacy loss of at most", asked.promised),
        (f"proved in {asked.runs:,} runs: at least", trial.audit.epsilon(asked.delta)),
    )


def seen_by(asked: Question, trial: Trial) -> str:
    """Which check sees that a broken sampler is broken."""
    seen = "The auditor catches it" if caught(asked, trial) else "The auditor does not catch it"
    if trial.law is None:
        return (
            f"{seen}. Histograms have a test of the distribution of their own, which sees it, too; "
            "it is not on this page."
        )
    if law_fails(trial):
        return f"{seen}, and so does the test of the distribution."
    return (
        f"{seen}. The test of the distribution cannot: each number by itself is drawn as it should "
        "be."
    )


def formula(asked: Question, trial: Trial | None) -> str:
    """The inequality of the promise, with the counted numbers."""
    text = (
        r"Promised for every event $E$ and every $\varepsilon$, with the $\delta(\varepsilon)$ of "
        r"the least private number alone: "
        r"$P(E\mid\text{one table})\le e^{\varepsilon}\,P(E\mid\text{other table})"
        r"+\delta(\varepsilon)$. So $p\le\min_\varepsilon e^{\varepsilon}q+\delta(\varepsilon)$, "
        r"and at one $\delta$ $\varepsilon\ge\ln\dfrac{p-\delta}{q}$, with $p$ a lower bound of "
        r"the larger chance and $q$ an upper bound of the smaller one, both by Clopper and Pearson."
    )
    if trial is None:
        return text
    seen = trial.audit.best(asked.delta)
    weights = "The weights are those that tell most.\n\n" * (seen.event.statistic.kind == SUM)
    return (
        f"{clue(asked, seen)}\n\n{weights}{text}\n\n"
        f"Counted: {seen.likelier:,} and {seen.other:,} of {seen.runs:,} runs, so "
        f"$p$ = {significant(seen.at_least, 4)}, $q$ = {significant(seen.at_most, 4)}, "
        rf"$\delta$ = {asked.delta:g} and $\varepsilon\ge$ "
        f"{significant(seen.epsilon(asked.delta), 4)}; promised: $\\varepsilon$ = "
        f"{significant(asked.promised, 4)}, for the sharpest number held.\n\n{_line(asked, trial)}"
    )


def _line(asked: Question, trial: Trial) -> str:
    """How the most that is allowed follows from the promise; Markdown."""
    *_, most = shares(asked, trial)
    if most >= 1:
        return "So every share is allowed."
    end = significant(100 * trial.audit.best(asked.delta).at_most) + f"{NARROW}%"
    return (
        f"So the line: at {end} (end of the upper bracket) the least of these bounds over all ε is "
        f"{percent(most)}, which is what the best test of exact noise reaches."
    )


def facts(asked: Question) -> Facts:
    """The five facts of the footer."""
    return footer(
        "(ε, δ)-DP" if asked.delta else "ε-DP",  # as which it is tried, ours and broken copies
        unit="one person of the made-up town: Maria",
        neighbours="the town with and without her",
        sensitivity="one person moves the count by at most 1 person",
        data="none: a made-up town",
        symbols="Δ₁ = Δ₂ = 1 person",
    )
