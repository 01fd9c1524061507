"""The page Social network by AppTest: circles, coalitions, lists that cannot be used, hospitals."""

import numpy as np
import pytest

from tests.app.reading import button, choose, errors, plain, run_sample, shelf, specs, words


def head(app):
    return app.header[0].value.replace("\\", "").replace("\xa0", " ")


BAD = [
    ("epsilons", "1, 2", "Ring 2 would learn more than the ring before it"),
    ("value", "1e400", "Own value: “1e400” is not a finite number"),
    ("apart", "0", "Hide differences up to: 0 is not a"),
]


def test_a_circle_is_looked_at_and_every_refusal_is_one_sentence(open_page):
    app = open_page("social_network")
    assert "19 people compare notes on Maria’s blood pressure and know no more" in head(app)
    assert "than the best informed (within ± 30 mmHg); with separate noise for each" in plain(
        head(app)
    )
    assert "the best weighted average would bring them within ± 8.6 mmHg" in plain(head(app))
    circle, lines, meter, _ = specs(app)
    assert len(lines["data"]) == 2
    assert app.get("page_link")[-1].proto.page == "data_market"
    assert {"Maria", "Ana", "Finn"} <= {t.strip("</b>") for t in circle["data"][1]["text"]}
    assert any("ε\u00a0=\u00a027" in each["text"] for each in meter["layout"]["annotations"])
    (kept,) = shelf(app, "network_circles").values()
    names = run_sample(app)
    assert names["told"] == {ring.distance: ring.answer for ring in kept.rings}
    together = names["found"]
    assert together.together.added.value == 27
    drawn = np.random.default_rng(33).laplace(scale=together.levels, size=(100_000, 19))
    assert np.quantile(abs(drawn.mean(axis=1)), 0.95) == pytest.approx(10.5, abs=0.15), "plain"
    weights = 1 / np.square(together.levels)
    weighted = drawn @ (weights / weights.sum())
    assert np.quantile(abs(weighted), 0.95) == pytest.approx(8.6, abs=0.1), "best weighted"
    for ring in kept.rings:  # the first example shows errors as they typically are
        assert 0.8 < abs(ring.answer - kept.value) / ring.error < 1.2
    for key, text, _ in BAD:
        app.text_input(key=f"network_{key}").set_value(text)
    app.run()
    assert not app.exception
    for said, (key, text, sentence) in zip(errors(app), BAD, strict=True):
        assert sentence in said
        assert app.text_input(key=f"network_{key}").value == text  # nothing entered is lost
    for key, text in (("epsilons", "4, 2, 1"), ("value", "142"), ("apart", "20")):
        app.text_input(key=f"network_{key}").set_value(text)
    choose(app, "Whose circle", "Dora")  # who knows one other only
    assert "1 person knows Dora’s blood pressure within ± 15 mmHg, 95 times" in plain(head(app))
    choose(app, "Whose circle", "Maria")
    assert any(circle is kept for circle in shelf(app, "network_circles").values())
    button(app, "Let the 4 people 1 hop away join in").click().run()
    assert "23 people compare notes" in head(app)
    assert "the best informed (within ± 15 mmHg)" in plain(head(app))
    button(app, "Leave the 4 people 1 hop away out").click().run()
    assert "19 people compare notes" in head(app)


def test_lists_of_ones_own_and_hospitals(open_page):
    app = open_page("social_network")
    app.selectbox(key="network_which").set_value("my edge list").run()
    for bad, sentence in (
        ("a, a", "Line 1 joins a name to itself"),
        ("a, b\nsecret", "Line 2 must have two names"),
        ("", "There is no edge in this list"),
    ):
        app.text_area(key="network_typed").set_value(bad).run()
        assert not app.exception
        (found,) = errors(app)
        assert sentence in found
        assert "secret" not in found
        assert "Type a value and an ε" in head(app)
    strange = "<b>x</b>, *y*\n*y*, $z$\nu, v"
    app.text_area(key="network_typed").set_value(strange).run()
    assert not app.exception
    assert not errors(app)
    names = specs(app)[0]["data"][1]["text"]
    assert names == ["<b>&lt;b&gt;x&lt;/b&gt;</b>", "*y*", "&#36;z&#36;"]
    app.selectbox(key="network_which").set_value("Maria and her hospitals").run()
    assert not app.exception
    assert "A hospital 3 hops away knows the value of one patient" in words(app)
    assert len(specs(app)) == 4
