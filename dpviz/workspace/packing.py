"""From the workspace to what leaves it: releases, what those of a tier tell together, the report.

Everything here is computed from released numbers and public facts; nothing asks for the exact
answer. What weakens the promise is a fact of the ledger, of the plan, or of what this workspace has
shown. Limits: who has looked at the data elsewhere is not known, nor what was released elsewhere.

The README of a tier says what all its releases tell together. Losses are those that the ledger says
on this day, at the plan's δ: of the releases in the folder, of earlier budgets and closed sessions,
too, and of everything that was released of their unit of privacy. Nothing is said of a statistic or
a unit of which the tier has no release.
"""

import datetime
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpviz.accounting import JointLoss, half_width, joint_loss
from dpviz.errors import DataError, ParameterError
from dpviz.handout import Finding, TierRelease, pack_zip, signed_csv, verify_pack
from dpviz.handout.committed import opening_json
from dpviz.handout.pack_zip import safe, several_of, unique
from dpviz.handout.post_processing import PROCESSINGS, Processing
from dpviz.handout.report import ReportFacts, ReportStatistic, ReportSum, ReportTier, report_html
from dpviz.handout.signing import fingerprint
from dpviz.handout.single import MADE, may_be_table, read_signed
from dpviz.handout.tier_release import PRACTICE
from dpviz.handout.verify import renamed
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, warning
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Query
from dpviz.release import LedgerEntry, Provenance, software, today
from dpviz.streams import Mode
from dpviz.words import budget, capitalised, join, loss_with_delta
from dpviz.words.markdown import plain_text
from dpviz.words.names import visible
from dpviz.workspace import account, structured, takeaways
from dpviz.workspace.account import OfUnit
from dpviz.workspace.facts import FACT, MODE_WORDS, SYMBOLS, Facts, called, is_said
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.guesses import ALL, COIN, right_in_all
from dpviz.workspace.nearness import typed_size
from dpviz.workspace.promises import LOOKED_AT, checked_words, groups_words, known_words
from dpviz.workspace.sessions import Session, Statistic
from dpviz.workspace.takeaways import loss_words
from dpviz.workspace.workspace import Workspace

_LONGEST = 100  # letters of the name of a file
_COMMITTED = (
    "hardened: committed to before the first release, from a secret seed, integer noise sampled "
    "exactly"
)
_TRIAL = "Practice numbers, do not publish. "
STATED = ("Unit", "Neighbours", "Sensitivity", SYMBOLS, "Data")  # what else the footer says
IF_HARDENED = (
    "In practice mode nothing is promised. Drawn in hardened mode, they would promise this:"
)
APART = "Losses of different units of privacy say nothing about each other, and are never added."


def release_of(ws: Workspace, entry: LedgerEntry, shown: Processing) -> TierRelease:
    """What the tier of one ledger entry may have; with the post-processing of the page, if any."""
    one, facts = ws.session_of(entry), ws.facts_of(entry)
    if one.asking.plain is None:
        return _as_said(structured.tier_release(one, entry, facts), ws.former(entry))
    found = _opened(tier_release(one, entry, facts, shown), one)
    names = {s.key: s.own_name for s in ws.statistics}
    return _as_said(replace(found, name=names.get(one.statistic.key, "")), ws.former(entry))


def _opened(release: TierRelease, one: Session) -> TierRelease:
    """A release with what shows that it was committed to, if it was."""
    if one.committed is None:
        return release
    facts = tuple((name, _COMMITTED if name == "mode" else text) for name, text in release.facts)
    opening = opening_json(one.committed.path, release.level, one.committed.published)
    return replace(release, facts=facts, opening=opening)


def _as_said(release: TierRelease, before: str) -> TierRelease:
    """A release with what is said of one whose tier has another budget now; without, if it has not.

    What its files say of the plan is true on the day on which they are made.
    """
    facts = {name: text for name, text in release.facts if name != FACT}
    if before:
        after = [*facts].index("tier") + 1 if "tier" in facts else 0
        facts = dict([*[*facts.items()][:after], (FACT, before), *[*facts.items()][after:]])
    return replace(release, facts=tuple(facts.items()))


