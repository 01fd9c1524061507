"""Structured sessions in a project: kept for every tab and day, and handed out to readers alone."""

import json
from dataclasses import replace

import numpy as np
import pytest
import sqlalchemy as sa

from dpviz import streams
from dpviz.data import read_csv
from dpviz.errors import ParameterError, SealedError
from dpviz.queries import ByColumn, Count, Words
from dpviz.release import MultipleRelease, today
from dpviz.ui.kit import panel
from dpviz.words import pm
from dpviz.workspace import account, kept, sparse, structured, top_k
from dpviz.workspace.local import rappor
from dpviz.workspace.local.rappor import Subject as Survey
from dpviz.workspace.one_tier import Answers, seen_by, shown_to, who_sees
from dpviz.workspace.packing import check, file_of
from dpviz.workspace.projects import Projects
from dpviz.workspace.projects.absent import waits_for
from dpviz.workspace.projects.contents import overview, released, stored
from dpviz.workspace.projects.database import ENTRIES, PROJECTS, RELEASES, SESSIONS
from dpviz.workspace.projects.of_tier import NothingYetError
from tests.conftest import few
from tests.people import HEAD, READER
from tests.project_workers import PROJECT
from tests.structured_sessions import (
    KINDS,
    ROWS,
    SURVEY,
    TABLE,
    asked,
    counted,
    known,
    listed,
    of_tiers,
    shown,
    surveyed,
    workspace,
)
from tests.unit.workspace.test_accounts import done


def brought(places):
    """The project in a process that has just begun, with its table."""
    ws = Projects(places[0], keys=places[1]).open(PROJECT)
    ws.bring(read_csv(ROWS.encode(), name=TABLE))
    return ws


@pytest.fixture
def ws(projects):
    made = workspace()
    projects.create(PROJECT, made)
    return made


def test_every_kind_goes_on_draw_by_draw_in_another_process(projects, places, ws):
    """Without the table all that was drawn is shown, and a list as it was at the time."""
    for number in range(3):
        tab = brought(places)
        before = shown(tab)
        for kind in KINDS.values():
            kind.draws[number](tab)
        assert shown(tab)[: len(before)] == before
    away = projects.open(PROJECT)
    assert shown(away) == shown(tab)
    assert {e.session for e in away.ledger} == set(range(1, len(KINDS) + 2)), "one session each"
    assert len(away.ledger) == 3 * len(KINDS) + 1, "and the list of the counts"
    for kind in KINDS.values():  # asked again, nothing is drawn
        kind.draws[0](away)
    ws.catch_up()
    assert shown(ws) == shown(away) == shown(tab)
    assert account.joint(ws) == account.joint(tab)
    assert (overview(ws).sessions, overview(ws).sealed) == (len(KINDS) + 1, 0)
    for kind in KINDS.values():
        found = ws.find(kind.asking(ws).key)
        assert found is not None
        assert found.asking.keeping.subject is not None


def test_a_survey_goes_on_where_it_was_opened_alone_and_its_sums_last(projects, places, ws):
    SURVEY.draws[0](ws)
    tab = brought(places)
    assert shown(tab) == shown(ws)
    SURVEY.draws[0](tab)
    assert len(tab.ledger) == 1, "asked again, the same sums"
    for elsewhere in (tab, projects.open(PROJECT)):
        with pytest.raises(ParameterError, match=r"again\. Start over, or change the filter"):
            SURVEY.draws[1](elsewhere)
    SURVEY.draws[1](ws)
    tab.catch_up()
    assert shown(tab) == shown(ws)
    assert [e.session for e in ws.ledger] == [1, 1]
    other = replace(surveyed(tab), q=0.8)
    other.draw(tab, 0.5, sure=True)
    assert tab.ledger[-1].session == 2, "another survey can be begun anywhere"


def test_a_sealed_one_goes_on_without_the_table_and_an_open_one_does_not(projects, ws):
    for kind in (of_tiers(counted), of_tiers(asked)):
        kind.draws[0](ws)
        kind.draws[1](ws)
    listed(ws, 1).draw(ws)
    for make in (counted, asked):
        one = ws.find(make(ws).asking.key)
        ws.seal_session(one, min(ws.levels_of(one)))
    away = projects.open(PROJECT)
    assert [s.sealed_at is None for s in away.sessions] == [False, False, True]
    for one in away.sessions[:2]:
        tiers = {t.name: t for t in one.asking.keeping.subject.tiers(away)[0]}
        away.record(one.asking, tiers["partners"])
        with pytest.raises(SealedError):
            away.record(one.asking, tiers["audit"])
    assert [e.tier for e in away.ledger[-2:]] == ["partners", "partners"]
    with pytest.raises(ParameterError, match=r"which is not loaded\. Load the same file again"):
        replace(away.sessions[2].asking.keeping.subject, k=3).draw(away)
    with pytest.raises(ParameterError, match="A list cannot be sealed"):
        ws.seal_session(ws.sessions[2], 1.0)


