"""Take-aways, formulas and text: what the current numbers say, safe for Markdown."""

import ast
import re

import pytest

from dpviz import words
from dpviz.accounting import JointLoss
from dpviz.data import read_csv
from dpviz.errors import ParameterError
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, ByTwoColumns, Count
from dpviz.ui.kit import code, formulas
from dpviz.words.claims import Claim, Name, Said, plus_minus, say, times
from dpviz.words.markdown import literal, plain_text
from dpviz.workspace import account, facts, takeaways
from dpviz.workspace.nearness import nearness
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace
from tests import visiting
from tests.conftest import few, for_each

BAD = ["![](http://host/x.png)", "<b>x</b>", "[a](http://b)", "`code`", "$x$", ":red[x]", "a\n# b"]


@for_each("text", BAD)
def test_literal_leaves_no_markup(text):
    shown = literal(text)
    assert "\n" not in shown
    assert shown.replace("\\", "").replace("\u2060", "") == " ".join(text.split())
    assert "http" not in shown
    for sign in "![<`$:#":
        assert all(shown[i - 1] == "\\" for i, c in enumerate(shown) if c == sign)


def test_literal_keeps_a_number_and_its_unit_on_one_line():
    for text in (words.pm(14.2, unit="people"), words.percent(0.95), f"0.1{words.NO_BREAK}%"):
        assert plain_text(literal(f" off by\n{text} ")) == f"off by {text}"


@pytest.mark.parametrize("text", [":material/bolt:", "a:streamlit:", ":Material/bolt:"])
def test_literal_leaves_no_icon(text):
    """Streamlit looks for icons after Markdown has dropped its escapes."""
    unescaped = literal(text).replace("\\", "")
    assert not re.search(r"(?i):(material/\w+|streamlit):", unescaped)
    assert unescaped.replace("\u2060", "") == text


def plain(said: Said | str) -> str:
    return visiting.plain(said if isinstance(said, str) else said.text)


def test_tiers_say_who_sees_what():
    ws = Workspace.fresh()
    said = takeaways.tiers(ws.values_of_tiers, ws.family, ws.statistic.query, *account.plan(ws))
    assert plain(said).endswith(
        "All four tiers together guess right about one person no more often than audit alone: 673 "
        "times in 1,000 (a coin: 500)."
    )
    ws.family_name = "poisson"
    said = takeaways.tiers(ws.values_of_tiers, ws.family, ws.statistic.query, *account.plan(ws))
    assert "at most 933 times in 1,000; with separate noise, at most " in plain(said)


def test_tiers_that_share_an_accuracy_are_said_to_share_it():
    ws = Workspace.fresh()
    for count, begins in ((2, "Both see each"), (4, "All four see each"), (12, "All 12 see each")):
        ws.use_tiers([{"tier": f"t{i}", "budget": "0.1", "as": "ρ"} for i in range(count)])
        tiers, query = ws.values_of_tiers, ws.statistic.query
        said = plain(takeaways.range_of_tiers(tiers, ws.family, 0.95, query))
        assert said == f"{begins} count to within ± 4.4 people (95 times in 100)"
        planned = plain(takeaways.tiers(tiers, ws.family, query, *account.plan(ws)))
        assert planned.startswith(begins.replace(" see", " will see"))
        assert planned.count("within") == 1


def test_a_bound_on_the_loss_is_the_same_in_the_sentence_and_in_its_reason():
    ws = Workspace.fresh()
    ws.use_family("laplace")
    joint, alone = (JointLoss(x, 0.0, "ε-DP", "m") for x in (0.1**0.5, 1.0 + 0.004**0.5))
    tiers, query = ws.values_of_tiers, ws.statistic.query
    said = takeaways.tiers(tiers, ws.family, query, joint, alone)
    assert "at most 579 times in 1,000" in plain(said)  # 578.40…
    assert plain(said).endswith("at most 744 (a coin: 500).")  # 743.31…
    assert "ε = 0.3163" in plain(said.why)  # 0.31622…
    assert "ε = 1.064" in plain(said.why)  # 1.06324…


@pytest.mark.parametrize("family", ["gaussian", "laplace", "poisson"])
def test_formulas_carry_the_current_numbers(family):
    ws = Workspace.fresh()
    ws.family_name = family
    ws.use_tiers(
        [
            {"tier": n, "budget": a, "as": "ε", "note": ""}
            for n, a in (("public", "0.25"), ("audit", "1"))
        ]
    )
    planned = ws.planned()[0]
    assert "audit" in formulas.plan(planned, ws.setting, ws.statistic.query)
    assert "Level" in formulas.plan([], ws.setting, ws.statistic.query)


WARDS = ByColumn("ward", ("A", "B", "C"))
TABLE = read_csv(b"ward,n\nA,1\nB,2\n", name="x.csv")
REPLACE = Bounds(relation="replace")
KINDS = [
    (Count(WARDS, total=True), "people"),
    (BoundedSum("n", 0, 50, WARDS), "“n”"),
    (BoundedSum("n", 0, 50), "“n”"),
    (BoundedSum("n", 0, 50, WARDS, REPLACE), "“n”"),
    (BoundedMean("n", 0, 50, WARDS), "rows"),
]


