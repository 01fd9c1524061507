"""Every number that the story of a circle claims, computed again over a grid of settings.

Variances by adding up over whole numbers, or by quadrature; half widths by the same law.
"""

from fractions import Fraction

import numpy as np
import pytest

from dpviz.scenes import growing_trust as scenes
from dpviz.ui.growing_trust import circle as page
from dpviz.ui.growing_trust.meter import REFUSED
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace.guesses import question
from dpviz.workspace.workspace import Workspace
from tests.conftest import few
from tests.visiting import check_words, numbers_of, plain

_, HOSPITALS, *CLASSICS = page.NETWORKS
GRID = [
    {},
    {"network_value": "142.5", "network_unit": ""},
    {"network_which": HOSPITALS, "network_epsilons": "1, 0.1, 0.1"},
    {"network_epsilons": "3, 1.5, 1, 0.75", "network_apart": "7"},
    {"network_epsilons": "4, 4, 4", "network_which": CLASSICS[0], "network_value": "-3"},
    {"network_which": CLASSICS[2], "network_rings_pooling": [1, 2]},
    {"network_rings_pooling": [], "network_members": ["Ana"]},
]


def law(scale, whole):
    """Places and chances of the noise."""
    reach = 60 * scale + 60
    x = (
        np.arange(-np.ceil(reach), np.ceil(reach) + 1)
        if whole
        else np.linspace(-reach, reach, 10**6)
    )
    mass = np.exp(-np.abs(x) / scale)
    return x, mass / mass.sum()


def variance(scale, whole):
    x, mass = law(scale, whole)
    return float((x * x * mass).sum())


def averaged(levels, v, whole):
    """How near 95 of 100 weighted averages are, simulated."""
    rng, mean = np.random.default_rng(7), 0.0
    for scale, x in zip(levels, v, strict=True):
        p = 1 - np.exp(-1 / scale)
        noise = rng.geometric(p, 200_000) - rng.geometric(p, 200_000) if whole else 0
        mean = mean + (noise if whole else rng.laplace(0, scale, 200_000)) / x
    return np.quantile(np.abs(mean), 0.95) / sum(1 / x for x in v)


def view_of(visit, answers):
    visit.come(**answers)
    return view_at(Workspace.fresh())


def view_at(ws):
    return page.settings(ws)


def numbers(view):
    return numbers_of(recipe_code(scenes.circle, **page.arguments(view)))


@pytest.mark.parametrize("answers", few(GRID, 8), ids=str)
def test_what_a_coalition_learns(visit, answers):
    view = view_of(visit, answers)
    said = page.headline(view)
    given = f"{len(view.coalition.viewers):,} {view.settings.user} 95 100"
    check_words(said.text, said.claims, given)
    whole = isinstance(view.settings.value, int)
    graph, epsilons = view.settings.graph, []
    hops = view.circle.network.distances(view.settings.user)
    for name in view.pooling:
        d = hops.get(name, 99)
        if d <= view.settings.trust.rings:
            epsilons.append(view.settings.trust.epsilons[d - 1])
    assert len(graph) == len(view.circle.network.members)
    v = [variance(float(view.settings.sensitivity / e), whole) for e in epsilons]
    ours, *alone = said.values
    x, mass = law(float(view.settings.sensitivity / max(epsilons)), whole)
    assert mass[np.abs(x) <= ours * (1 + 1e-4)].sum() >= 0.95
    assert mass[np.abs(x) < ours * (1 - 1e-4)].sum() < 0.95
    here, apart = view.meter.right  # of one number: the threshold half way between the two values
    half = float(view.settings.sensitivity) / 2
    nearer = mass[x < half].sum() + mass[x == half].sum() / 2
    assert here.value == pytest.approx(1000 * nearer, abs=0.01)
    bound = 1000 / (1 + np.exp(-sum(map(float, epsilons))))
    assert here.value <= apart.value <= bound * (1 + 1e-6)
    meter = view.meter
    assert meter.values == question(view.settings.value, float(view.settings.sensitivity))
    assert [float(loss) for loss in meter.losses] == pytest.approx(
        [float(max(epsilons)), float(sum(epsilons, Fraction(0)))], rel=1e-15
    )
    assert page.beside(view)[0].values[:2] == pytest.approx([float(e) for e in meter.losses])
    if len(epsilons) > 1:
        levels = [float(view.settings.sensitivity / e) for e in epsilons]
        assert alone == [pytest.approx(averaged(levels, v, whole), rel=0.02)]
    found = numbers(view)
    assert found["told"] == {ring.distance: ring.answer for ring in view.circle.rings}
    assert found["together"] == view.coalition


