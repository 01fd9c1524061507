"""Plan files: what was saved opens as it was, and what is no plan gets one sentence."""

import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from dpviz.data import SAMPLES, HowRead, Reading, load, read_csv
from dpviz.data.reading import DATES, THOUSANDS, USES, USUAL_MARKS
from dpviz.errors import ParameterError
from dpviz.planning.amounts import KINDS
from dpviz.planning.presets import PRESETS
from dpviz.planning.tiers import FIRST_PLAN, Tier, as_rows
from dpviz.queries import (
    CYCLES,
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByCycle,
    ByThreeColumns,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
)
from dpviz.workspace import Workspace
from dpviz.workspace.plan_file import (
    PlanFile,
    examples,
    json_schema,
    misfits,
    opened,
    plan_of,
    saved,
    use,
    use_tiers,
    written,
)
from dpviz.workspace.plan_file.link import address_of, plan_in
from dpviz.workspace.plan_file.schema import part_of, record_of
from dpviz.workspace.undo import redo, undo
from tests.conftest import for_each, full_run

DOCS = Path(__file__).resolve().parents[3] / "docs"
WARDS = ByColumn("ward", ("north ✚", "“south”", "a: b"))
GROUPINGS = (
    Everybody(),
    WARDS,
    ByTwoColumns(WARDS, ByColumn("sex", ("f", "m"))),
    ByBins("age", (-0.1, 1 / 3, 2.0**70)),
    *(ByTime("when", every, "2025-02-01", "2025-03-01") for every in ("hour", "day", "week")),
    ByTime("when", "month", "2025-02-01", "2026-03-01"),
    ByTime("when", "quarter", "2025-04-01", "2026-04-01"),
    ByTime("when", "year", "2020-01-01", "2026-01-01"),
    *(ByCycle("when", cycle) for cycle in CYCLES),
    ByThreeColumns(WARDS, ByColumn("sex", ("0", "1"), ("men", "women")), ByColumn("ill", ("1",))),
)
BOUNDS = (
    Bounds(),
    Bounds(relation="replace"),
    Bounds(person="id", rows_per_group=7, salt="spring “2026”"),
)
QUERIES = [
    query
    for by in GROUPINGS
    for bounds in BOUNDS
    for query in (
        Count(by, bounds),
        BoundedSum("cost", -0.1, 1e15, by, bounds),
        BoundedSum("cost", 0, 1, by, bounds, step=2.0**-30),
        BoundedMean("cost", 1e-9, 0.3, by, bounds, step=0.25),
    )
]
QUERIES += [Count(WARDS, total=True), Count(WARDS, Bounds(person="id", groups_per_person=3))]
PLAN = PlanFile(
    table="visits.csv",
    query=Count(WARDS, Bounds(person="id", groups_per_person=2)),
    tiers=(
        Tier(
            name="audit",
            amount="0.10",
            kind="ρ",
            people="anyone",
            order="1.50",
            note="“ρ”",
            colour="teal",
        ),
        Tier(name="press", amount="1e-3, 1e-7", kind="(ε, δ)"),
    ),
    family_name="gaussian",
    mode="teaching",
    delta="1e-7",
    sizes="north ✚: 40\na: b: 3",
    from_data=("ward",),
    readings=(("id", Reading(kind="text", decimal=",", thousands=".", missing=("–",))),),
    how=HowRead(encoding="Latin-1", sheet="2026", header=3, leave_out=("tags", "“x”")),
)


def test_every_query_comes_back_equal():
    for query in QUERIES:
        part = part_of(query)
        again = record_of(type(part).model_validate_json(part.model_dump_json()))
        assert again == query
        assert again.labels == query.labels


def test_a_plan_knows_how_its_file_is_read():
    ws = Workspace.load(b"Visits\nward\nA\n", name="v.csv", header=2)
    assert opened(saved(ws)).how == HowRead(header=2)
    assert opened(changed(file=None)).how == HowRead()  # as files of before have it
    for file in ({"header": 0}, {"header": "3"}, {"row": 3}, {"leave_out": "a"}):
        with pytest.raises(ParameterError, match="file"):
            opened(changed(file=file))


def test_a_share_of_an_expected_size_stays_as_it_was_typed():
    """In a plan file, through another currency and back; it is drawn as the accuracy it means."""
    ws = Workspace.fresh()
    share, plain = (
        Tier(name=name, amount=amount, kind="±a 95 %")
        for name, amount in (("share", "5 % of 2,000"), ("plain", "100"))
    )
    assert ws.use_tiers(as_rows([share, plain])) == []
    assert len({p.budget.level for p in ws.planned()[0]}) == 1
    assert opened(saved(ws)).tiers == (share, plain)
    ws.change_plan(ws.plan.state_as, "ρ")
    assert [t.kind for t in ws.plan.tiers] == ["ρ", "ρ"]
    ws.change_plan(ws.plan.state_as, "±a 95 %")
    assert ws.plan.tiers == (share, plain)
    ws.add_tier(Tier(name="late", amount="1 % of 2000", kind="±a 95 %"))
    assert 19 < ws.planned_tier("late").budget.half_width <= 20