@for_each(("query", "unit"), KINDS)
def test_every_kind_of_statistic_is_said_with_its_unit(query, unit):
    ws = Workspace.fresh()
    ws.use(Statistic(TABLE, query, ""))
    tiers = ws.values_of_tiers
    for sentence in (
        takeaways.view(tiers[-1], ws.family, 0.95, query),
        takeaways.tiers(tiers, ws.family, query, *account.plan(ws)),
        formulas.plan(ws.planned()[0], ws.setting, query),
    ):
        assert unit in plain(sentence)
    half = words.pm(nearness(query, ws.family, ws.planned()[0][-1].budget)[0])
    assert plain(half) in plain(takeaways.view(tiers[-1], ws.family, 0.95, query))
    assert ("(in steps of" in formulas.plan(ws.planned()[0], ws.setting, query)) == (
        query.step != 1
    )


@for_each("name", few(BAD, 2))
def test_hostile_names_stay_literal_in_every_sentence(name):
    by = ByTwoColumns(ByColumn(f"{name} a", (name, "2")), ByColumn(f"{name} b", (name, "2")))
    for query in (
        Count(by, Bounds(f"{name} p", 2)),
        BoundedSum(f"{name} n", 0, 5, by, Bounds(f"{name} p", 2)),
        BoundedMean(f"{name} n", 0, 5, by, Bounds(f"{name} p", 2)),
    ):
        ws = Workspace.fresh()
        ws.use(Statistic(TABLE, query, ""))
        ws.use_tiers([{"tier": BAD[1], "budget": "1", "as": "ρ", "note": ""}])
        said = takeaways.view(ws.values_of_tiers[-1], ws.family, 0.95, query)
        for text in (said.text, said.why, formulas.plan(ws.planned()[0], ws.setting, query)):
            assert name not in text
            assert BAD[1] not in text


@for_each("query", [kind[0] for kind in KINDS])
def test_a_sample_imports_what_it_uses_and_nothing_else(query):
    text = code.query_code(Statistic(TABLE, query, 'read_csv("x.csv")'))
    nodes = list(ast.walk(ast.parse(text)))
    imported = [a.name for n in nodes if isinstance(n, ast.ImportFrom) for a in n.names]
    used = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    assert set(imported) == used
    assert len(imported) == len(used)


NEVER_SURELY = "usually exactly right, but never surely"


def test_a_half_width_of_zero_is_said_as_what_it_is():
    """Discrete Laplace noise at ε = 5 is 0 in 98.7 % of all draws, so its half width is 0."""
    ws = Workspace.fresh()
    ws.use_family("discrete_laplace")
    for budgets, sentence in (
        (
            ["0.1", "5"],
            f"T0.1 sees each count to within ± 30 people (95 times in 100), t5 {NEVER_SURELY}",
        ),
        (["4", "5"], f"Both see each count {NEVER_SURELY}"),
        (["5"], f"T5 sees each count {NEVER_SURELY}"),
    ):
        ws.use_tiers([{"tier": f"t{b}", "budget": b, "as": "ε"} for b in budgets])
        query = ws.statistic.query
        said = plain(takeaways.range_of_tiers(ws.values_of_tiers, ws.family, 0.95, query))
        assert said == sentence
    assert NEVER_SURELY in facts.accuracy_words(ws.statistic.query, 0.0)
    assert "within ± 1 (people) of" in plain(facts.accuracy_words(ws.statistic.query, 1.0))


# A sentence and the reasons of its numbers cannot part company.


HALF = Claim(what="half width", value=4.386, unit="people", fixed="95 %", method="quantile")


MANY = Claim(what="times the noise", value=1.7321, fixed="ρ = 0.4", method="a part")


def test_text_claims_and_values_come_in_the_order_of_the_sentence():
    inner = say("{many} times as noisy", many=times(MANY))
    made = say("{who} is within {far}, or {how}.", how=inner, far=plus_minus(HALF), who="Audit")
    assert made.text.replace("\u202f", "") == "Audit is within ±4.4 people, or 1.7 times as noisy."
    assert made.claims == (HALF, MANY)
    assert made.values == (4.386, 1.7321)
    assert say("{far}, {again}", far=plus_minus(HALF), again=plus_minus(HALF)).claims == (HALF,)


@for_each(
    ("template", "parts"),
    [
        ("They are within 5 people.", {}),
        ("Half are, that is ½.", {}),
        ("They are within {far}.", {"far": 4.4}),
        ("They are within {far}.", {"far": 4}),
        ("They are within {far}.", {"far": "±4.4"}),
        ("They are within {far}.", {"far": "10⁻⁷"}),
        ("They are within {far}.", {}),
        ("They are within people.", {"far": plus_minus(HALF)}),
        ("They are within {far.text}.", {"far": plus_minus(HALF)}),
        ("They are within {}.", {"far": plus_minus(HALF)}),
    ],
)
def test_a_number_without_its_claim_is_refused(template, parts):
    with pytest.raises(ParameterError):
        say(template, **parts)


def test_a_strangers_name_may_have_digits_and_is_shown_as_it_is():
    made = say("{who} is named so.", who=Name("ward 7 [x](http://host.invalid)"))
    assert plain_text(made.text) == "ward 7 [x](http://host.invalid) is named so."
    assert "](" not in made.text
    assert plain_text(say("{who} is named so.", who=Name("{far}")).text) == "{far} is named so."
    assert made == Said(made.text)


def test_what_holds_at_most_is_rounded_up():
    assert times(MANY, 3).text == "1.73"
    bound = Claim(what="x", value=1.7321, fixed="y", method="z", kind="at most")
    assert times(bound).text == "1.8"
    assert plus_minus(HALF, unit=False).text.endswith("4.4")
