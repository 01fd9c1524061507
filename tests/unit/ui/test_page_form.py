"""The form of a page, its fields, the menu, small and enlarged pictures, addresses of lessons."""

import importlib
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest
import streamlit as st
from scipy import stats
from streamlit.testing.v1 import AppTest

from docs.small_page import PAGE
from dpviz.charts import theme
from dpviz.charts.forms.squares import guesses_frame, squares
from dpviz.charts.still import Layer, still
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.parameters import RHO
from dpviz.ui import more_questions as pictures
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.lesson_link import MOST_DRAWS, OnScreen, asked_for, option, place
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.ui.kit.page_table import MORE, MOVED, OVERVIEW, PAGES, after, page
from dpviz.ui.kit.parts import Field, enlarged, in_use
from dpviz.ui.more_questions import STILLS
from dpviz.words.claims import Claim, Number, Said, say
from dpviz.workspace import Workspace
from tests.conftest import for_each, full_run
from tests.visiting import plain

HALF = Claim(what="half width", value=4.4, unit="people", fixed="95 %", method="quantile")
UI = Path(pictures.__file__).parent
LABELS = {"with": "A box about the numbers", "alone": "A box that needs none"}


def of_half(half: float) -> float:
    """Return what the page says; its source stands in the drawer."""
    return half


def refusing(_: float) -> float:
    raise ParameterError("type a positive number")


def box(*given: object) -> None:
    st.text(f"made from {len(given)}")


FORM = PageForm(
    file="variances",
    controls=lambda _: 4.4,
    headline=lambda _: say("Off by {half}.", half=Number("±4.4", HALF)),
    picture=lambda _: (),
    reading="Shorter is better.",
    beside=lambda _: (Said("A sentence beside it."),),
    formula=lambda _: "x = y",
    recipe=of_half,
    arguments=lambda scene: {"half": scene},
    closers=(
        Closer(label=LABELS["with"], inside=box, key="with"),
        Closer(label=LABELS["alone"], inside=box, key="alone", with_scene=False),
    ),
)


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    """All that can be unfolded is open, and there are no other pages to go to."""
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", [parts.DRAWER, "closer_with", "closer_alone"])
    monkeypatch.setattr(controls, "page_link", lambda path, _: st.text(f"link to {path}"))


def lay_out(form, workspace):
    form.show(workspace)


def shown(form: PageForm) -> AppTest:
    """What a visitor sees of a page."""
    app = AppTest.from_function(lay_out, args=(form, Workspace.fresh())).run()
    assert not app.exception
    return app


def said(app: AppTest) -> list[str]:
    return [
        plain(each.value) for kind in ("markdown", "text", "error") for each in getattr(app, kind)
    ]


def test_the_headline_says_the_number_and_the_drawer_why():
    app = shown(FORM)
    assert [each.value for each in app.header] == ["Off by ±4.4."]
    told = said(app)
    assert "A sentence beside it." in told
    assert any("Half width: 4.4 people, exact." in each for each in told)
    assert "def of_half" in app.code[0].value
    assert {"made from 1", "made from 2"} <= set(told)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"controls": lambda _: Missing("Add a tier.", file="tiers")}, "Add a tier."),
        pytest.param({"scene": lambda _: Missing("It runs.", file="")}, "It runs.", marks=full_run),
        ({"scene": refusing}, "These settings cannot be used: the reason stands below."),
    ],
)
def test_without_a_scene_the_headline_says_why_and_only_boxes_that_need_none_are_there(
    change, sentence
):
    app = shown(replace(FORM, **change))
    assert [each.value for each in app.header] == [sentence]
    assert "made from 1" in said(app)
    assert "made from 2" not in said(app)
    assert ("Type a positive number." in said(app)) == (change.get("scene") is refusing)
    assert ("link to pages/tiers.py" in said(app)) == ("controls" in change)


