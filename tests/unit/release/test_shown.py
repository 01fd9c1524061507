"""What a session and a figure show of themselves in a notebook."""

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from dpviz import FAMILIES, MultipleRelease, streams
from dpviz.charts.forms.picture import Picture
from tests.conftest import for_each

EXACT = 312_457


@for_each("name", list(FAMILIES))
def test_a_session_shows_levels_and_losses_and_no_number(name):
    family = FAMILIES[name]
    values = [1] if name == "randomised_response" else [EXACT]
    session = MultipleRelease(values, family, rng=streams.teaching(7))
    assert "No release yet" in session._repr_html_()
    level = 0.5 if name == "randomised_response" else 64.0
    session.release(level)
    shown = session._repr_html_()
    assert f"<td>{level:g}</td>" in shown
    assert str(EXACT) not in shown
    assert "312" not in shown
    if family.integer:
        assert f">{session.release(level)[0]}<" not in shown


@pytest.mark.parametrize(
    ("name", "level", "loss"),
    [
        ("gaussian", 4.0, "ρ = 0.125"),
        ("laplace", 4.0, "ε = 0.25"),
        ("exponential", 4.0, "no bound"),
    ],
)
def test_losses_are_those_of_one_number_that_moves_by_1(name, level, loss):
    session = MultipleRelease([0], FAMILIES[name], rng=streams.teaching(7))
    session.release(level)
    assert f"<td>{loss}</td>" in session._repr_html_().replace("\u00a0", " ")


def test_a_seal_is_said():
    session = MultipleRelease([0], FAMILIES["discrete_laplace"], rng=streams.teaching(7))
    session.seal(8.0)
    assert "sealed at 8" in session._repr_html_()


def test_a_picture_shows_its_figure_and_its_text(monkeypatch):
    monkeypatch.setattr(pio.renderers, "default", "plotly_mimetype")
    picture = Picture(go.Figure(go.Bar(y=np.array([1.0]))), "one bar")
    shown = picture._repr_mimebundle_()
    assert shown["text/plain"] == "one bar"
    assert shown["application/vnd.plotly.v1+json"]["data"][0]["type"] == "bar"