def tier_release(one: Session, entry: LedgerEntry, facts: Facts, shown: Processing) -> TierRelease:
    """The same, of a session that holds at least this release.

    Args:
        one: the session.
        entry: of the ledger.
        facts: the header of the hand-out.
        shown: the post-processing.
    """
    query, family = one.statistic.query, one.asking.family
    values, mean = one.mechanism.held[entry.level], family.mean(entry.level)
    debiased = values - mean
    estimates = query.estimate(debiased)
    half = half_width(family, entry.level, ACCURACY_CONFIDENCE, coordinates=query.per_value)
    low, high = query.interval(debiased, half)
    derived = [("estimate", estimates), ("low", low), ("high", high)]
    if shown.key in PROCESSINGS and shown.offered(query) and shown.key != "released":
        derived.append((shown.key, shown.apply(query, estimates)))
    return TierRelease(
        tier=entry.tier,
        session=entry.session,
        level=entry.level,
        entries=query.entries,
        values=values,
        step=query.step,
        mean=mean,
        measure=query.noun if query.clip is not None else "",
        facts=facts,
        labels=query.labels,
        derived=tuple(derived),
        drawn=entry.drawn,
        versions=entry.versions,
    )


def file_name(ws: Workspace, entry: LedgerEntry) -> str:
    """The name of the file of one release: its tier and statistic; each of the ledger its own.

    >>> ws = Workspace.fresh()
    >>> ws.draw("public")
    >>> file_name(ws, ws.ledger[0])
    'practice-public-number-of-people-per-group-of-education.csv'
    """
    before = [(ws.session_of(e), e.tier) for e in ws.ledger[: entry.number]]
    return file_names([(one.mode, tier, _name(ws, one)) for one, tier in before])[-1]


def _name(ws: Workspace, one: Session) -> str:
    """What somebody calls the statistic of a session, or what is released."""
    plain = one.asking.plain
    own = {s.key: s.own_name for s in ws.statistics}
    return (own.get(plain.key, "") if plain else "") or one.asking.statistic


def file_names(releases: Sequence[tuple[Mode, str, str]]) -> list[str]:
    """The names of the files of releases, each its own, by mode, tier and statistic.

    >>> file_names([("hardened", "audit", "pay per “ward”"), ("hardened", "audit", "pay per ward")])
    ['audit-pay-per-ward.csv', 'audit-pay-per-ward-2.csv']
    """
    each = [f"{_begin(mode)} {tier} {statistic}" for mode, tier, statistic in releases]
    return [f"{name}.csv" for name in unique([safe(text, _LONGEST) for text in each])]


def _begin(*modes: Mode) -> str:
    """How the name of a file with practice numbers begins."""
    return PRACTICE if "teaching" in modes else ""


def pack_name(ws: Workspace) -> str:
    """The name of the pack."""
    return f"{safe(_begin(*(one.mode for one in ws.sessions)) + ' dpviz pack')}.zip"


def folder_name(ws: Workspace, tier: str) -> str:
    """The name of the zip of all that one tier has.

    >>> ws = Workspace.fresh()
    >>> ws.draw("public")
    >>> folder_name(ws, "public")
    'practice-public.zip'
    """
    modes = (ws.session_of(e).mode for e in _of_tier(ws, tier))
    return f"{safe(f'{_begin(*modes)} {tier}', _LONGEST)}.zip"


def with_several(ws: Workspace) -> dict[str, int]:
    """The tiers with releases of several statistics, in the order of the plan, and of how many."""
    names = dict.fromkeys([*(t.name for t in ws.plan.tiers), *(e.tier for e in ws.ledger)])
    held = {n: len({_subject(ws, e) for e in _of_tier(ws, n)}) for n in names}
    return {tier: many for tier, many in held.items() if many > 1}