def test_the_next_page_is_offered_where_it_goes_on_with_this_scene():
    there = "link to pages/collusion.py"
    assert there in said(shown(replace(FORM, ready=lambda half: half > 4)))
    assert there not in said(shown(replace(FORM, ready=lambda half: half > 5)))
    lacking = Missing("Say what.", file="", instead=box)
    app = shown(replace(FORM, controls=lambda _: lacking, ready=lambda _: True))
    assert there not in said(app)
    assert "made from 0" in said(app)  # in the place of the picture


@pytest.mark.parametrize(("file", "link"), [("variances", True), ("tiers", False)])
def test_a_decision_has_one_button_and_takes_the_place_of_the_way_on_if_it_leads_there(file, link):
    sentence = "If 4.4 will do, go on."
    app = shown(replace(FORM, file=file, decision=lambda _: sentence))
    assert [button.label for button in app.button] == ["Try it: draw practice numbers"]
    assert sentence in said(app)
    assert (f"link to {parts.path(after(file).file)}" in said(app)) == link


def test_a_page_has_two_closers_at_most():
    three = tuple(Closer(label=str(k), inside=box, key=str(k)) for k in range(3))
    with pytest.raises(ParameterError, match="at most 2 closers"):
        replace(FORM, closers=three)


def test_the_smallest_page_of_the_documents_is_a_page():
    app = shown(PAGE)
    (headline,) = app.header
    assert plain(headline.value) == (
        "All readers together learn ρ = 0.1, instead of ρ = 0.5 with separate noise."
    )
    app.slider(key="small_page_readers").set_value(20).run()
    assert "ρ = 2" in plain(app.header[0].value)


# A field keeps what was usable last, says in one sentence why something else is not.


def field(label, default):
    return Field(label=label, default=default, help="", reader=RHO.read, key=label.lower())


SMALLEST, LARGEST = field("Smallest", "0.1"), field("Largest", "5")


def ascend(both):
    if not both[0] < both[1]:
        raise ParameterError("type a smaller one first")


@pytest.fixture
def refused(visit, monkeypatch):
    said = []
    monkeypatch.setattr(parts, "refusal", said.append)
    visit.come()
    return said


def test_what_cannot_be_used_leaves_the_last_usable_value_and_one_sentence(visit, refused):
    assert SMALLEST.value() == 0.1
    visit.answers = {"smallest": "0.25"}
    assert SMALLEST.value() == 0.25
    assert refused == []
    for typed in ("", "0,1", "-1", "nonsense"):
        visit.answers, before = {"smallest": typed}, len(refused)
        assert SMALLEST.value() == 0.25
        assert len(refused) == before + 1
        assert refused[-1].startswith("Smallest: ")
    visit.answers = {"smallest": "nonsense"}
    visit.kept.clear()  # a visitor who comes back to a field that holds nonsense
    assert SMALLEST.value() == 0.1


def test_fields_that_go_together_are_used_together_or_not_at_all(visit, refused):
    assert in_use(SMALLEST, LARGEST, check=ascend) == (0.1, 5.0)
    visit.answers = {"smallest": "7"}
    assert in_use(SMALLEST, LARGEST, check=ascend) == (0.1, 5.0)
    assert refused == ["type a smaller one first"]
    visit.answers = {"smallest": "7", "largest": "9"}
    assert in_use(SMALLEST, LARGEST, check=ascend) == (7.0, 9.0)
    visit.answers = {"smallest": "x", "largest": "8"}
    assert in_use(SMALLEST, LARGEST, check=ascend) == (7.0, 9.0)


# --- The menu: its groups, and where "Next" leads ---


def listed():
    return [each for each in PAGES if each.listed]


def test_next_follows_the_groups_and_leads_back_to_the_start():
    way, at = ["data"], after("data")
    while at.file != "start":
        way.append(at.file)
        assert len(way) < len(PAGES), "no circle"
        at = after(at.file)
    assert way == [
        *("data", "tiers", "releases"),
        *("bridge_paths", "variances", "collusion", "laplace_or_gauss"),
        *("more_questions", "falsify", "method"),
    ]
    assert after("present").file == "bridge_paths"


def test_the_further_questions_lead_from_one_to_the_next_and_on_to_the_check():
    further = [each for each in listed() if each.group == MORE and each.file != OVERVIEW]
    assert [after(each.file) for each in further] == [*further[1:], page("falsify")]


