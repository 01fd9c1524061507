"""The page Continual counting: its frames, figures and claims."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting.counting_crossover import (
    counting_crossover_log_delta,
    gaussian_crossovers,
    gaussian_factors,
    square_root_factor,
)
from dpviz.accounting.laplace import laplace_sum_half_width
from dpviz.accounting.trees import Tree, best_arity, honaker_error, vertices_used
from dpviz.charts import counting as frames
from dpviz.charts import theme
from dpviz.charts.counting import walk_chart
from dpviz.counting.continual_counting import ContinualCounter
from dpviz.data import hourly_events
from dpviz.errors import DataError
from dpviz.noise import FAMILIES
from dpviz.palette import COLOURS, TierStyle
from dpviz.scenes import continual_counting as scenes
from dpviz.scenes.continual_counting import HOURS, OPENS, Reader
from dpviz.ui import continual_counting as page
from dpviz.ui.kit import parts
from dpviz.workspace.counting import Branching, epsilon_of, read_counts, readers
from dpviz.workspace.held import HeldTier
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace
from tests.claim_settings import MOST_GROUPS, workspace_of
from tests.conftest import few, for_each
from tests.figure_frames import texts
from tests.oracles_accounting import sum_within
from tests.papers import counting as on_paper
from tests.visiting import check_words, plain

# --- Frames, figures, words and state of the page Continual counting, without a browser ----------

LAPLACE = FAMILIES["laplace"]
TREES = [Tree(14, 3, True), Tree(3, 7, True), Tree(2, 10, False), Tree(40, 2, True)]


def tier(name, values, *, level=3.0):
    return HeldTier(
        name=name,
        letter="ε",
        loss=1.0,
        level=level,
        style=TierStyle(2, 0),
        values=np.asarray(values),
    )


@for_each("tree", TREES)
def test_the_walk_shows_the_vertices_of_the_step(tree):
    for step in (1, 2, tree.most_steps // 2, 705 % tree.most_steps, tree.most_steps):
        frame = frames.walk_frame(tree, step)
        used = frame[frame["kind"] != frames.UNUSED]
        assert used["cells"].sum() == len(tree.vertices(step))
        spans = {(v.level, v.first, v.last, v.sign) for v in tree.vertices(step)}
        for row in used.itertuples():
            sign = 1 if row.kind == frames.ADDED else -1
            for cell in range(row.cells):
                first = row.first + cell * row.width
                assert (row.level, first, first + row.width - 1, sign) in spans
        assert frame["first"].min() >= 1  # nothing comes before the first step
        assert set(frame["level"]) == set(range(tree.height))  # every row has something to show
        several = frame[frame.groupby("level")["level"].transform("size") > 1]
        idle = several[several["kind"] == frames.UNUSED]
        assert (idle["last"] - idle["width"] < step).all()  # nothing that has not begun is shown
        assert (frame["cells"] == 1).all() or tree.arity - 1 > frames.MOST_CELLS


def test_intervals_are_those_of_as_many_noises_as_the_step_has_digits():
    tree = Tree(5, 4, True)
    used = vertices_used(tree, 60)
    assert used.tolist() == [len(tree.vertices(t)) for t in range(1, 61)]
    values = 100 + np.arange(60.0)
    for noise in (LAPLACE, FAMILIES["discrete_laplace"]):
        frame = scenes.stream_frame(tier("a", values), used, noise, 0.95, moved=2, stop=50)
        assert frame["step"].tolist() == list(range(1, 51))
        for row in frame.itertuples():
            half = laplace_sum_half_width(int(used[row.step - 1]), 3.0, 0.95, family=noise)
            assert (row.low, row.high) == (row.value - half, row.value + half)
            assert row.value == values[row.step - 1]
            fresh = laplace_sum_half_width(row.step, 2.0, 0.95, family=noise)
            assert row.fresh == pytest.approx(fresh, rel=1e-3, abs=float(noise.integer))


@pytest.mark.parametrize("steps", few([100, 10**6, 10**12], 2))
def test_errors_over_the_arity_mark_the_best(steps):
    frame = on_paper.arities_frame(steps, 1.0, sensitivity=1.0, family=LAPLACE)
    mine = frame[frame["scheme"] == "tree"]
    assert mine.loc[mine["error"].idxmin(), "arity"] == best_arity(steps)
    base = on_paper.baselines_frame(steps, 1.0, -13.0, sensitivity=1.0, family=LAPLACE)
    found = dict(zip(base["scheme"], base["error"] ** 2, strict=True))
    assert found["honaker"] == pytest.approx(honaker_error(steps, 1.0))
    assert ("best gauss" in found) == (steps == 100)  # as far as it is computed
    if steps == 100:
        ratio = gaussian_factors(steps).reached.value / square_root_factor(steps)
        assert found["best gauss"] == pytest.approx(found["gauss"] * ratio)
    fig = on_paper.arities_chart(frame, base, noun="events")
    best = next(t for t in fig.data if t.name == "here")
    assert list(best.x) == [best_arity(steps)]
    assert any(f"best: k = {best_arity(steps)}" in text for text in texts(fig))


def test_the_crossover_is_that_of_the_library():
    frame = on_paper.crossover_frame(1.0, points=5)
    for row in frame.itertuples():
        steps = round(10**row.log10_steps)
        if row.calibration == on_paper.ANY:
            star = gaussian_crossovers(steps, 1.0).bound.value
        else:
            star = counting_crossover_log_delta(steps, 1.0, gaussian=row.calibration)
        assert row.log10_delta == pytest.approx(star / math.log(10))
    assert set(on_paper.crossover_frame(2.0, points=3)["calibration"]) == {"analytic", on_paper.ANY}
    fig = on_paper.counting_crossover_chart(frame, here=(6.0, -6.0))
    rule = next(t for t in fig.data if t.name == "δ = 1/T")
    assert list(rule.y) == pytest.approx([0.1, 1e-12])


def test_used_boxes_differ_by_ink_and_by_hatch_and_their_rows_say_what_is_done():
    tree = Tree(14, 3, True)
    made = walk_chart(frames.walk_frame(tree, 705), arity=14, every="hour")
    fig = made.figure
    bars = {t.name: t for t in fig.data if t.type == "bar"}
    assert bars["added"].marker.color is None  # the ink of the mode: a box is no tier's
    assert not any(colour in fig.to_json() for colour in COLOURS)
    assert theme.dress(fig, "dark").layout.template.data.bar[0].marker.color == "#E8EAED"
    assert bars["subtracted"].marker.pattern.shape == "/"
    assert bars["added"].marker.pattern.shape is None
    assert sum(len(bars[name].x) for name in bars) == 4 + 6 + (6 + 5)  # none to come
    assert min(bars["added"].base) == min(min(bar.base) for bar in bars.values())  # at the left
    said = [note.text for note in fig.layout.annotations]
    assert said == [
        "0",
        "<b>784</b>, 79 too many",
        "add four 196-hour blocks: 4 × 196 = 784",
        "<b>700</b>, 5 too few",
        "take away six 14-hour blocks: 784 − 6 × 14 = 700",
        "<b>705</b>",
        "add five single hours: 700 + 5 = 705",
    ]
    assert made.alt.endswith(
        "add four 196-hour blocks; take away six 14-hour blocks; add five single hours."
    )


def test_the_example_is_read_live_by_every_tier(visit):
    visit.come()
    ws = Workspace.fresh()
    c = page.settings(ws, page.specialist(ws)).counting
    sums = np.cumsum(hourly_events(HOURS))
    for tier in c.tiers:
        half = scenes.half_widths(c.used, tier.level, 0.95, LAPLACE)
        assert 0.8 < (np.abs(tier.values - sums) <= half).mean() <= 1
    budgets = [tier.loss for tier in c.tiers]
    rng = streams.teaching(
        scenes.SEED,
        scenes.path_of(tuple(Reader(t.name, t.loss) for t in c.tiers), "laplace", Branching()),
    )
    counter = ContinualCounter(HOURS, budgets, None, True, family=LAPLACE, rng=rng)
    assert counter.levels == tuple(tier.level for tier in c.tiers)
    for hour, count in enumerate(hourly_events(HOURS)[:50].tolist()):
        assert counter.push(count) == pytest.approx([t.values[hour] for t in c.tiers], rel=1e-15)


def test_tiers_typed_by_accuracy_are_left_out_and_named():
    ws = Workspace.fresh()
    rows = [
        {"tier": "a", "budget": "0.5", "as": "ε"},
        {"tier": "b", "budget": "50", "as": "±a 95 %"},
        {"tier": "c", "budget": "0.1", "as": "ε"},
    ]
    assert ws.use_tiers(rows) == []
    found, left_out = readers(ws, Tree(14, 3, True), 1008, 2)
    assert [(p.name, p.budget.level) for p in found] == [
        ("c", pytest.approx(60.0)),
        ("a", pytest.approx(12.0)),
    ]
    assert all(epsilon_of(p) <= p.budget.exact for p in found)
    assert left_out == ["b"]


@for_each("text", ["1 x", "2 0.5", "-3", "nan", "inf", "1" * 400])
def test_refused_counts_are_never_repeated(text):
    with pytest.raises(DataError) as refused:
        read_counts(text)
    assert "0.5" not in str(refused.value)
    assert "-3" not in str(refused.value)


@pytest.mark.parametrize("text", ["1,000\n2,000", "7 1,5", "12\n1,000,\n3"])
def test_a_comma_inside_a_number_is_refused_and_not_read_as_two_counts(text):
    with pytest.raises(DataError, match=r"entry \d has a comma inside"):
        read_counts(text)


@for_each("text", ["3,0,2", "3, 0, 2", "3,\n0,\n2", "3;0;2", "3 , 0 , 2"])
def test_counts_may_be_set_apart_by_commas(text):
    assert read_counts(text) == (3, 0, 2)


# --- Every number that the page Continual counting claims, computed again over a grid of settings -

# How many noise terms a running count has, by the digits of all steps; the chance that their sum is
# within a distance, by turning back its characteristic function.

OWN_NOISE = {"teaching": "laplace", "hardened": "discrete_laplace"}
TYPED = {"counting_source": page.LIST, "counting_typed": "1\n2\n0\n" * 40}
CLAIMED = [{}, {"counting_arity": "3"}, {"counting_arity": "7", "counting_subtraction": False}]
GRID = [(m, c, i) for m in OWN_NOISE for c in MOST_GROUPS for i in range(len(CLAIMED))]


def check(view):
    """Each distance is that of as many terms as there are: no less would hold 95 of 100 draws."""
    for step in (view.counting.steps // 2, view.counting.steps):
        check_at(view, step)


def check_at(view, step):
    """The numbers of one step."""
    c, said = view.counting, page.headline(replace(view, step=step))
    for sentence in page.beside(view):
        check_words(sentence.text, sentence.claims, "1,000")
    text, claims = said.text, said.claims
    check_words(text, claims)
    assert page.walk_heading(c, step).startswith(
        f"This count carries the noise of {counted(sum(map(abs, c.tree.digits(step))))} block"
    )
    assert len(claims) == 1 + ("New noise on every" in text)
    for claim in claims:
        tier = view.reader
        assert claim.what.endswith(f", {tier.name}")
        terms, scale = sum(map(abs, c.tree.digits(step))), c.tree.height * c.moved / tier.loss
        if claim.what.startswith("the same with the noisy"):
            terms, scale = step, c.moved / tier.loss
            assert claim.value > claims[0].value
        family = c.family.name
        less = claim.value - 1 if c.family.integer else claim.value * 0.9999
        assert sum_within(family, scale, terms, claim.value) >= 0.95 - 1e-6
        assert sum_within(family, scale, terms, less) < 0.95


def visited(visit, mode, **answers):
    family = OWN_NOISE[mode]
    ws = workspace_of((family, mode), "add/remove", 1, "count")
    visit.come(**answers)
    return page.settings(ws, page.specialist(ws))


@pytest.mark.parametrize(("mode", "moved", "tree"), few(GRID, 5))
def test_typed_counts(visit, mode, moved, tree):
    answers = {"counting_typed_moved": str(moved), **TYPED, **CLAIMED[tree]}
    check(visited(visit, mode, **answers))


@pytest.mark.parametrize("mode", OWN_NOISE)
def test_the_made_up_stream(visit, mode):
    check(visited(visit, mode))


def test_a_long_stream_of_single_counts(visit):
    """Of 5,000 Laplace terms the sum is exact, too; of as many whole ones it is not said."""
    typed = {"counting_source": page.LIST, "counting_typed": "1 " * 5000}
    view = visited(visit, "teaching", counting_typed_moved="1", **typed)
    check(view)
    said = plain(page.headline(replace(view, step=5000)).text)
    assert "New noise on every step would make it ± 99" in said
    whole = visited(visit, "hardened", counting_typed_moved="1", **typed)
    assert "New noise on every" not in page.headline(replace(whole, step=5000)).text
    check(whole)


def test_what_a_first_visitor_reads(visit):
    visit.come()
    ws = Workspace.fresh()
    view = page.settings(ws, page.specialist(ws))
    assert view.step == OPENS
    assert plain(page.headline(view).text) == (
        "A helpline counts its calls. After 22 days, audit sees the total to within ± 32 calls, "
        "because noise is put on sums of several hours (blocks). New noise on every hour would "
        "make it ± 72 and give more away."
    )
    (beside,) = page.beside(view)
    assert plain(beside.text) == (
        "Guessing whether a given call was counted, audit is right at most 604 times in 1,000 (a "
        "coin: 500); with new noise on every hour, at most 681: there the noise on one hour is "
        "smaller than a block’s, but it adds up over all hours. A caller with several calls is "
        "protected less."
    )
    (picture,) = page.picture(view)
    told = [plain(note.text) for note in picture.figure.layout.annotations]
    for words in ("new noise on every hour, ± 72", "noise on blocks, ± 32: audit reads 3,807"):
        assert any(text.endswith(words) for text in told)
    assert picture.figure.layout.xaxis2.range == (OPENS - 23, OPENS)
    assert "↓ the last day, enlarged" in told
    assert page.walk_heading(view.counting, OPENS).endswith(
        f"noise of 11 blocks, not of {OPENS} hours"
    )
    text = plain(page.reading(view))
    assert text.startswith(
        f"Calls so far at hour {OPENS}. The coloured band holds the true count 95 "
    )
    assert "holds the true count at least 95" in page.reading(visited(visit, "hardened"))


def test_guesses_about_a_call_are_those_by_the_noise_of_its_blocks(visit):
    """The best test of many simulated streams; of a person in several steps ε alone is known."""
    view = visited(visit, "teaching")
    tier, rows = view.reader, view.counting.tree.height
    noise = np.random.default_rng(7).laplace(0, tier.level, (400_000, rows))
    won = ((np.abs(noise - 1) - np.abs(noise)).sum(axis=1) > 0).mean()
    assert view.counting.right(tier).value == pytest.approx(1000 * won, abs=4)
    several = replace(view.counting, moved=2).right(tier)
    assert several.value == pytest.approx(1000 / (1 + np.exp(-tier.loss)))


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"counting_source": page.TABLE}, "This table has no column of times"),
        ({"counting_source": page.LIST}, "Nothing is typed yet"),
        ({"counting_source": page.LIST, "counting_typed": "5"}, "at least two steps"),
        ({"counting_source": page.LIST, "counting_typed": "3\n-1\n2"}, "entry 2 is below 0"),
        ({"counting_source": page.LIST, "counting_typed": "3\n1.5"}, "entry 2 is a fraction"),
        ({"counting_source": page.LIST, "counting_typed": "3\nx"}, "entry 2 cannot be used"),
        ({"counting_arity": "101"}, "Type a whole number from 2 to 100"),
    ],
    ids=str,
)
def test_what_cannot_be_counted_gets_one_sentence(visit, monkeypatch, answers, says):
    refused = []
    monkeypatch.setattr(parts, "refusal", refused.append)
    missing = visited(visit, "teaching", **answers)
    (said,) = refused or [missing.sentence]
    assert says in said
