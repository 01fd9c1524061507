"""What the page Variances says, of a plan of every noise: each number with its claim.

That the numbers are right, tests/unit/scenes/test_variances.py says.
"""

import re

import pytest

from dpviz.accounting.guarantees import Setting
from dpviz.accounting.scheme_variances import ONE_NUMBER
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.queries import Sensitivity
from dpviz.scenes import variances as scenes
from dpviz.scenes.variances import LOSSLESS, Ladder
from dpviz.ui import variances as page
from dpviz.ui.kit.page_form import Missing
from tests.claim_settings import NOISE, workspace_of
from tests.visiting import check_words, plain

PLAN = (("public", "0.3"), ("partners", "0.7"), ("audit", "2"))


def ladder(name, budgets, delta=1e-3):
    setting = Setting(
        family=FAMILIES[name], delta=delta, sensitivity=Sensitivity.bounded(1), dimension=1
    )
    return Ladder(
        names=tuple(f"tier {b}" for b in budgets),
        losses=tuple(budgets),
        styles=tuple(TierStyle(i + 1, i) for i in range(len(budgets))),
        setting=setting,
        unit="people",
        one="person",
    )


@pytest.mark.parametrize("noise", NOISE)
def test_every_number_of_the_page_is_claimed(noise):
    shown, _ = scenes.plan_of(workspace_of(noise, "add/remove", 1, "count", PLAN))
    for place in range(len(PLAN)):
        scene = scenes.scene(shown, place)
        head, (together, why, rival) = page.headline(scene), page.beside(scene)
        check_words(head.text, head.claims)
        check_words(together.text, together.claims, "1,000")
        check_words(rival.text, rival.claims)
        assert why.claims == ()
        worst, ours = (scene.half(s) for s in (scene.worst, LOSSLESS))
        assert head.values == ((worst, ours) if ours else (scene.times,))
        assert together.values == (scene.right.value, 500)
        assert rival.values == (scene.averaged,)
        bound = shown.promise.with_delta
        assert [c.kind for c in head.claims][1:] in ([], ["exact"])
        assert bound == (head.claims[0].kind == "at most") or ours == 0
        assert bound == (rival.claims[0].kind == "at most")


def test_the_sentences_of_the_page():
    """Wording is asserted here and nowhere else."""
    scene = scenes.scene(ladder("gaussian", [0.1, 0.2, 0.3, 0.4]), 2)
    assert plain(page.headline(scene).text) == (
        "For the same privacy, tier 0.3’s numbers would be off by up to ± 4.4 people instead of "
        "± 2.6, if each tier got one separate number."
    )
    assert [plain(said.text) for said in page.beside(scene)] == [
        "**All tiers together learn the same either way:** a guess about one person is right 673 "
        "times in 1,000 (a coin: 500).",
        "Separate noise partly cancels when tiers compare notes, so each needs more of it.",
        "If all budgets are known beforehand, or only rise, each tier can average independent "
        "pieces: then tier 0.3’s numbers are just as exact. Lossless release works in any order.",
    ]
    noisier = page.beside(scenes.scene(ladder("laplace", [0.3, 0.5, 1.2]), 2))[2]
    assert "are 1.5 times as noisy" in noisier.text  # √2.32, MATHEMATICS 5.5
    bound = page.beside(scenes.scene(ladder("skellam", [0.5, 2.0]), 1))
    assert "right at most " in bound[0].text
    assert re.search(r"are up to [\d.]+ times as noisy", bound[2].text)
    less = scenes.scene(ladder("poisson", [0.3, 0.7, 2.0]), 2)
    assert less.averaged < 0.9, "lossless is no best: the page must not hide it"
    assert "have even less noise: at most 0." in page.beside(less)[2].text
    tiny = page.headline(scenes.scene(ladder("discrete_laplace", [30.0, 45.0]), 1))
    assert re.search(r"tier 45.0 would need up to [\d,]+ times the noise", plain(tiny.text))


@pytest.mark.parametrize(
    ("name", "budgets", "rule"),
    [
        ("gaussian", [0.5, 2.0], "budgets that add up to the joint one"),
        ("laplace", [0.5, 2.0], "budgets that add up to the joint one"),
        ("skellam", [0.5, 2.0], "convolved privacy losses"),
        ("skellam", [0.5, 1.0, 1.5, 2.0, 2.5, 3.0], "adding ε and δ of all releases"),
    ],
)
def test_claims_and_formulas_say_which_rule(name, budgets, rule):
    scene = scenes.scene(ladder(name, budgets), 0)
    claim = page.headline(scene).claims[0]
    assert rule in claim.method
    assert rule in page.formula(scene)
    assert scene.ladder.promise.formula in page.formula(scene)


def test_the_picture_has_all_tiers_three_ways():
    shown = ladder("gaussian", [0.1, 0.2, 0.3, 0.4])
    made = page.picture(scenes.scene(shown, 2))
    alt = plain(made.alt)
    assert alt.count("± 4.4") == 2 + 2 + 1  # all but the top by splitting, public itself, scaled
    assert "tier 0.3: Shared noise, as here, ± 2.6 people; Separate noise, budget split" in alt
    assert "all budgets × 0.4, ± 4.1" in alt
    coloured = {c for trace in made.figure.data for c in trace.marker.color}
    assert {style.colour for style in shown.styles} < coloured
    hovers = " ".join(hover for trace in made.figure.data for hover in trace.hovertext)
    assert "ρ = 0.12 instead of 0.3" in plain(hovers).replace("<br>", " ")


def test_a_plan_without_two_tiers_says_what_to_add(visit):
    visit.come()
    for plan in ((), PLAN[:1]):
        ws = workspace_of(NOISE[0], "add/remove", 1, "count", PLAN)
        ws.plan.tiers = ws.plan.tiers[: len(plan)]
        found = page.asked(ws)
        assert isinstance(found, Missing)
        assert found.sentence.startswith("Add a second" if plan else "Add two tiers")


@pytest.mark.parametrize(("place", "cost"), [(0, "nothing"), (1, "next to nothing")])
def test_a_little_is_not_nothing_in_figure_2(place, cost):
    frame = scenes.variances([0.001, 5.0], ONE_NUMBER)
    said = page.costs(frame, "splitting", place, ONE_NUMBER)
    assert f"costs tier {place + 1} of 2 {cost}," in said.text


@pytest.mark.parametrize("name", ["gaussian", "laplace", "skellam"])
def test_the_number_read_off_figure_2_is_claimed(name):
    shown = ladder(name, [0.3, 0.7, 2.0]) if name != "skellam" else ladder(name, [0.3, 2.0])
    frame = scenes.variances(shown.losses, shown.setting)
    for scheme in scenes.LINES[1:]:
        for place in range(len(shown.losses)):
            said = page.costs(frame, scheme, place, shown.setting)
            check_words(said.text, said.claims, f"{place + 1} {len(shown.losses)}")
            assert ("up to" in said.text) == (name == "skellam" and bool(said.claims))