def _subject(ws: Workspace, entry: LedgerEntry) -> Hashable:
    """What a release is of, whatever its noise; of a structured mechanism its session tells."""
    asking = ws.session_of(entry).asking
    return asking.key if asking.plain is None else asking.plain.key


def _of_tier(ws: Workspace, tier: str) -> list[LedgerEntry]:
    """What one tier is handed: real releases, or those for practice if it has no others."""
    mine = [e for e in ws.ledger if e.tier == tier]
    return [e for e in mine if ws.session_of(e).mode == "hardened"] or mine


def report_name(ws: Workspace) -> str:
    """The name of the report: it is about the statistic in use."""
    return f"{safe(f'{_begin(ws.mode)} report {ws.statistic.query.statistic}', _LONGEST)}.html"


def releases_of(ws: Workspace, shown: Processing) -> list[TierRelease]:
    """Every release of this workspace, each tier's once."""
    return [release_of(ws, e, shown) for e in _once(ws.ledger).values()]


def _once(entries: Iterable[LedgerEntry]) -> dict[tuple[str, int, float], LedgerEntry]:
    """Each release of a tier once, by tier, session and level."""
    return {(e.tier, e.session, e.level): e for e in entries}


def hand_out(
    ws: Workspace, shown: Processing = PROCESSINGS["released"], *, tier: str | None = None
) -> bytes:
    """All releases of this workspace as one zip, a folder for each tier; or those of one tier.

    A tier with several releases has what they tell together in its folder, too; for that tier
    alone the zip is this folder, and nothing beside it. Practice is not handed out with what is no
    practice.

    Raises:
        ParameterError: if there is no release.
    """
    entries = ws.ledger if tier is None else _of_tier(ws, tier)
    if tier is not None and not entries:
        raise ParameterError(f"{visible(tier)} has no release in any session. Release it first")
    drawn = _once(entries)
    found = [release_of(ws, e, shown) for e in drawn.values()]
    promises = {
        folder: joint_promise(ws, [drawn[r.tier, r.session, r.level] for r in of_tier])
        for folder, of_tier in several_of(found).items()
    }
    key, alone = ws.signing_key(), tier is not None
    return pack_zip(found, made=today(), key=key, promises=promises, alone=alone)


def check(ws: Workspace, content: bytes) -> tuple[Finding, ...]:
    """What is wrong with a pack or a single file, by this workspace's ledger; () if it passes.

    A pack may have been made with any post-processing, whatever the page shows now.
    """
    if may_be_table(content):
        return _check_table(ws, content)
    ledgers = [releases_of(ws, processing) for processing in PROCESSINGS.values()]
    return verify_pack(content, ledgers, today=today(), key=ws.signing_key(), said=_then)


def _then(release: TierRelease, facts: Mapping[str, str]) -> TierRelease:
    """A release with what was said of its plan when a file was made that states these facts."""
    said = facts.get(FACT, "")
    return _as_said(release, said if is_said(said) else "")


def _check_table(ws: Workspace, content: bytes) -> tuple[Finding, ...]:
    """What is wrong with a single table: each that may be handed out is written again.

    One from before groups were renamed is written again by the names in it.
    """
    other = Finding("the file", "is not, to the last byte, a file that this ledger gives")
    try:
        table = read_signed(content)
        day = datetime.date.fromisoformat(table.facts[MADE])
    except (DataError, ValueError):
        return (other,)
    key = ws.signing_key()
    for entry in ws.ledger if day <= today() else ():
        now = _then(as_released(ws.session_of(entry), entry, ws.facts_of(entry)), table.facts)
        then = _called(now, table.names)
        if entry.drawn <= day and signed_csv(then, day, key=key) == content:
            return tuple(renamed([now], [then]))
    return (other,)


def _called(release: TierRelease, names: tuple[str, ...]) -> TierRelease:
    """A release whose groups are called as in a file; as it is, if these are not as many."""
    if len(names) != len(release.labels):
        return release
    return replace(release, labels=names, entries=release.entries if release.measure else names)


