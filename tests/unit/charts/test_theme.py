"""Figures carry no ink of their own; `dress` gives them one, and another when asked again."""

import pytest

from dpviz.charts import theme
from dpviz.charts.releases import release_chart
from dpviz.charts.two_hills import two_hills
from dpviz.palette import TierStyle
from dpviz.scenes.lessons import hills_frame
from tests.figure_frames import releases

WORDS = {"what": "People.", "noun": "people", "confidence": 0.95}


def every_figure():
    many = [f"g{i}" for i in range(40)]
    return {
        "rows": release_chart(releases(["a", "b"], ["x"]), **WORDS).figure,
        "strips": release_chart(releases(["a", "b"], many), **WORDS).figure,
        "hills": two_hills(
            hills_frame(0.4), 0.5, TierStyle(0, 0), names=("a", "b"), says="a", ticks={}
        ),
    }


@pytest.mark.parametrize("name", every_figure())
def test_no_figure_brings_ink_or_paper(name):
    plain = every_figure()[name].to_plotly_json()
    plain["layout"].pop("template", None)  # Plotly's default, until `dress` replaces it
    written = str(plain["layout"])
    assert not any(
        "color" in (note.get("font") or {}) for note in plain["layout"].get("annotations", ())
    )
    assert "bgcolor" not in written
    for axis in ("xaxis", "yaxis"):
        assert "color" not in plain["layout"][axis].get("tickfont", {})


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_dress_puts_on_the_template_and_the_halo(mode):
    fig = every_figure()["rows"]
    assert theme.dress(fig, mode) is fig
    ink = theme.INKS[mode]
    template = fig.layout.template.layout
    assert template.font.color == template.xaxis.tickfont.color == ink["text"]
    assert template.yaxis.tickfont.color == template.hoverlabel.font.color == ink["text"]
    assert template.hoverlabel.bgcolor == ink["box"]
    shadow = ", ".join(2 * [f"0 0 1px {ink['paper']}"] + 2 * [f"0 0 2px {ink['paper']}"])
    shadow += f", 0 0 3px {ink['paper']}, 0 0 3px {ink['paper']}"
    assert fig.layout.template.data.scatter[0].textfont.shadow == shadow
    assert template.annotationdefaults.font.shadow == shadow


def test_dressing_again_replaces():
    fig = theme.dress(theme.dress(every_figure()["rows"], "light"), "dark")
    assert fig == theme.dress(every_figure()["rows"], "dark")


def test_a_figure_shares_its_template_with_no_other():
    one = theme.dress(every_figure()["rows"], "light")
    one.layout.template.layout.font.color = "#000000"
    other = theme.dress(every_figure()["rows"], "light")
    assert other.layout.template.layout.font.color == theme.INKS["light"]["text"]