def test_marks_for_a_missing_person_of_an_old_file_join_the_reading_of_the_column():
    """Version 1 had them in the bounds; the rows that count are the same."""
    old = json.loads(written(PLAN))
    old["statistic"]["bounds"]["missing"] = ["NA", "–"]
    plan = opened(json.dumps(old).encode())
    assert dict(plan.readings)["id"].missing == ("NA", "–")
    assert plan.query == PLAN.query
    old["columns"] = {}
    assert opened(json.dumps(old).encode()).readings == (("id", Reading(missing=("NA", "–"))),)
    assert json.loads(written(plan))["statistic"]["bounds"]["missing"] == []
    old["statistic"]["bounds"] |= {"person": None, "groups_per_person": 1}
    with pytest.raises(ParameterError, match="missing must be empty where each row is one person"):
        opened(json.dumps(old).encode())


def test_every_reading_comes_back_equal():
    readings = [
        *(Reading(kind=kind) for kind in USES),
        *(Reading(dates=dates, missing=USUAL_MARKS) for dates in DATES),
        *(Reading(decimal=",", thousands=mark) for mark in THOUSANDS if mark != ","),
    ]
    given = tuple((f"column {n}", reading) for n, reading in enumerate(readings))
    assert opened(written(replace(PLAN, readings=given))).readings == given


def test_every_plan_comes_back_equal_and_typed_as_it_was():
    amounts = {kind: "2, 1e-9" if kind == "(ε, δ)" else "40.0" for kind in KINDS}
    one_each = ((Tier(name="one", amount=a, kind=kind),) for kind, a in amounts.items())
    tiers = [FIRST_PLAN, *(preset.tiers for preset in PRESETS), *one_each]
    plans = [PLAN, *(replace(PLAN, tiers=each) for each in tiers)]
    plans.append(replace(PLAN, family_name="discrete_laplace", mode="hardened", sizes=" 120 "))
    for plan in plans:
        again = opened(written(plan))
        assert again.tiers == plan.tiers
        assert written(again) == written(plan)
        assert opened(written(again)) == again
    assert opened(written(PLAN)) == PLAN


def test_readings_are_part_of_a_plan_and_are_taken_back_with_it():
    ws = Workspace.load(b"id;cost\n1;1.234,5\n2;NA\n", name="pay.csv")
    german = Reading(kind="number", decimal=",", thousands=".", missing=("NA",))
    ws.table = ws.table.read_as({"cost": german})
    ws.state(BoundedSum("cost", 0, 2000, step=0.5))
    again = opened(saved(ws))
    assert again.readings == (("cost", german),)
    assert again.query == ws.statistic.query
    other = Workspace.load(b"id;cost\n1;1.234,5\n2;NA\n", name="pay.csv")
    other.table = other.table.read_as({"id": Reading(kind="text")})
    use(other, again)
    assert other.exact().tolist() == [2469]
    assert other.statistic.key == ws.statistic.key
    undo(other)
    assert other.table.readings == (("id", Reading(kind="text")),)


def changed(**fields):
    """The file of `PLAN` with other fields, None for none."""
    file = json.loads(written(PLAN)) | fields
    return json.dumps({name: value for name, value in file.items() if value is not None}).encode()


def nested(name, **fields):
    return {name: json.loads(written(PLAN))[name] | fields}


