"""A sentence and the reasons of its numbers cannot part company."""

import pytest

from dpviz.errors import ParameterError
from dpviz.words.claims import Claim, Name, Said, plus_minus, say, times
from dpviz.words.markdown import plain_text

HALF = Claim(what="half width", value=4.386, unit="people", fixed="95 %", method="quantile")
MANY = Claim(what="times the noise", value=1.7321, fixed="ρ = 0.4", method="a part")


def test_text_claims_and_values_come_in_the_order_of_the_sentence():
    inner = say("{many} times as noisy", many=times(MANY))
    made = say("{who} is within {far}, or {how}.", how=inner, far=plus_minus(HALF), who="Audit")
    assert made.text.replace("\u202f", "") == "Audit is within ±4.4 people, or 1.7 times as noisy."
    assert made.claims == (HALF, MANY)
    assert made.values == (4.386, 1.7321)
    assert say("{far}, {again}", far=plus_minus(HALF), again=plus_minus(HALF)).claims == (HALF,)


@pytest.mark.parametrize(
    ("template", "parts"),
    [
        ("They are within 5 people.", {}),
        ("Half are, that is ½.", {}),
        ("They are within {far}.", {"far": 4.4}),
        ("They are within {far}.", {"far": 4}),
        ("They are within {far}.", {"far": "±4.4"}),
        ("They are within {far}.", {"far": "10⁻⁷"}),
        ("They are within {far}.", {}),
        ("They are within people.", {"far": plus_minus(HALF)}),
        ("They are within {far.text}.", {"far": plus_minus(HALF)}),
        ("They are within {}.", {"far": plus_minus(HALF)}),
    ],
)
def test_a_number_without_its_claim_is_refused(template, parts):
    with pytest.raises(ParameterError):
        say(template, **parts)


def test_a_strangers_name_may_have_digits_and_is_shown_as_it_is():
    made = say("{who} is named so.", who=Name("ward 7 [x](http://host.invalid)"))
    assert plain_text(made.text) == "ward 7 [x](http://host.invalid) is named so."
    assert "](" not in made.text
    assert plain_text(say("{who} is named so.", who=Name("{far}")).text) == "{far} is named so."
    assert made == Said(made.text)


def test_what_holds_at_most_is_rounded_up():
    assert times(MANY, 3).text == "1.73"
    bound = Claim(what="x", value=1.7321, fixed="y", method="z", kind="at most")
    assert times(bound).text == "1.8"
    assert plus_minus(HALF, unit=False).text.endswith("4.4")
