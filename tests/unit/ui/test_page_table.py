"""The menu: its groups, and where "Next" leads."""

from dpviz.ui.kit.page_table import MORE, MOVED, OVERVIEW, PAGES, after, page


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