def test_what_cannot_be_kept_says_why_and_changes_nothing(projects, ws):
    histogram = sparse.Subject(table=ws.table, query=sparse.ItemCounts("shop", Words(2)))
    numbers = {"sigma": 9.0, "log_delta": -20.0, "log_delta_used": -20.0}
    cut = top_k.Common(source=listed(ws).source, **numbers)
    of = counted(ws)
    typed = replace(of, stream=replace(of.stream, counted=None))
    tier = of.tiers(ws)[0][0]
    for asking, sentence in (
        (histogram.asking({tier.name: 9.0}), "a sparse histogram adds Gaussian noise"),
        (cut.asking(), "Choose the Gumbel list"),
        (typed.asking, "these counts were typed"),
    ):
        with pytest.raises(ParameterError, match=sentence):
            ws.record(asking, tier)
        teaching = workspace()
        teaching.use_mode("teaching")
        teaching.record(replace(asking, kept=asking.kept), tier)
        teaching.use_mode("hardened")
        with pytest.raises(ParameterError, match=sentence):
            projects.create("second", teaching)
    assert (ws.ledger, ws.sessions, projects.names()) == ([], [], [PROJECT])


def test_no_exact_answer_and_no_row_is_in_the_file(tmp_path):
    ws = workspace()
    Projects(tmp_path).create(PROJECT, ws)
    for kind in (*KINDS.values(), SURVEY):
        for draw in kind.draws[:2]:
            draw(ws)
    found = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    long = [
        KINDS[kind].asking(ws).keeping.exact() for kind in ("continual counting", "linear queries")
    ]
    assert min(a.size for a in long) >= 30, "so that noise never happens to be 0 everywhere"
    assert [a.tobytes() in found for a in long] == [False, False]
    assert ws.table.digest.encode() not in found
    assert b"2025-01-04 12:00" not in found
    released_now = ws.find(KINDS["continual counting"].asking(ws).key).mechanism.inner.held
    assert min(released_now.items())[1].tobytes() in found, "the search finds what is there"


def test_linear_answers_and_running_counts_go_on_as_the_session_within(ws, monkeypatch):
    """Bit for bit what a `MultipleRelease` draws that goes on from the same releases."""
    for make in (counted, asked):
        keeping = make(ws).asking.keeping
        exact, held = keeping.exact(), {}
        for seed, level in enumerate((3.0, 7.0, 2.0, 5.0)):
            monkeypatch.setattr(kept.streams, "hardened", lambda s=seed: streams.teaching(s))
            content = {x: released(stored(numbers)) for x, numbers in held.items()}
            mechanism = keeping.continued(content, exact)
            within = MultipleRelease.continued(
                exact, keeping.family, held, rng=streams.teaching(seed)
            )
            keeping.inner(mechanism).release(level)
            held[level] = within.release(level)
            np.testing.assert_array_equal(keeping.content(mechanism)[level], held[level])
            there = keeping.shown(keeping.content(mechanism), sealed=False)
            for each, values in mechanism.held.items():
                np.testing.assert_array_equal(there.held[each], values)
        assert there.mode == "hardened"


def test_sums_of_a_survey_are_written_and_read(ws):
    SURVEY.draws[0](ws)
    (sums,) = SURVEY.asking(ws).keeping.content(ws.sessions[0].mechanism).values()
    assert released(stored(sums)) == sums
    assert isinstance(sums, rappor.SurveySums)
    assert sum(sums.clients) == ROWS.count("\n") - 1
    with pytest.raises(ParameterError):
        released(b'{"is": "Limit"}')


def test_a_session_that_only_a_structured_page_asked_waits_for_its_table(projects):
    ws = workspace()
    projects.create(PROJECT, ws)
    listed(ws, 1).draw(ws)
    other = read_csv(b"id,ward\n1,A\n2,B\n", name="other.csv")
    ws.bring(other)
    ws.state(Count(ByColumn("ward", ("A", "B"))))
    ws.save_plan()
    tab = projects.open(PROJECT)
    same = read_csv(ROWS.encode(), name=TABLE)
    assert waits_for(tab, same)
    tab.bring(same)
    listed(tab, 2).draw(tab)
    assert [e.session for e in tab.ledger] == [1, 1]


