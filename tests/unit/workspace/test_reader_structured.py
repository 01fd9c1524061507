"""Structured releases as a reader with an account has them: the custodian's, and nobody else's."""

import json

import numpy as np
import pytest
import sqlalchemy as sa

from dpviz.release import today
from dpviz.ui.kit import panel
from dpviz.words import pm
from dpviz.workspace import structured
from dpviz.workspace.local.rappor import Subject as Survey
from dpviz.workspace.one_tier import Answers, seen_by, shown_to, who_sees
from dpviz.workspace.packing import check, file_of
from dpviz.workspace.projects import Projects
from dpviz.workspace.projects.database import ENTRIES, PROJECTS, RELEASES, SESSIONS
from dpviz.workspace.projects.of_tier import NothingYetError
from tests.conftest import few
from tests.people import HEAD, READER
from tests.project_workers import PROJECT
from tests.structured_sessions import KINDS, SURVEY, counted, known, surveyed, workspace


def made(places, *kinds, draws=2):
    """A project with the first draws of these kinds, by a custodian who has logged in."""
    ws = workspace()
    Projects(places[0], keys=places[1], who=HEAD).create(PROJECT, ws)
    for kind in kinds:
        for draw in kind.draws[:draws]:
            draw(ws)
    return ws


def of(places, tier, who=READER):
    return Projects(places[0], keys=places[1], who=who).of_tier(PROJECT, tier)


def done(places):
    acts = Projects(places[0], keys=places[1]).acts()
    return [(a.what, a.who, a.tier, a.session) for a in acts]


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
    assert spoiled == 4, "the levels of research"
    after = tier.releases()
    assert [o.view.facts for o in after] == [o.view.facts for o in before]
    assert [o.view.values.tolist() for o in after] == [o.view.values.tolist() for o in before]


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


def test_a_tier_that_was_given_nothing_of_its_own_has_nothing_of_another(places):
    made(places, KINDS["linear queries"], KINDS["continual counting"])
    with pytest.raises(NothingYetError):
        of(places, "partners").releases()


@pytest.mark.parametrize("kind", few(["linear queries", "counts of a list"], 2))
def test_the_mean_of_one_sided_noise_is_taken_off_in_the_file_and_on_screen(places, kind):
    ws = workspace()
    ws.use_family("poisson")
    Projects(places[0], keys=places[1]).create(PROJECT, ws)
    KINDS[kind].draws[0](ws)
    own = of(places, "research").releases()[0]
    asking = ws.session_of(own.entry).asking
    offset = np.broadcast_to(asking.legend.offset(own.entry.level), own.view.values.shape)
    assert offset.min() > 1
    np.testing.assert_allclose(own.view.values, own.release.values - offset)
    np.testing.assert_array_equal(own.view.values, dict(own.release.derived)["estimate"])
    assert of(places, "research").file(own, today()) == file_of(ws, own.entry, today())


def test_the_bars_are_those_that_the_accuracy_speaks_of(places):
    made(places, KINDS["linear queries"], KINDS["continual counting"])
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
