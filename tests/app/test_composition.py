"""The page Composition by AppTest."""

from tests.app.reading import errors, everything, run_sample, words


def test_draft(open_page):
    import time
    s=time.time()
    app = open_page("composition")
    print(time.time()-s)
    s=time.time()
    app.run()
    print(time.time()-s)
    print(everything(app))
    print(errors(app))
    print(run_sample(app))
    for key in ("composition_lines_shown","composition_orders_shown"):
        app.toggle(key=key).set_value(True)
    s=time.time()
    app.run()
    print(time.time()-s)
    assert not app.exception
    assert 0