# Structured releases as a reader with an account has them: the custodian's, and nobody else's.


def made(places, *kinds, draws=2, family="discrete_laplace"):
    """A project with the first draws of these kinds, by a custodian who has logged in."""
    ws = workspace()
    ws.use_family(family)
    Projects(places[0], keys=places[1], who=HEAD).create(PROJECT, ws)
    for kind in kinds:
        for draw in kind.draws[:draws]:
            draw(ws)
    return ws


def of(places, tier, who=READER):
    return Projects(places[0], keys=places[1], who=who).of_tier(PROJECT, tier)


def test_every_kind_is_read_as_the_custodian_hands_it_out(places):
    """To the last byte, and what is on screen is what the file holds."""
    ws = made(places, *KINDS.values(), SURVEY)
    away = Projects(places[0], keys=places[1]).open(PROJECT)  # without the table
    for name in ("public", "research"):
        tier = of(places, name)
        found = tier.releases()
        assert [o.entry.session for o in found] == list(range(9, 0, -1))
        for own in found:
            entry = ws.ledger[own.entry.number - 1]
            assert own.entry == entry
            assert entry.tier == name or entry.selection is not None
            content = tier.file(own, today())
            assert content == file_of(ws, entry, today()) == file_of(away, entry, today())
            view, release = own.view, structured.release_of(ws, entry)
            assert isinstance(view, Answers)
            assert (view.names, view.tier.name) == (release.entries, name)
            np.testing.assert_array_equal(view.values, release.in_units)
            assert view.for_all == (entry.selection is not None)
            assert view.facts == ws.facts_of(entry)
            mine = shown_to(ws, name, entry)  # as the custodian's own page shows it
            assert (mine.facts, mine.sentence) == (view.facts, view.sentence)
            np.testing.assert_array_equal(mine.values, view.values)
        assert seen_by(ws, name) == [o.entry for o in found]
    assert check(ws, content) == ()
    assert {*who_sees(ws)} == {"public", "partners", "research", "audit"}


def test_nothing_of_another_tier_is_read(places):
    """All that is of others is unreadable, and the reader does not notice."""
    ws = made(places, *KINDS.values(), SURVEY)
    ws.draw("public", "audit")
    tier = of(places, "public")
    before = tier.releases()
    mine = {(e.session, e.level.hex()) for e in ws.ledger if _is_of(e, "public")}
    engine = Projects(places[0], keys=places[1])._database._engine
    with engine.begin() as c:
        plan = json.loads(c.execute(sa.select(PROJECTS.c.plan)).scalar_one())
        c.execute(sa.update(PROJECTS).values(plan=json.dumps({**plan, "tiers": "gone"})))
        numbers = dict(c.execute(sa.select(SESSIONS.c.id, SESSIONS.c.number)).all())
        spoiled = 0
        for row in c.execute(sa.select(RELEASES.c.session, RELEASES.c.level)).all():
            if (numbers[row.session], row.level) not in mine:
                at = (RELEASES.c.session == row.session) & (RELEASES.c.level == row.level)
                c.execute(sa.update(RELEASES).where(at).values(numbers=b"gone", digest=""))
                spoiled += 1
        for entry in ws.ledger:
            if not _is_of(entry, "public"):
                gone = sa.update(ENTRIES).where(ENTRIES.c.number == entry.number)
                c.execute(gone.values(entry='{"tier": "gone"}'))
    assert spoiled == 5, "the levels of research, and one of audit"
    after = tier.releases()
    assert [o.view.facts for o in after] == [o.view.facts for o in before]
    assert [o.release.values.tolist() for o in after] == [o.release.values.tolist() for o in before]
    with engine.begin() as c:
        c.execute(sa.update(RELEASES).values(numbers=b"gone"))
    with pytest.raises(ParameterError, match="damaged"):
        tier.releases()


def _is_of(entry, name):
    return entry.tier == name or entry.selection is not None


