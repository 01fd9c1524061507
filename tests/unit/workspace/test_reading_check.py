"""The reading check: exact counts for who may see them, noted; and what is known without them."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from dpviz.data import Reading, read_csv
from dpviz.errors import ParameterError
from dpviz.queries import BoundedMean, ByBins, ByColumn, ByTime, ByTwoColumns, Count, Everybody
from dpviz.release import Provenance, today
from dpviz.workspace import counting, packing
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.packing import caveats
from dpviz.workspace.projects.absent import absent_table
from dpviz.workspace.reading_check import counted, said_of, said_unchecked
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace
from tests.conftest import few
from tests.visiting import plain

ROWS = [  # code, ward, cost
    *(("01000", "A", "1.5"), ("01000", "B", "x"), ("01100", "A", "2")),
    *(("01200", "", ""), ("", "A", "7")),
]
CSV = "\n".join(["code;ward;cost", *map(";".join, ROWS)]).encode()
WRONG, RIGHT = ByColumn("code", ("1000", "1100")), ByColumn("code", ("01000", "01100"))


def opened(by: ByColumn | ByTwoColumns = WRONG, mode: str = "teaching") -> Workspace:
    ws = Workspace.load(CSV, name="towns.csv")
    ws.use_mode(mode)  # type: ignore[arg-type]
    ws.state(Count(by))
    return ws


def weighty(ws: Workspace, *, look: bool = False) -> list[tuple[str, str]]:
    """Remarks that are more than what is known, with their weight."""
    said = said_of(ws.statistic, counted(ws, look=look))
    return [(r.weight, r.text) for r in said if r.weight != "known"]


def test_groups_that_match_nothing_are_told_before_anything_is_drawn() -> None:
    assert weighty(opened()) == [
        (
            "wrong",
            "No row belongs to any of your groups of “code”. Its values: 5 characters, leading "
            "zeros kept. Every number would be noise around 0.",
        )
    ]
    assert weighty(opened(RIGHT)) == []
    ((weight, few),) = weighty(opened(ByColumn("code", ("01000", "1100"))))
    assert weight == "doubtful"
    assert few.startswith("These groups of “code” have no row: “1100”. Its values: 5 characters")


def test_rows_are_counted_as_by_hand_under_any_list() -> None:
    for groups in few(itertools.permutations(("01000", "01100", "9", "A"), 2), 4):
        by = ByTwoColumns(ByColumn("code", groups), ByColumn("ward", ("A", "C")))
        found = counted(opened(by))
        for place, part in enumerate((by.first, by.second)):
            values = Counter(row[place] for row in ROWS)
            check = found.lists[place]
            assert check.rows == tuple(values[g] for g in part.groups)
            assert check.missing == values[""]
            assert check.others == len(ROWS) - sum(check.rows) - check.missing
    mean = BoundedMean("cost", 0, 9, RIGHT)
    ws = opened()
    ws.state(mean)
    (format_,) = counted(ws).formats
    assert (format_.values, format_.fit) == (4, 3)
    said = [plain(r.text) for r in said_of(ws.statistic, counted(ws))]
    assert "Values of “cost” read as numbers: 3 of 4. The others are left out." in said
    assert counted(opened(), Statistic(ws.table, Count(Everybody()), "")).lists == ()


BINS, YEARS = ByBins("age", (0, 10, 20)), ByTime("day", "year", "2024-01-01", "2026-01-01")
AGES = "age;day\n" + "".join(f"{20 + n};2019-03-0{1 + n}\n" for n in range(9)) + "old;\n"


@pytest.mark.parametrize(
    ("by", "empty", "kind"), few([(BINS, "bins", "number"), (YEARS, "years", "date or time")], 2)
)
def test_bins_and_times_in_which_nobody_is_are_told(by, empty, kind) -> None:
    """They are typed as a list is, and match nothing as easily: 0 to 10 for 1000s of euros."""
    ws = Workspace.load(AGES.encode(), name="ages.csv")
    column = by.column
    (here,) = said_unchecked(Count(by), ws.table)[:1]
    assert here.text.startswith(f"Nobody has checked whether values of “{column}” are in your")
    assert empty in here.text
    if by is BINS:
        by = replace(by, edges=(0, 10, 19))
    ws.state(Count(by))
    (found,) = counted(ws).lists
    assert (found.rows, found.others, found.missing) == ((0, 0), 9, 1)
    nothing = f"No row is in your {empty} of “{column}”. Every number would be noise around 0."
    assert weighty(ws) == [("wrong", nothing)]
    wide = {
        "age": ByBins("age", (0, 10, 22, 25)),
        "day": ByTime("day", "month", "2019-01-01", "2021-01-01"),
    }[column]
    ws.state(Count(wide))
    (found,) = counted(ws).lists
    assert list(found.rows) == ws.exact().tolist()
    assert weighty(ws) == []
    said = [plain(r.text) for r in said_of(ws.statistic, counted(ws))]
    assert f"Without a {kind}: 1." in said[0]
    assert said[0].startswith(f"Rows in your {found.what} of “{column}”: {sum(found.rows)} of 10.")


def test_running_counts_of_times_that_are_not_read_are_refused_as_well() -> None:
    days = "day\n" + "".join(f"0{1 + n}.03.2019\n" for n in range(9))
    ws = Workspace.load(days.encode(), name="days.csv")
    stream = counting.of_query(ws, Count(ByTime("day", "day", "2019-03-01", "2019-03-09")))
    one = counting.subject(ws, stream, counting.Branching(arity=2))
    with pytest.raises(ParameterError, match=r"Most are dates such as dd\.mm\.yyyy"):
        ws.record(one.asking, one.tiers(ws)[0][-1])
    assert ws.ledger == []


def test_hardened_mode_asks_first_and_the_hand_out_says_so() -> None:
    ws = opened(mode="hardened")
    with pytest.raises(ParameterError, match="look=True"):
        counted(ws)
    assert ws.seen.of(ws.statistic) == Provenance()
    ws.draw("public")
    assert weighty(ws, look=True)[0][0] == "wrong"
    ws.draw("audit")
    before, after = (dict(ws.facts_of(entry)) for entry in ws.ledger)
    assert "reading checked" not in before  # it was drawn before anybody looked
    assert after["reading checked"].startswith("the plan’s owner looked at how “code” is read")
    assert after["guarantee, this release"].startswith("the budget above")
    assert "looked at" not in after  # no row was on screen
    said = dict(caveats(ws))["Reading checked"]
    assert said in packing.report_of(ws, today()).replace("&#x27;", "'")
    assert "reading checked" in {name.lower() for name, _ in footer_facts(ws)}
    other = Statistic(ws.table, Count(ByColumn("ward", ("A",))), ws.loading)
    assert ws.seen.of(other).checked == ("code",)  # of the same table


def test_without_a_count_the_form_says_what_cannot_be() -> None:
    def said(by: ByColumn) -> list[tuple[str, str]]:
        ws = opened(by, "hardened")
        found = said_unchecked(ws.statistic.query, ws.table)
        assert ws.seen.of(ws.statistic) == Provenance()  # it is no look
        return [(r.weight, r.text) for r in found]

    form = "Its values: 5 characters, leading zeros kept."
    assert said(WRONG) == [
        (
            "wrong",
            f"None of your groups can be in “code”. {form} Every number would be noise around 0.",
        )
    ]
    nobody = ("known", f"Nobody has checked whether your groups are in “code”. {form}")
    assert said(RIGHT) == [nobody]
    assert said(ByColumn("code", ("09999",))) == [nobody]  # whether it is there is a count
    assert said(ByColumn("code", ("01000", "1100"))) == [
        ("doubtful", f"These groups cannot be in “code”: “1100”. {form}"),
        nobody,
    ]
    query = BoundedMean("cost", 0, 9)
    (number,) = said_unchecked(query, read_csv(CSV))
    assert number.text.startswith("Nobody has counted which values of “cost” are no numbers")
    read = read_csv(CSV).read_as({"cost": Reading(missing=("x",))})
    assert said_unchecked(query, read)  # the file's type was found with the mark in it


def test_a_sealed_table_is_counted_no_more() -> None:
    ws = opened(RIGHT)
    ws.draw("public")
    ws.seal(ws.cap("public"))
    with pytest.raises(ParameterError, match="sealed"):
        counted(ws)
    ws.start_over()
    ws.use_mode("hardened")
    with pytest.raises(ParameterError, match="sealed"):
        counted(ws, look=True)
    assert ws.seen.of(ws.statistic) == Provenance()


def test_a_table_that_is_away_is_not_counted_and_a_look_in_teaching_mode_is_noted() -> None:
    ws = opened()
    counted(ws)
    assert "reading checked" not in {name.lower() for name, _ in footer_facts(ws)}  # no claim
    ws.use_mode("hardened")
    ws.draw("public")
    assert ws.ledger[0].known == Provenance(checked=("code",))
    away = Statistic(absent_table("towns.csv", "0f"), ws.statistic.query, "")
    with pytest.raises(ParameterError):
        counted(ws, away)
