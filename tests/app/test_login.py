"""With a login, a reader sees one tier's release on one page, whatever is asked for."""

from types import SimpleNamespace

import pytest

from dpviz.errors import ParameterError
from dpviz.release import today
from dpviz.ui.classroom import WITH_LOGIN
from dpviz.ui.kit import admitted
from dpviz.ui.kit.login import LOG_IN, NO_ACCESS, NOT_NOW
from dpviz.ui.kit.page_table import PAGES, path
from dpviz.ui.present import NOTHING_YET_TITLE
from dpviz.workspace.accounts import ACCOUNTS, UNKNOWN, UNVERIFIED
from dpviz.workspace.packing import check, file_of
from dpviz.workspace.projects import PLACE, Projects
from tests import people
from tests.app.reading import App, numbers_in, plain
from tests.app.test_present import sent
from tests.conftest import few
from tests.people import HEAD, OTHER, READER, SUBJECT, claims
from tests.project_workers import NAMES, PROJECT

pytestmark = pytest.mark.usefixtures("pictured")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Login is on; a project has released all tiers but one, each with numbers of its own."""
    folder = tmp_path / "kept"
    monkeypatch.setenv(PLACE, str(folder))
    people.keep(folder)
    monkeypatch.setenv(ACCOUNTS, str(people.write(tmp_path / "accounts.toml")))
    monkeypatch.setattr(admitted, "get_secrets_auth_section", lambda: people.AUTH)
    admitted.has_auth.cache_clear()
    yield folder
    admitted.has_auth.cache_clear()


@pytest.fixture
def visit(place):
    """Open a page with an account, by its address and with whatever the address asks for."""
    assert Projects.begun(str(place))

    def come(user, file=None, **asked):
        app = App.opened(**asked)
        app.user = user
        if file:
            app.switch_page(path(file))
        app.run()
        return app

    return come


def held(place):
    ws = Projects(place).open(PROJECT)
    return {t.name: t for t in ws.held}


def of(place, *what):
    """Who did these acts, in order."""
    return [(a.what, a.who, a.tier) for a in Projects(place).acts() if a.what in what]


def assert_sees_only(app, place, tier):
    """One tier's numbers are sent, and no number, name or budget of another, and no workspace."""
    text, numbers = sent(app), set(numbers_in(app.specs()))
    own = held(place)[tier]
    assert numbers >= set(own.values.tolist())
    assert not numbers & people.EXACT
    for name, other in held(place).items():
        if name != tier:
            assert not numbers & set(other.values.tolist()), name
            assert other.budget not in text, name
    for name in {*NAMES} - {tier}:
        assert f"{name} " not in text.replace('"', " "), name
    assert app.linked() == set()
    assert "workspace" not in app.session_state


def test_a_reader_sees_the_own_release_and_it_is_recorded_once(place, visit):
    app = visit(claims(READER))
    assert_sees_only(app, place, "public")
    assert "sees three numbers" in plain(app.title[0].value)
    assert {*app.buttons()} == {"log_out"}
    app.run()
    assert of(place, "log in", "view") == [("log in", READER, ""), ("view", READER, "public")]


@pytest.mark.parametrize("file", [*few([p.file for p in PAGES], step=24), "present"])
def test_no_address_shows_a_reader_another_page_or_tier(place, visit, file):
    app = visit(claims(READER), file, tier="audit", lecture="on", step="2", plan="x")
    assert_sees_only(app, place, "public")
    app.query_params["tier"] = "partners"
    app.run()
    assert_sees_only(app, place, "public")


def test_two_readers_see_each_their_own_and_one_by_the_subject(place, visit):
    assert_sees_only(visit(claims(READER)), place, "public")
    assert_sees_only(visit(claims("carla@x.org", sub=SUBJECT)), place, "partners")
    app = visit(claims(OTHER))
    assert [t.value for t in app.title] == [NOTHING_YET_TITLE]
    assert not app.get("plotly_chart")


def test_the_file_of_a_reader_is_that_of_the_custodian_and_is_recorded(place, visit):
    ws = Projects(place).open(PROJECT)
    entry = next(e for e in ws.ledger if e.tier == "public")
    app = visit(claims(READER))
    assert len(app.get("download_button")) == 1
    own = Projects(place, who=READER).of_tier(PROJECT, "public")
    content = own.file(own.releases()[0], today())
    assert content == file_of(ws, entry, today())
    assert check(ws, content) == ()
    assert of(place, "hand-out") == [("hand-out", READER, "public")]


def test_nobody_without_a_login_sees_anything(place, visit):
    old, future = claims(HEAD, iat=claims(HEAD)["iat"] - 9 * 3600), claims(HEAD, iat=4e9)
    for user in ({}, {"is_logged_in": False}, old, future, claims(HEAD, iat=None)):
        for file in few(["releases", None, "present"], step=3):
            app = visit(user, file, tier="audit")
            assert [t.value for t in app.title] == [LOG_IN]
            assert {*app.buttons()} == {"log_in"}
            assert not app.get("plotly_chart")
            assert "workspace" not in app.session_state
    assert of(place, "log in", "turned away") == []


@pytest.mark.parametrize(
    ("user", "why"),
    few(
        [
            (claims(HEAD, email_verified="true"), UNVERIFIED),
            (claims(READER, email_verified=False), UNVERIFIED),
            (claims("", sub=READER), UNKNOWN),
            (claims(HEAD.replace("h", "һ")), UNKNOWN),  # a Cyrillic letter
            (claims("nobody@example.org"), UNKNOWN),
        ],
        3,
    ),
)
def test_an_account_that_is_unknown_or_not_verified_gets_one_sentence(place, visit, user, why):
    app = visit(user, "releases")
    assert [t.value for t in app.title] == [NO_ACCESS]
    assert why in app.words()
    assert {*app.buttons()} == {"log_out"}
    assert not set(NAMES) & set(app.words().split())
    assert "workspace" not in app.session_state
    app.run()
    assert len(of(place, "turned away")) == 1