def file_of(
    ws: Workspace, entry: LedgerEntry, made: datetime.date, before: str | None = None
) -> bytes:
    """The file of one release by itself, of any session: its numbers, signed.

    Args:
        ws: the workspace.
        entry: of its ledger.
        made: the day.
        before: what is said of a release whose tier has another budget now; by default as the
            plan says it.
    """
    one = as_released(ws.session_of(entry), entry, ws.facts_of(entry))
    said = ws.former(entry) if before is None else before
    return signed_csv(_as_said(one, said), made, key=ws.signing_key())


def as_released(one: Session, entry: LedgerEntry, facts: Facts) -> TierRelease:
    """What the tier of one ledger entry may have, of any session that holds it, as it was drawn.

    Args:
        one: the session.
        entry: of the ledger.
        facts: the header of the hand-out.
    """
    if one.asking.plain is None:
        return structured.tier_release(one, entry, facts)
    return tier_release(one, entry, facts, PROCESSINGS["released"])


def fingerprint_of(ws: Workspace) -> str:
    """The fingerprint of the key that signs the packs of this workspace."""
    return fingerprint(ws.signing_key().public)


def report_of(ws: Workspace, made: datetime.date) -> str:
    """The page for stakeholders: the plan, what is released of it, and what collusion would give.

    Losses are those of everything released so far and of the whole plan, once it is drawn.
    """
    query, tiers = ws.statistic.query, ws.known_of_tiers
    together, alone = account.with_plan(ws)
    adding = len(account.draws_of_unit_in_use(ws))
    facts = footer_facts(ws)
    return report_html(
        ReportFacts(
            title=_TRIAL * (ws.mode == "teaching")
            + f"{capitalised(query.statistic)}: who sees what",
            takeaway=plain_text(
                takeaways.tiers(
                    *(tiers, ws.family, query, together, alone, typed_size(ws)),
                    right=right_in_all(together) if adding > 1 else None,
                ).text
            ),
            badges=(MODE_WORDS[ws.mode],),
            kind=PROCESSINGS["released"].kind_for(query),
            tiers=_report_tiers(ws, ws.statistic),
            noun=query.noun_released,
            confidence=ACCURACY_CONFIDENCE,
            definition=dict(facts)["Definition"],
            lossless=together.value,
            lossless_stated=takeaways.loss_words(together),
            independent=alone.value,
            independent_stated=takeaways.loss_words(alone),
            sessions=account.sessions_with_plan(ws),
            **(_of_all(ws, together) if len(ws.draws()) > 1 else {}),
            groups=query.labels,
            caveats=caveats(ws),
            facts=(
                ("Statistic", capitalised(query.statistic)),
                *(pair for pair in facts[1:] if pair[0] in STATED),
                ("Bounds", query.contribution),
                *_besides(ws),
            ),
            key=fingerprint_of(ws),
            made=made,
            versions=software(),
        )
    )


def _besides(ws: Workspace) -> Facts:
    """What was released of other units of privacy, whose losses are never added."""
    found = account.other_units(ws).items()
    each = [f"where {unit}: {takeaways.cost_words(loss)}" for unit, loss in found]
    return (("Besides, not added", "; ".join(each)),) if each else ()


def _of_all(ws: Workspace, together: JointLoss) -> dict[str, Any]:
    """What the report says of a plan of several statistics."""
    adding = account.of_unit_in_use(ws)
    topics = account.topics_of_unit_in_use(ws)
    losses = [(name, account.of_tier_with_plan(ws, name)) for name in ws.plan.styles]
    losses = [*sorted(losses, key=lambda pair: pair[1].value), ("All tiers together", together)]
    names = [f"{i}. {capitalised(s.name)}" for i, s in enumerate(ws.statistics, start=1)]
    return {
        "statistics": tuple(
            ReportStatistic(name=name, noun=s.query.noun_released, tiers=_report_tiers(ws, s))
            for name, s in zip(names, ws.statistics, strict=True)
        ),
        "sums": tuple(
            ReportSum(name=name, stated=takeaways.loss_words(loss), right=right_in_all(loss).said)
            for name, loss in losses
            if len(adding) + len(topics) > 1
        ),
        "topics": tuple(topic.name for topic in topics),
        "not_added": (
            *(name for name, s in zip(names, ws.statistics, strict=True) if s not in adding),
            *(topic.name for topic in ws.topics if topic not in topics),
        ),
        "one": ws.statistic.query.nouns.one,
    }


