"""Three statistics for four tiers by mouse: planned, compared, drawn hardened, handed out."""

from zipfile import ZipFile

from playwright.sync_api import expect

from dpviz.handout import verify_folder
from dpviz.planning.tiers import FIRST_PLAN
from tests.browser.driving import (
    SEVERAL,
    choose,
    download,
    edit_cell,
    go,
    harden,
    open_page,
    pick,
    press,
    settled,
    upload,
    write,
)
from tests.conftest import full_run

ROWS = [f"{n % 40},{('North', 'South')[n % 3 > 1]},{n % 90}" for n in range(240)]
VISITS = "\n".join(["person,site,cost", *ROWS])  # six rows of each person
THREE = "3 statistics (zip)"


@full_run  # each part by itself: app
def test_three_statistics_are_planned_compared_drawn_and_handed_out(tab, app_url):
    open_page(tab, app_url, "data")
    upload(tab, VISITS, name="visits.csv")
    pick(tab, SEVERAL, "Yes, and a column says who")
    choose(tab, "For", "everybody together")
    choose(tab, "Column that names the person", "person")
    press(tab, "Use this statistic")
    choose(tab, "For", "each group of a column")
    write(tab, "Groups to publish, one per line", "North\nSouth")
    press(tab, "Add it to the plan")
    choose(tab, "What", "Sum of a number")
    choose(tab, "Number", "cost")
    write(tab, "Lower clip bound", "0")
    write(tab, "Upper clip bound", "90")
    write(tab, "Rows per group (ℓ∞)", "3")
    press(tab, "Add it to the plan")

    go(tab, "Tiers")
    harden(tab)
    tab.get_by_role("button", name="Compare plans").click()
    press(tab, "Keep this plan as A")
    tab.keyboard.press("Escape")  # closes the menu
    edit_cell(tab, 0, 1, "0.8")
    expect(tab.get_by_text("A and B side by side")).to_be_visible()
    expect(tab.get_by_text("All three statistics together", exact=True)).to_be_visible()

    go(tab, "Releases")
    tab.get_by_text("Draw all three statistics at once").click()
    settled(tab)
    press(tab, "Draw all four tiers, all three statistics")
    expect(tab.get_by_text("All drawn of all three statistics")).to_be_visible()
    for tier in FIRST_PLAN:
        file = download(tab, f"download_all_{tier.name}")
        assert not [
            one for check in verify_folder(file.read_bytes()).checks for one in check.findings
        ]
        with ZipFile(file) as archive:
            folders = {name.split("/")[1] for name in archive.namelist() if name.count("/") == 2}
            said = archive.read(f"{tier.name}/README.txt").decode("utf-8-sig")
        assert len(folders) == 3
        assert said.startswith(f"Releases for {tier.name}")
        assert "practice" not in said
