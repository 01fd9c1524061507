"""The search behind every calibration: least, on the private side, and honest about failure."""

import math

import pytest

from dpviz.accounting.search import least, move_up


@pytest.mark.parametrize("guess", [1e-250, 1e-9, 0.3, 1.0, 1e9, 1e250])
@pytest.mark.parametrize("root", [1e-200, 1e-6, math.pi, 1e12])
def test_least_from_any_guess(guess, root):
    found = least(lambda x: (root - x) / max(root, x), guess)
    assert root <= found <= root * (1 + 1e-11)


def test_steps_and_infinities_are_crossed():
    assert least(lambda x: math.inf if x < 2 else -math.inf, 5.0) == pytest.approx(2.0, rel=1e-11)
    assert least(lambda x: 1.0 if x < 2 else 0.0, 0.01) >= 2.0
    stairs = least(lambda x: 10.5 - math.floor(x), 1.0)
    assert stairs >= 11.0
    assert stairs == pytest.approx(11.0, rel=1e-11)


def test_limits():
    assert least(lambda _: 1.0, 1.0, highest=1e6) is None
    assert least(lambda _: -1.0, 1.0, lowest=1e-6) == 1e-6
    assert least(lambda x: 5.0 - x, 1e-3, highest=5.0) == 5.0
    assert least(lambda x: 6.0 - x, 1e-3, highest=5.0) is None


def test_a_jittering_promise_is_kept_where_it_is_returned():
    def excess(x):
        return 3.0 - x + 1e-7 * math.sin(1e9 * x)

    found = least(excess, 1.0, tolerance=1e-9)
    assert excess(found) <= 0
    assert found == pytest.approx(3.0, rel=1e-6)


def test_move_up_stops_at_its_limit():
    assert move_up(lambda _: 1.0, 1.0, 2.0, tolerance=1e-3) == 2.0
    assert move_up(lambda x: 1.5 - x, 1.0, tolerance=1e-3) == pytest.approx(1.5, rel=0.4)
    assert move_up(lambda x: 1.5 - x, 1.0, tolerance=1e-3) >= 1.5
