"""The page Social network by AppTest: circles, coalitions, lists that cannot be used, newcomers."""

from tests.app.reading import errors, run_sample, specs, words


def head(app):
    return app.header[0].value.replace("\\", "").replace("\xa0", " ")


def test_first(open_page):
    app = open_page("social_network")
    print(head(app))
    print(words(app))
    print(app.code[-1].value)
    names = run_sample(app)
    print(names["told"])
    for t in app.table: print(t.value)
    assert not errors(app)