DAMAGED = [
    (b"", "cannot be read as JSON"),
    (b"\xff\xfe{\x00}\x00", "cannot be read as JSON"),
    (b"[" * 100_000, "cannot be read as JSON"),
    (b'{"format": "dpviz plan", "version": 1, "x": ' + b"9" * 5000 + b"}", "JSON"),
    (written(PLAN).replace(b"visits", b"\\ud800"), "cannot be read as JSON"),
    (b"[]", "not a plan of dpviz"),
    (b" " * (1 << 20) + b"{}", "larger than any plan (1 MB)"),
    (written(PLAN).replace(b'"noise"', b'"mode": "hardened", "noise"'), "“mode” twice"),
    (changed(version=2), "newer format"),
    (changed(version="1"), "states no version"),
    (changed(owner="A"), "no plan has, “owner”"),
    (changed(seed="7"), "“seed”: it should be a valid integer"),
    (changed(seed=10**15), "“seed”: it should be less than"),
    (changed(**nested("statistic", values=[1])), "no plan has, “values” of “statistic”"),
    (changed(noise=None), "lacks the field “noise”"),
    (changed(noise="exponential"), "noise must be one of gaussian"),
    (changed(mode="hardened"), "noise must be one of discrete_laplace"),
    (changed(delta=1e-6), "“delta”: it should be a valid string"),
    (changed(delta="2"), "δ: 2 is too large"),
    (changed(expected_sizes={"east": "3"}), "names no group of this statistic"),
    (changed(groups_from_data=["id"]), "groups_from_data names “id”"),
    (changed(tiers=[]), "There is no tier yet"),
    (changed(tiers=[{"name": "a", "amount": 0.1, "kind": "ρ"}]), "“amount” of entry 1 of “tiers”"),
    (changed(tiers=[{"name": "a", "amount": "0", "kind": "ρ"}]), "Budget of a: 0 is not a budget"),
    (changed(tiers=2 * [{"name": "a", "amount": "1", "kind": "ρ"}]), "Two tiers are called a"),
    (changed(tiers=101 * [{"name": "a", "amount": "1", "kind": "ρ"}]), "at most 100"),
    (changed(**nested("statistic", kind="median")), "“kind” of “statistic”; write one of count"),
    (changed(**nested("statistic", by={"column": "x"})), "lacks the field “kind” of “by”"),
    (
        changed(**nested("statistic", by={"kind": "bins", "column": "x", "edges": ["a", 1]})),
        "entry 1 of “edges” of “by” of “statistic”: it should be a valid number",
    ),
    (
        changed(**nested("statistic", by={"kind": "bins", "column": "x", "edges": [0, 1e999]})),
        "a finite number",
    ),
    (changed(**nested("statistic", by={"kind": "everybody"})), "groups_per_person must be at most"),
    (changed(**nested("statistic", total=1)), "“total” of “statistic”: it should be a valid"),
]


@for_each(("content", "part"), DAMAGED)
def test_what_is_no_plan_gets_one_sentence(content, part):
    with pytest.raises(ParameterError) as refused:
        opened(content)
    sentence = str(refused.value)
    assert part in sentence
    assert len(sentence) < 300
    assert "\n" not in sentence
    assert refused.value.__context__ is None or refused.value.__suppress_context__


ODD = [None, True, -1, 0.5, 10**30, "", " ", "\u202e", "x" * 9999, [], ["x"], {}, {"kind": "x"}]


def spoiled(value):
    """The value with one part of it, at any depth, replaced by each of `ODD` or left out."""
    yield from ODD
    if isinstance(value, dict):
        for name, held in value.items():
            yield {key: each for key, each in value.items() if key != name}
            yield from ({**value, name: other} for other in spoiled(held))
    if isinstance(value, list):
        for place, held in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in spoiled(held))


@full_run
def test_whatever_is_changed_in_a_file_it_is_a_plan_or_refused_with_a_sentence():
    said, fine = [], 0
    for file in spoiled(json.loads(written(PLAN))):
        try:
            plan = opened(json.dumps(file).encode())
        except ParameterError as error:
            said.append(str(error))
        else:
            assert opened(written(plan)) == plan
            fine += 1
    assert len(said) > 300
    assert fine > 5  # another name of a table, an empty note
    assert all(len(sentence) < 400 and sentence.isprintable() for sentence in said)


def test_a_plan_is_put_to_use_and_taken_back_without_a_draw():
    ws = Workspace.load(b"id,ward\n1,north\n2,south\n", name="people.csv")
    ws.draw("public")
    made, before = list(ws.ledger), saved(ws)
    use(ws, PLAN)
    own = {"table": "people.csv", "how": HowRead(), "seed": ws.seed}  # of the tab and its table
    assert plan_of(ws) == replace(PLAN, **own)
    assert ws.seen.of(ws.statistic).read_off == ("ward",)  # what a reader must know goes with it
    undo(ws)
    assert saved(ws) == before
    redo(ws)
    assert plan_of(ws).tiers == PLAN.tiers
    assert ws.ledger == made
    assert len(ws.sessions) == 1


def test_a_refused_plan_changes_nothing():
    ws = Workspace.load(b"id,town\n1,A\n", name="towns.csv")
    before, edition = saved(ws), ws.plan.edition
    assert misfits(PLAN, ws.table) == [
        "The plan needs the column “ward”, and “towns.csv” has no column of this name."
    ]
    with pytest.raises(ParameterError, match="no column of this name"):
        use(ws, PLAN)
    assert (saved(ws), ws.plan.edition) == (before, edition)
    use_tiers(ws, PLAN)
    assert ws.plan.tiers == PLAN.tiers
    assert ws.statistic.query == Count(Everybody())