def test_of_a_list_the_longest_and_of_a_survey_the_sharpest_is_shown(places):
    ws = made(places)
    known(ws, 5).draw(ws)
    known(ws, 3).draw(ws)  # it is held: no draw
    for f in (0.75, 0.5):
        surveyed(ws).draw(ws, f, sure=True)
    survey, listed = of(places, "audit").releases()
    assert len(listed.view.names) == 5
    assert listed.view.names == known(ws, 5).ranking(ws).items
    assert survey.entry.tier == "reports at f = 0.5"
    assert survey.view.sentence.text.endswith("all tiers see the same.")
    with pytest.raises(NothingYetError):
        Projects(places[0], keys=places[1]).of_tier("another", "audit").releases()


@pytest.mark.parametrize("kind", few(["linear queries", "counts of a list"], 2))
def test_the_mean_of_one_sided_noise_is_taken_off_in_the_file_and_on_screen(places, kind):
    ws = made(places, KINDS[kind], draws=1, family="poisson")
    own = of(places, "research").releases()[0]
    asking = ws.session_of(own.entry).asking
    offset = np.broadcast_to(asking.legend.offset(own.entry.level), own.view.values.shape)
    assert offset.min() > 1
    np.testing.assert_allclose(own.view.values, own.release.values - offset)
    np.testing.assert_array_equal(own.view.values, dict(own.release.derived)["estimate"])
    assert of(places, "research").file(own, today()) == file_of(ws, own.entry, today())


def test_the_bars_are_those_that_the_accuracy_speaks_of(places):
    made(places, KINDS["linear queries"], KINDS["continual counting"])
    with pytest.raises(NothingYetError):
        of(places, "partners").releases()  # it was given nothing of its own
    streamed, linear = of(places, "public").releases()[0:2]
    for own in (streamed, linear):
        assert own.view.half.shape == own.view.values.shape
        assert own.view.half.min() < own.view.half.max()
        most = own.view.half.max()
        assert f"{pm(most)} (people)" in dict(own.view.facts)["accuracy"]
        said = own.view.sentence
        assert said.text.startswith("Public sees each ")
        assert f"to within {pm(most)} people" in said.text
        assert [(c.value, c.unit) for c in said.claims] == [(most, "people")]


def test_every_act_of_a_structured_session_is_recorded(places, monkeypatch):
    """Who drew, sealed, started over and handed out, for which tier and session: a line each."""
    ws = made(places, KINDS["continual counting"])
    known(ws, 2).draw(ws)
    known(ws, 2).draw(ws)  # holds it: nothing is done, and nothing is recorded
    replaced = counted(ws)
    one = ws.find(replaced.asking.key)
    ws.seal_session(one, min(ws.levels_of(one)))
    ws.close_session(one)
    KINDS["continual counting"].draws[1](ws)  # in another session
    surveyed(ws).draw(ws, 0.5, sure=True)
    assert isinstance(ws.sessions[-1].asking.keeping.subject, Survey)
    handed = []
    taken = lambda *_, data, **__: handed.append(data)  # noqa: E731
    monkeypatch.setattr(panel.controls, "download_button", taken)
    entry = next(e for e in ws.ledger if e.tier == "list of 2")
    panel.download("x", ws, entry, key="k")
    assert len(done(places)) == 8, "a button that is shown hands nothing out"
    assert handed[0]() == file_of(ws, entry, today())
    tier = of(places, "public")
    tier.note("view", tier.releases()[1])
    assert done(places) == [
        ("begin", HEAD, "", 0),
        ("draw", HEAD, "research", 1),
        ("draw", HEAD, "public", 1),
        ("draw", HEAD, "list of 2", 2),
        ("seal", HEAD, "", 1),
        ("start over", HEAD, "", 1),
        ("draw", HEAD, "public", 3),
        ("draw", HEAD, "reports at f = 0.5", 4),
        ("hand-out", HEAD, "list of 2", 2),
        ("view", READER, "public", 3),
    ]


def test_a_structured_act_without_a_line_is_not_done(places):
    ws = made(places, KINDS["continual counting"], draws=1)
    engine = Projects(places[0], keys=places[1])._database._engine
    with engine.begin() as c:
        c.execute(sa.text("ALTER TABLE dpviz_acts RENAME TO gone"))
    one, level = ws.sessions[0], ws.ledger[0].level
    for act in (
        lambda: KINDS["continual counting"].draws[1](ws),
        lambda: known(ws, 2).draw(ws),
        lambda: surveyed(ws).draw(ws, 0.5, sure=True),
        lambda: ws.seal_session(one, level),
        lambda: ws.close_session(one),
    ):
        with pytest.raises(ValueError, match="projects"):
            act()
    assert (len(ws.ledger), len(ws.sessions), one.sealed_at, one.closed) == (1, 1, None, False)