def test_who_compares_notes_is_said_by_rings_or_by_name(visit):
    def said(**answers):
        return plain(page.headline(view_of(visit, answers)).text)

    assert said() == (
        "19 people compare notes on Maria’s blood pressure and still know it only to within ± 30 "
        "mmHg, as the best informed of them did before. With separate noise, an average would "
        "bring them to within ± 8.6."
    )
    alone = said(network_person="Dora")
    assert alone == "1 person knows Dora’s blood pressure to within ± 15 mmHg, 95 times in 100."
    both = said(network_rings_pooling=[1, 2])
    assert both.startswith("12 people compare notes on Maria’s blood pressure and still")
    pair = said(network_rings_pooling=[], network_members=["Finn", "Gita"])
    assert pair.startswith("2 people (Finn and Gita) compare notes on Maria’s blood pressure and")
    places = said(network_which=HOSPITALS, network_rings_pooling=[2], network_what=" ")
    assert places.startswith("3 hospitals compare notes on Maria’s value and still know it only to")
    several = said(network_rings_pooling=[1], network_members=["Finn"])
    assert several.startswith("5 people compare notes")
    named = said(network_rings_pooling=[3], network_members=["Finn", "Ana"])
    assert named.startswith("13 people compare notes")
    assert "still know it only to within ± 15 mmHg, as the best informed of them" in named
    sure = said(network_apart="0.1")
    assert "still know it only to what is usually exactly right, as the best" in sure
    assert sure.endswith("would bring them to what is usually exactly right.")


def test_nobody(visit):
    view = view_of(visit, {"network_rings_pooling": []})
    assert page.headline(view).text.startswith("Choose who compares notes")
    view = view_of(visit, {"network_rings_pooling": [], "network_members": ["Dora"]})
    assert view.meter is None
    assert not page.beside(view)
    assert page.headline(view).text.startswith("None of those who compare notes was told")


def test_what_a_newcomer_is_told(visit):
    view = view_of(visit, {})
    circle = view.circle
    told = [
        circle.join("Ida", "Mina"),
        circle.join("Jo", "Mina", Fraction(3, 2)),
        circle.join("Kai", "Mina", 8),
        circle.join("Lou", "Abel"),
        circle.join("Max", "Dora"),
        circle.join("Nia", "Lou", Fraction(1, 10)),
    ]
    said = [plain(page.joined(view, one)) for one in told]
    assert numbers(view)["joined"] == tuple(told)
    assert "A number at this ε is there already" in said[0]
    assert "(bridge). Nobody looked at Maria’s value" in said[1]
    assert "between the value and the sharpest number" in said[2]
    assert "Nobody looked" not in said[2]
    assert said[3] == "**Lou** is 5 hops away from Maria and is told nothing."
    assert said[4] == "**Max** has no path to Maria and is told nothing."
    assert "(extend). Nobody looked" in said[5]


def test_hardened_mode_answers_in_whole_numbers(visit):
    visit.come()
    ws = Workspace.fresh()
    ws.use_mode("hardened")
    view = view_at(ws)
    assert all(ring.answer.is_integer() for ring in view.circle.rings)
    assert set(numbers(view)["told"]) == {1, 2, 3}
    visit.answers = {"network_value": "142.5"}
    assert view_at(ws) is REFUSED