def _report_tiers(ws: Workspace, statistic: Statistic) -> tuple[ReportTier, ...]:
    """What each tier gets of a statistic, most private first."""
    drawn = {(e.tier, e.level): e for e in reversed(ws.entries_of(ws.round_of(statistic)))}
    known = ws.known(statistic)
    return tuple(_report_tier(ws, p, drawn.get((p.name, p.budget.level))) for p in known)


def _report_tier(ws: Workspace, planned: PlannedTier, drawn: LedgerEntry | None) -> ReportTier:
    b = planned.budget
    epsilon = loss_with_delta("ε", b.epsilon, b.delta)
    style = ws.plan.style_of(planned.name)
    return ReportTier(
        name=planned.name,
        colour=style.colour,
        glyph=style.glyph,
        note=planned.tier.note,
        people=planned.people,
        budget=epsilon if b.letter == "ε" else f"{budget(b.letter, b.loss)}, {epsilon}",
        half_width=b.half_width,
        drawn=drawn.drawn if drawn else None,
        before=ws.former(drawn) if drawn else "",
    )


# --- what weakens the promise ---


TEACHING = (
    "Drawn in practice mode, from a seed that repeats it, in floating point: no promise stands "
    "behind these numbers. They are for practice; do not publish them."
)
SEVERAL = (
    "One {one} is protected by itself, and no column says whose it is: somebody with ten {many} is "
    "protected less than somebody with one."
)
MEANS = (
    "A mean is made of two released numbers. A coalition learns no more than its least private "
    "member could work out, but perhaps more than that member’s mean says."
)


def caveats(ws: Workspace) -> Facts:
    """Pairs of a few words and a sentence or two; empty if nothing is known.

    >>> [name for name, _ in caveats(Workspace.fresh())]
    ['Practice numbers']
    """
    drawn = ws.entries_of(ws.round)
    known = [ws.seen.of(ws.statistic), *(e.known for e in drawn)]
    found = [("Practice numbers", TEACHING)] if ws.mode == "teaching" else []
    found += _of_data(known)
    for tier in ws.known_of_tiers:
        budget = next(p.budget for p in ws.known() if p.name == tier.name)
        caution = warning(budget)
        if caution is not None:
            meant = " Who drew it confirmed that it is meant." if tier.values is not None else ""
            name = visible(tier.name)
            found.append((f"Weak promise to {name}", f"{name}: {caution}{meant}"))
    return (*found, *_of_query(ws.statistic.query), *_beside(ws))


def _of_query(query: Query) -> Facts:
    """What the statistic itself promises less of."""
    found, nouns = [], query.nouns
    if query.bounds.several_rows:
        found.append(("Several of one person", SEVERAL.format(one=nouns.row, many=nouns.rows)))
    if query.per_value > 1:
        found.append(("Weakly lossless", MEANS))
    return tuple(found)


def _of_data(known: Sequence[Provenance]) -> list[tuple[str, str]]:
    """What was read off the data, or was on screen."""
    found = []
    if columns := _columns(one.read_off for one in known):
        found.append(
            (
                "Read off the data",
                f"{capitalised(groups_words(columns))} was read off the data. No noise hides that "
                "a group exists, so no promise covers that, and hand-outs carry no guarantee.",
            )
        )
    if columns := _columns(one.known_before for one in known):
        found.append(("Known before", f"{capitalised(known_words(columns))}."))
    if any(one.looked for one in known):
        found.append(("Looked at", f"{capitalised(LOOKED_AT)}."))
    if columns := _columns(one.checked for one in known):
        found.append(("Reading checked", f"{capitalised(checked_words(columns))}."))
    return found