def test_a_plan_with_a_problem_is_not_saved():
    ws = Workspace.fresh()
    ws.use_tiers([{"tier": "a", "budget": "lots", "as": "ρ"}])
    with pytest.raises(ParameterError, match="correct it there first"):
        saved(ws)
    (problem,) = ws.use_tiers(as_rows([Tier(name="a", amount="0." + "1" * 80, kind="ρ")]))
    assert "at most 60 characters" in problem
    pair = ", ".join(2 * ["0." + "1" * 40])
    assert not ws.use_tiers(as_rows([Tier(name="a", amount=pair, kind="(ε, δ)")]))
    with pytest.raises(ParameterError, match="“amount”: it should have at most 60"):
        saved(ws)
    many = ByColumn("ward", tuple(f"group {'x' * 40}{n}" for n in range(20_000)))
    ws = Workspace.load(b"id,ward\n1,a\n", name="t.csv")
    ws.state(Count(many))
    with pytest.raises(ParameterError, match="larger than 1 MB"):
        saved(ws)


@for_each("mode", ["teaching", "hardened"])
def test_a_plan_file_holds_no_data_no_release_and_the_seed_of_practice_numbers_alone(mode):
    ws = Workspace.load(b"id,ward\n1,secret value\n2,other\n", name="t.csv")
    ws.use_mode(mode)
    ws.state(Count(ByColumn("ward", tuple(map(str, range(300))))))
    ws.seed, ws.tab = 918273, 1618033
    ws.draw("public")
    text = saved(ws).decode()
    held = [] if mode == "hardened" else map(repr, ws.held[0].values.tolist())
    stream = map(str, ws.round.stream[1:-1])
    for hidden in ("secret value", "1618033", ws.table.digest[:12], *held, *stream):
        assert hidden not in text
    assert ("918273" in text) == (mode == "teaching")
    assert ("918273" in address_of(ws)) == (mode == "teaching")


def test_a_colour_that_was_chosen_stands_in_the_file_and_in_the_address():
    ws, other = Workspace.fresh(), Workspace.fresh()
    for colour in ("blue", "rust"):
        other.change_plan(other.plan.recolour, "audit", colour)
    other.change_plan(other.plan.recolour, "public", "blue")
    for plan in opened(saved(other)), plan_in(dict(parse_qsl(address_of(other))), ws):
        use_tiers(ws, plan)
        assert ws.plan.style_of("audit").name == "rust"
        assert ws.plan.style_of("public").name == "blue"
    other.change_plan(other.plan.recolour, "public", "rust")
    assert [t.colour for t in other.plan.tiers if t.colour] == ["rust"]
    older = json.loads(saved(other))
    for tier in older["tiers"]:
        del tier["colour"]
    fresh = Workspace.fresh()
    use_tiers(fresh, opened(json.dumps(older).encode()))
    assert fresh.plan.styles == Workspace.fresh().plan.styles


def test_a_plan_brings_its_seed_and_taking_it_back_the_one_before():
    ws, other = Workspace.fresh(), Workspace.fresh()
    other.seed = 42
    use(ws, opened(saved(other)))
    assert ws.seed == 42
    undo(ws)
    assert ws.seed == 7
    use_tiers(ws, plan_in(dict(parse_qsl(address_of(other))), ws))
    assert ws.seed == 42
    ws.seed = 5
    older = json.loads(saved(other))
    del older["seed"]
    use(ws, opened(json.dumps(older).encode()))
    assert ws.seed == 5, "a file of before says none"
    with pytest.raises(ParameterError, match="in this address cannot be used: The seed must be"):
        plan_in({"tiers": "a,ρ,1", "seed": "x"}, ws)


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=lambda s: s.file)
def test_every_sample_has_an_example_that_fits(sample):
    plan = examples()[sample.file]
    assert plan.table == sample.file
    if sample.file == "visits":  # a million rows: its columns are those of its description
        table = read_csv(b"person,district,cost (euros)\n1,A,2\n", name="visits")
    else:
        table = load(sample)
    assert misfits(plan, table) == []
    assert written(opened(written(plan))) == written(plan)


def test_the_schema_in_the_documents_is_that_of_the_code():
    found = json.loads((DOCS / "plan.schema.json").read_text(encoding="utf-8"))
    assert found == json_schema(), (
        "write it again: python -m dpviz plan schema > docs/plan.schema.json"
    )


def test_every_field_is_explained_in_the_documents():
    text = (DOCS / "PLAN_FILE.md").read_text(encoding="utf-8")
    schema = json_schema()
    parts = [schema, *schema["$defs"].values()]
    names = {name for part in parts for name in part["properties"]}
    kinds = {part["properties"].get("kind", {}).get("const") for part in parts} - {None}
    assert not {name for name in names if f"`{name}`" not in text}
    assert not {kind for kind in kinds if f"`{kind}`" not in text}


def test_the_example_of_the_document_runs(tmp_path, monkeypatch):
    text = (DOCS / "PLAN_FILE.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(example, names)
    assert plan_of(names["ws"]) == names["plan"]
