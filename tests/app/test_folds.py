"""What specialists want is not made until its fold is opened."""

import pytest

from dpviz.ui.kit.page_table import PAGES
from dpviz.ui.kit.parts import SETTINGS
from tests.app.reading import specs
from tests.conftest import FULL

BARE = ("classroom", "quiz", "present", "more_questions")
FOLDED = [page for page in PAGES if not page.is_lesson and page.file not in BARE]
QUICK = [page for page in FOLDED if page.file in ("collusion", "releases", "growing_trust")]


@pytest.mark.usefixtures("pictured", "shut")
@pytest.mark.parametrize("page", FOLDED if FULL else QUICK, ids=lambda page: page.file)
def test_a_closed_fold_is_empty_and_an_open_one_is_not(open_page, page):
    app = open_page(page.file)
    folds = [fold for fold in app.expander if fold.proto.id]  # those that know they are closed
    inside = [part for fold in folds for part in fold.tabs or [fold]]
    assert not any(part.children for part in inside if part.label not in SETTINGS)
    shown = len(specs(app))
    for key in {f"closer_{fold.proto.id.split('-closer_')[-1]}" for fold in folds}:
        app.session_state[key] = True
    app.run()
    assert all(fold.children for fold in app.expander if fold.proto.id)
    assert len(specs(app)) >= shown