def test_addresses_that_are_gone_are_no_pages_any_more():
    assert not set(MOVED) & {each.file for each in PAGES}
    assert {file for file, _ in MOVED.values()} <= {each.file for each in PAGES}


# --- The small pictures of the overview show what their pages compute ---


def test_each_further_question_has_a_card():
    assert list(STILLS) == [p.file for p in PAGES if p.group == MORE and p.file != "more_questions"]


@for_each("file", STILLS)
def test_a_still_says_what_it_shows_and_has_no_words_inside(file):
    found = STILLS[file]()
    assert found.alt.endswith(".")
    assert {layer.grey for layer in found.layers} == {True, False}
    fig = still(found.layers, symbol=found.symbol, size=found.size)
    assert len(fig.data) == len(found.layers)
    assert not fig.layout.annotations
    assert not fig.layout.xaxis.visible
    assert fig.layout.hovermode is False


def test_noise_in_the_right_places_is_that_of_the_square_root_of_all_totals():
    wide, narrow, line = pictures.totals().layers
    n, last = len(pictures.WEEKS), len(line.x)
    assert line.y == pytest.approx(np.cumsum(pictures.WEEKS)[-last:])
    half = {}
    for name, layer in (("apart", wide), ("placed", narrow)):
        y = np.array(layer.y)
        half[name] = (y[last:][::-1] - y[:last]) / 2
    sums = np.tril(np.ones((n, n)))
    first = np.array([math.comb(2 * k, k) / 4**k for k in range(n)])
    square_root = np.array([[first[i - j] if i >= j else 0.0 for j in range(n)] for i in range(n)])
    assert np.allclose(square_root @ square_root, sums)
    unit = stats.norm.ppf(0.975) * math.sqrt(pictures.LEVEL)
    apart = np.full(n, unit * np.sqrt((sums**2).sum(axis=0).max()))  # one person moves all totals
    columns = np.sqrt((square_root**2).sum(axis=0).max())
    placed = unit * columns * np.sqrt((square_root**2).sum(axis=1))
    assert half["apart"] == pytest.approx(apart[-last:])
    assert half["placed"] == pytest.approx(placed[-last:])
    assert half["placed"][-1] < half["apart"][-1] / 2


def test_the_blocks_in_ink_are_those_of_the_first_steps():
    grey, ink = pictures.blocks().layers
    ends = np.array(ink.x).reshape(-1, 2).round()
    covered = sorted(step for left, right in ends for step in range(int(left), int(right)))
    assert covered == list(range(pictures.STEPS))
    boxes = np.array([*grey.x, *ink.x]).reshape(-1, 2)
    assert len(boxes) == 16 + 8 + 4 + 2 + 1


def test_columns_lines_and_browsers_are_all_there():
    grey, ink, threshold = pictures.found().layers
    assert (len(grey.x) + len(ink.x)) / 2 == pictures.ITEMS
    assert min(ink.y[1::2]) > 0
    assert set(threshold.y) == {pictures.THRESHOLD}
    kept, moved = pictures.ranking().layers
    places = sorted([*kept.y[1::3], *moved.y[1::3]])
    assert places == sorted(-float(n) for n in range(len(pictures.RANKED)))
    assert all(a != b for a, b in zip(moved.y[::3], moved.y[1::3], strict=True))
    random, others = pictures.browsers().layers
    assert (len(random.x), len(others.x)) == (75, 25)


def test_the_exact_total_never_exceeds_the_sum():
    straight, total = pictures.added().layers
    assert straight.y == pytest.approx([0.1 * count for count in straight.x])
    assert all(t <= s + 1e-12 for t, s in zip(total.y, straight.y, strict=True))
    assert total.y[-1] < 0.8 * straight.y[-1]


def test_the_line_of_trust_ends_in_its_cone():
    cone, line = pictures.trust().layers
    low, high = np.array(cone.y[:60]), np.array(cone.y[60:])[::-1]
    assert low[-1] < line.y[-1] < high[-1]
    assert (np.diff(high - low) < 0).all()


