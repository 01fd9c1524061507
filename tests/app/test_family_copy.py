"""Every page takes a family that somebody adds: a copy of Gaussian noise, chosen in the app."""

import re

import pytest

from dpviz.ui.kit.page_table import PAGES
from dpviz.workspace import packing
from tests.app.reading import run_sample, words, workspace
from tests.conftest import FULL
from tests.handouts import KEY
from tests.tulip import registered

HELD = ("public", "audit")
OWN_NOISE = ("bridge_family", "linear_noise")  # boxes of single pages
OWN_DATA = {
    "bridge_source": "my statistic",
    "linear_source": "my statistic",
    "collusion_whose": "own",
}


@pytest.fixture
def with_noise(open_page):
    """Open a page with two releases of a noise held; the noise is chosen wherever it can be."""

    def opened(file, noise, *, own=False):
        app = open_page("tiers")
        app.radio(key="family_teaching").set_value(noise).run()
        assert workspace(app).family_name == noise
        workspace(app).key = KEY  # its fingerprint is on a page
        workspace(app).draw(*HELD)
        app.switch_page(f"pages/{file}.py").run()
        for box in [s for s in app.selectbox if s.key in OWN_NOISE]:
            box.set_value(noise).run()
        for source in [s for s in app.segmented_control if own and s.key in OWN_DATA]:
            source.set_value(OWN_DATA[source.key]).run()
        return app

    return opened


def said(app):
    """The words of the page but for figures: made-up draws and times are others in every run."""
    return re.sub(r"[−\d.,]*\d( [mµ]?s\b)?", "#", words(app).replace("Tulip", "Gaussian"))


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("noise", "specialists")
@pytest.mark.parametrize(
    ("page", "own"),
    [*((page.file, False) for page in (PAGES if FULL else PAGES[14:15]))]
    + [(page, True) for page in ("bridge_paths", "linear_queries", "collusion") if FULL],
)
def test_every_page_takes_the_copy_and_says_of_it_what_it_says_of_gaussian_noise(
    with_noise, page, own
):
    with registered():
        mine = with_noise(page, "tulip", own=own)
        if mine.code:
            run_sample(mine)
        assert said(mine) == said(with_noise(page, "gaussian", own=own))
        assert not mine.error


@pytest.mark.opens("noise")
def test_packs_of_the_copy_hold_its_releases_and_are_verified(with_noise):
    with registered():
        ws = workspace(with_noise("present", "tulip"))
        pack = packing.hand_out(ws)
        assert packing.check(ws, pack) == ()
        assert [e.tier for e in ws.ledger] == list(HELD)
        assert "Tulip, noise variance" in dict(ws.facts_of(ws.ledger[0]))["noise"]
