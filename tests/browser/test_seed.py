"""The seed of a tab is in its address: it outlasts a change of page and a reload, and no screen."""

import re
from urllib.parse import parse_qs, urlsplit

import numpy as np

from tests.browser.driving import draw, go, on_screen, open_page, settled
from tests.conftest import full_run


def asked(tab):
    return parse_qs(urlsplit(tab.url).query)


@full_run
def test_a_seed_stays_in_the_address_and_its_numbers_come_again_in_another_order(tab, app_url):
    tab.goto(f"{app_url}/tiers")
    tab.get_by_role("heading", level=1).wait_for()
    settled(tab)
    (seed,) = asked(tab)["seed"]
    go(tab, "Releases")
    assert asked(tab) == {"seed": [seed]}
    tab.go_back()
    settled(tab)
    assert urlsplit(tab.url).path == "/tiers", "one press leads back one page"
    assert asked(tab) == {"seed": [seed]}
    go(tab, "Releases")
    draw(tab, "public")
    first = on_screen(tab)["public"]
    tab.reload()
    settled(tab)
    assert asked(tab) == {"seed": [seed]}
    draw(tab, "audit")
    draw(tab, "public")
    np.testing.assert_array_equal(on_screen(tab)["public"], first)
    go(tab, "Present")
    tab.locator(".st-key-present_alone button").click()
    tab.wait_for_url(re.compile("tier="))
    settled(tab)
    assert asked(tab).keys() == {"tier"}, "the screen of one tier has no seed"
    tab.keyboard.press("Escape")
    tab.wait_for_url(re.compile(f"seed={seed}"))
    open_page(tab, app_url, "start")
    assert asked(tab) == {}, "a lesson shows public answers"