def _columns(listed: Iterable[Sequence[str]]) -> list[str]:
    """Columns of several lists, each once."""
    return [*dict.fromkeys(column for columns in listed for column in columns)]


def _beside(ws: Workspace) -> Facts:
    """What was handed out and is not, or not like this, in the plan of now."""
    drawn = ws.entries_of(ws.round)
    now = {(p.name, p.budget.level) for p in ws.known()}
    others = [e for e in drawn if (e.tier, e.level) not in now]
    found = []
    if others:
        told = [
            f"{called(visible(e.tier), ws.former(e))}, on {e.drawn.isoformat()}" for e in others
        ]
        found.append(
            ("Released before the plan changed", f"{join(told)}. They cannot be recalled.")
        )
    versions = {e.versions for e in drawn} - {software()}
    if versions:
        lists = [", ".join(f"{name} {text}" for name, text in one) for one in sorted(versions)]
        found.append(("Drawn with other versions", f"{'; '.join(lists)}."))
    return tuple(found)


def joint_promise(ws: Workspace, drawn: Sequence[LedgerEntry]) -> list[str]:
    r"""What a tier learns by all of these releases, and what all tiers do who compare notes.

    Args:
        ws: the workspace.
        drawn: the releases of one tier, all of practice or all hardened.

    >>> from dpviz.queries import Count, Everybody
    >>> ws = Workspace.fresh()
    >>> ws.draw("public", "audit")
    >>> ws.state(Count(Everybody()))
    >>> ws.draw("public")
    >>> said = joint_promise(ws, [e for e in ws.ledger if e.tier == "public"])
    >>> said[2].replace("\xa0", " ")[:45]
    'Privacy loss of this folder in all: ρ = 0.2. '
    """
    trial = ws.session_of(drawn[0]).mode == "teaching"
    units = account.of_releases(ws, drawn)
    said = [IF_HARDENED] if trial else []
    for of in units:
        said += [f"Where {of.unit}:", *_losses(of), *_without(ws, of, trial)]
    if not units:  # typed numbers alone: nobody has said who is protected
        alone = joint_loss(account.events(ws, drawn), delta=ws.delta)
        said.append(f"Privacy loss of this folder in all: {loss_words(alone)}.")
    columns = [*dict.fromkeys(column for e in drawn for column in e.known.read_off)]
    if columns:
        listed = capitalised(groups_words(columns))
        said.append(f"{listed} was read off the data: no promise covers that.")
    return [*said, *([APART] if len(units) > 1 else [])]


def _losses(of: OfUnit) -> Iterator[str]:
    """Both losses of one unit, with the guesses that they allow."""
    mine, every = (right_in_all(loss).said for loss in (of.mine, of.everybody))
    yield (
        f"Privacy loss of this folder in all: {loss_words(of.mine)}. Of {ALL:,} guesses about one "
        f"{of.one}, {mine} are right (a coin: {COIN})."
    )
    yield (
        "Privacy loss of all tiers who compare notes, by everything released so far: "
        f"{loss_words(of.everybody)}, {every} right guesses. From each session (numbers drawn from "
        "one another) they learn no more than its least private tier could alone, and sessions "
        "compose."
    )


def _without(ws: Workspace, of: OfUnit, trial: bool) -> Iterator[str]:
    """That some of what everybody has carries no guarantee; not whose it is, nor of what."""
    if not trial and any(ws.session_of(e).mode == "teaching" for e in of.entries):
        yield "Some of all that was released is for practice, and carries no guarantee."
    if any(e.known.read_off for e in of.entries):
        yield (
            "Some of all that was released has groups that were read off the data, and carries no "
            "guarantee."
        )