def test_a_custodian_sees_every_page_and_is_recorded(place, visit):
    app = visit(claims(HEAD), "releases")
    assert app.errors() == []
    assert f"Logged in as {HEAD}" in app.words()
    app.button(key="draw_public").click().run()  # of a workspace that no project keeps
    assert of(place, "log in", "draw") == [("log in", HEAD, ""), ("draw", HEAD, "public")]
    assert len(visit(claims(HEAD), "present").linked()) > 3


def test_a_custodian_opens_a_project_and_sees_who_did_what_in_it(place, visit):
    visit(claims(READER))
    app = visit(claims(HEAD), "releases")
    app.saving().choose("Project", PROJECT)
    app.press("project_open")
    app.saving()
    assert of(place, "open", "view") == [("view", READER, "public"), ("open", HEAD, "")]
    assert "Who did what here" in app.words()
    told = next(t.value for t in app.table if "Who" in t.value.columns)
    assert [plain(cell) for cell in told["What"]] == ["open", "view"]
    assert READER in plain(told["Who"].iloc[1])


def test_who_is_taken_out_while_a_tab_is_open_draws_nothing_more(place, visit, tmp_path):
    app = visit(claims(HEAD), "releases")
    ws = app.session_state["workspace"]
    file = tmp_path / "accounts.toml"
    people.write(file, people.ACCOUNTS.replace(HEAD, "another@example.org"))
    app.press("draw_public")
    assert [t.value for t in app.title] == [NO_ACCESS]
    assert ws.ledger == []
    assert "workspace" not in app.session_state
    people.write(file, people.ACCOUNTS.replace(READER, HEAD, 1).replace(HEAD, READER, 1))
    app.run()  # the same account is a reader now
    assert_sees_only(app, place, "public")
    people.write(file, people.ACCOUNTS)
    app.run()
    assert app.session_state["workspace"] is not ws
    assert len(app.switch_page(path("present")).run().linked()) > 3


def test_a_login_that_is_set_up_by_half_lets_nobody_in(visit, tmp_path, monkeypatch, caplog):
    broken = tmp_path / "accounts.toml"

    def closed(reason):
        caplog.clear()
        app = visit(claims(HEAD), "releases")
        assert [t.value for t in app.title] == [NOT_NOW]
        assert not app.button
        assert reason in caplog.text
        assert reason not in app.words()

    people.write(broken, "[[account]\n")
    closed("it is no TOML")
    broken.unlink()
    closed("cannot be read")
    people.write(broken)
    for name, value, reason in (
        ("client_id", "", "lacks client_id"),
        ("cookie_secret", "short", "could be guessed"),
        ("redirect_uri", "http://dp.example.org/oauth2callback", "https address"),
        ("google", {"client_id": "x"}, "one provider"),
    ):
        monkeypatch.setattr(
            admitted, "get_secrets_auth_section", lambda n=name, v=value: {**people.AUTH, n: v}
        )
        closed(reason)
    monkeypatch.setattr(admitted, "get_secrets_auth_section", dict)
    closed("lacks redirect_uri")
    monkeypatch.setattr(admitted, "get_secrets_auth_section", lambda: people.AUTH)
    monkeypatch.delenv(ACCOUNTS)
    closed("no file says who")
    monkeypatch.setenv(ACCOUNTS, str(broken))
    monkeypatch.delenv(PLACE)
    closed("name their place")


@pytest.mark.usefixtures("place")
def test_what_streamlit_runs_beside_app_py_asks_who_it_is(monkeypatch, tmp_path):
    """Presses, fragments and files, of somebody who is taken out between seeing and pressing."""
    options = {"server.enableXsrfProtection": True}.get
    again = []
    shown = SimpleNamespace(
        user=claims(READER), get_option=options, rerun=lambda: again.append("the whole page")
    )
    monkeypatch.setattr(admitted, "st", shown)
    done = []
    press = admitted.guarded(done.append)
    part = admitted.guarded_part(lambda: done.append("part"))
    file = admitted.guarded_file(lambda: b"numbers")
    press("press")
    part()
    assert (done, file()) == (["press", "part"], b"numbers")
    assert admitted.guarded(None) is None
    assert admitted.guarded_file(b"made already") == b"made already"
    with pytest.raises(ParameterError, match="not open to your account"):
        admitted.check_custodian()
    del done[:]
    text = people.ACCOUNTS
    for changed in (
        text.replace(READER, "x@example.org"),  # taken out
        text.replace("public", "audit"),  # of another tier
        text.replace("hours = 8", "hours = 0.001"),  # logged in too long ago
        "[[account]",
    ):
        people.write(tmp_path / "accounts.toml", changed)
        press("press")
        part()
        with pytest.raises(ParameterError):
            file()
    assert done == ["part"] * 4, "the stub of st.rerun goes on"
    assert len(again) == 4


def test_where_people_log_in_no_class_can_be_opened_or_joined(visit):
    for asked in ({}, {"code": "KXRTMP"}):
        app = visit(claims(HEAD), "classroom", **asked)
        assert app.header[0].value == WITH_LOGIN
        assert not {"class_open", "class_draw"} & {*app.buttons()}