def test_a_gap_ends_a_line():
    (drawn,) = still([Layer(kind="line", x=(0.0, 1.0, None, 0.0), y=(0.0, 1.0, None, 2.0))]).data
    assert drawn.x[2] is None


# An enlarged figure is the same picture: what is measured in pixels grows, places stay.


def drawn():
    fig = squares(guesses_frame(("audit", 173, TierStyle(11, 3), False))).figure
    fig.add_annotation(text="a", x=3, y=4, xshift=10, font={"size": 14})
    fig.add_shape(type="line", x0=0, x1=1, y0=0, y1=1, line={"width": 2})
    fig.add_scatter(x=[1, 2], y=[3, 4], marker={"size": [5, 6], "line": {"width": 1}})
    return theme.dress(fig, "dark")


def test_type_marks_lines_and_heights_grow_and_places_stay():
    before = drawn()
    after = enlarged(before, 2)
    assert after.layout.height == 2 * before.layout.height
    assert after.layout.annotations[0].font.size == 28
    assert after.layout.annotations[0].xshift == 20
    assert after.layout.annotations[0].x == 3
    assert after.layout.shapes[0].line.width == 4
    assert list(after.data[-1].marker.size) == [10, 12]
    assert after.data[-1].marker.line.width == 2
    assert after.layout.template.layout.font.size == 2 * before.layout.template.layout.font.size
    for one, other in zip(before.to_dict()["data"], after.to_dict()["data"], strict=True):
        assert (one["x"], one["y"]) == (other["x"], other["y"])
    assert before == drawn()  # the original is left as it is


@pytest.mark.parametrize("times", [0, -1, float("nan")])
def test_nonsense_is_refused(times):
    with pytest.raises(ParameterError):
        enlarged(go.Figure(), times)


# What the address of a lesson keeps: what is put into it comes out again, nonsense does not.


SCREENS = [
    screen
    for page in PAGES
    if page.is_lesson
    for told in importlib.import_module(f"dpviz.ui.{page.file}").LESSON.screens
    for screen in (told, told.opening)
    if screen and screen.choice
]
NONSENSE = ("", "-1", "+1", "1.0", "x", "²", "٣", " 1", f"{10 * MOST_DRAWS}", "9" * 5000, "<b>")


@pytest.mark.parametrize("choice", [0, 3])
@pytest.mark.parametrize("draw", [0, 12])
@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True)])
def test_what_is_in_an_address_is_what_was_on_screen(choice, draw, flags):
    done, told = flags
    shown = OnScreen(step=4, choice=choice, draw=draw, done=done, told=told)
    assert asked_for(shown.asked, 4) == shown


@for_each("text", NONSENSE)
def test_nonsense_is_as_if_it_were_not_there(text):
    asked = dict.fromkeys(("choice", "draw", "done", "told"), text)
    assert asked_for(asked, 2) == OnScreen(step=2)


@for_each("screen", SCREENS)
def test_each_option_has_a_number_and_the_first_seen_has_none(screen):
    for chosen in screen.choice.options:
        number = place(screen, chosen)
        assert (number == 0) == (chosen == screen.choice.default)
        assert chosen == screen.choice.default or option(screen, number) == chosen
    assert place(screen, "") == 0
    assert option(screen, 0) is option(screen, len(screen.choice.options) + 1) is None


FORMS = sorted(
    file.relative_to(UI).with_suffix("").as_posix().replace("/", ".")
    for file in UI.rglob("*.py")
    if "\nPAGE = PageForm(" in file.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("module", FORMS)
def test_the_headline_of_a_first_visit_has_numbers_exactly_where_it_has_claims(visit, module):
    form = importlib.import_module(f"dpviz.ui.{module}").PAGE
    ws = Workspace.fresh()
    visit.come()
    settings = form.controls(ws, *([form.specialist(ws)] if form.specialist else []))
    head = form.headline(form.scene(settings))
    assert bool(head.claims) == any(map(str.isdigit, head.text)), head.text
