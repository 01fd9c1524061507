"""The package as it is given away: its face, its papers, and a wheel that works elsewhere."""

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import dpviz
from dpviz import command
from dpviz.data import SAMPLES
from dpviz.ui.kit import state
from dpviz.workspace import Workspace, plan_file
from dpviz.workspace.plan_limits import PlanLimit
from tests.conftest import full_run
from tests.serving import PATIENCE, ROOT, free_port, running
from tests.unit.test_architecture import TOPICS
from tests.unit.test_docs import RUN

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DASHBOARD = ("streamlit", "plotly", "cachetools", "loky", "segno")
ALONE = f"""import runpy, sys
sys.modules.update(dict.fromkeys({DASHBOARD}))  # as if they were not installed
for example in sys.argv[1:]:
    runpy.run_path(example)
import dpviz
for name in dpviz.__all__:
    getattr(dpviz, name)
print(dpviz.__file__)"""
OPENED = f"""from streamlit.testing.v1 import AppTest
from dpviz.command.run import entry
app = AppTest.from_file(str(entry()), default_timeout={PATIENCE}).run()
assert not app.exception, app.exception
print(entry())"""


def one_line(text: str) -> str:
    return " ".join(text.split())


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_face_offers_every_mechanism_and_nothing_twice():
    assert len(set(dpviz.__all__)) == len(dpviz.__all__)
    rooms = {name for topic in TOPICS for name in import_module(f"dpviz.{topic}").__all__}
    assert rooms - set(dpviz.__all__) == set(), "offer these names in dpviz/public.py"
    assert set(dpviz.__all__) <= set(dir(dpviz))
    for name in dpviz.__all__:
        assert getattr(dpviz, name) is not None, name
    with pytest.raises(AttributeError, match="'dpviz' has no attribute 'nothing'"):
        dpviz.nothing  # noqa: B018


def test_the_face_is_explained():
    for name in dpviz.__all__:
        documented = getattr(dpviz, name).__doc__ or ""
        assert name.isupper() or name == "__version__" or documented.strip(), name


def test_importing_loads_nothing_before_it_is_asked_for():
    asked = "import sys, dpviz; sys.exit('numpy' in sys.modules)"
    subprocess.run([sys.executable, "-c", asked], cwd=ROOT, check=True)


def test_requirements_are_the_dependencies_at_their_tested_versions():
    stated = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dashboard"]]
    ranges = {(r.name, *r.extras): r.specifier for r in map(Requirement, stated)}
    pins = {
        (r.name, *r.extras): Version(str(r.specifier).removeprefix("=="))
        for r in map(Requirement, text_of("requirements.txt").split())
    }
    assert ranges.keys() == pins.keys()
    for name, pin in pins.items():
        assert pin in ranges[name], name
        assert f">={pin}" in str(ranges[name]), f"{name}: nobody has tried an older version"


def test_the_dashboard_is_an_extra():
    extra = PROJECT["optional-dependencies"]["dashboard"]
    assert sorted(Requirement(text).name for text in extra) == sorted(DASHBOARD)


def test_the_notice_names_every_sample_with_its_source_and_licence():
    notice = one_line(text_of("NOTICE"))
    for sample in SAMPLES.values():
        for said in (sample.title, sample.source, sample.licence):
            assert one_line(said) in notice, said
    assert "MIT" in text_of("LICENSE")
    assert "the dpviz developers" in text_of("LICENSE")


def test_the_changelog_knows_this_version():
    assert f"## [{dpviz.__version__}]" in text_of("CHANGELOG.md")


def ends(typed: list[str], code: int) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(typed)
    assert ended.value.code == code


@pytest.mark.parametrize("typed", [["run", "--port", "0"], ["run", "--port", "x"], ["walk"], []])
def test_what_is_mistyped_is_refused_with_a_sentence(typed, capsys):
    ends(typed, 2)
    assert "dpviz" in capsys.readouterr().err


@pytest.mark.parametrize(("own", "used"), [(None, "1"), ("4", "4")])
def test_the_dashboard_runs_linear_algebra_on_one_thread(own, used, monkeypatch):
    """On two processors an optimum of running totals takes a tenth of the processor time so."""
    name, seen = "OPENBLAS_NUM_THREADS", []
    monkeypatch.setenv(name, own or "")  # so that it is as before after the test
    if own is None:
        monkeypatch.delenv(name)
    monkeypatch.setattr(
        "streamlit.web.cli.main", lambda *_words, **_more: seen.append(os.environ.get(name))
    )
    ends(["run"], 0)
    assert seen == [used]


def test_the_command_loads_no_numpy_before_it_said_so():
    check = "import sys, dpviz.command; assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True, cwd=ROOT, timeout=PATIENCE)


def test_without_the_dashboard_the_command_says_what_to_install(monkeypatch):
    monkeypatch.setattr(command.run, "find_spec", lambda _name: None)
    with pytest.raises(SystemExit, match=r"pip install .dpviz\[dashboard\]"):
        command.main(["run"])


def test_the_limit_of_the_owner_is_checked_before_anything_starts(monkeypatch):
    with pytest.raises(SystemExit, match=r"Limit: type rho=0\.5"):
        command.main(["run", "--limit", "0.5"])
    started = []
    monkeypatch.setattr("streamlit.web.cli.main", lambda *a, **_: started.append(a))
    monkeypatch.setenv("DPVIZ_LIMIT", "rho=0.4")
    with pytest.raises(SystemExit, match="unset it"):
        command.main(["run", "--limit", "rho=0.5"])
    monkeypatch.delenv("DPVIZ_LIMIT")
    ends(["run", "--limit", "rho=0.5"], 0)
    assert len(started) == 1
    assert os.environ["DPVIZ_LIMIT"] == "rho=0.5"


def test_a_plan_is_a_limit_of_the_owner_and_a_wrong_file_starts_nothing(monkeypatch, tmp_path):
    started, file = [], tmp_path / "plan.json"
    monkeypatch.setattr("streamlit.web.cli.main", lambda *a, **_: started.append(a))
    monkeypatch.setenv("DPVIZ_LIMIT", "")
    monkeypatch.delenv("DPVIZ_LIMIT")
    with pytest.raises(SystemExit, match="Limit: there is no file"):
        command.main(["run", "--limit", str(file)])
    file.write_text("{}")
    with pytest.raises(SystemExit, match=r"Limit: “plan\.json”: This file is not a plan"):
        command.main(["run", "--limit", str(file)])
    assert started == []
    file.write_bytes(plan_file.saved(Workspace.fresh()))
    ends(["run", "--limit", str(file)], 0)
    assert len(started) == 1
    assert state.owner() == PlanLimit(file.read_text("utf-8"))


def done(*words: str | Path, cwd: Path, env: dict[str, str]) -> str:
    """What the command printed."""
    ended = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout.strip()


@full_run
def test_a_wheel_works_where_nothing_of_the_checkout_is(tmp_path):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "STREAMLIT"))}
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    offline = ["--quiet", "--no-deps", "--no-index"]
    built = ["wheel", *offline, "--no-build-isolation", "--wheel-dir", tmp_path, ROOT]
    done(*pip, *built, cwd=tmp_path, env=env)
    (wheel,) = tmp_path.glob("*.whl")
    given = set(zipfile.ZipFile(wheel).namelist())
    kept = {f"dpviz/{f.relative_to(ROOT / 'dpviz')}" for f in (ROOT / "dpviz").rglob("*.*")}
    assert {f for f in kept if "__pycache__" not in f} <= given
    assert not any(name.startswith(("tests", "pages", "app")) for name in given)

    home = tmp_path / "elsewhere"
    venv.create(home, with_pip=False)
    paths = sysconfig.get_paths("venv", {"base": str(home), "platbase": str(home)})
    python, typed = Path(paths["scripts"], "python"), Path(paths["scripts"], "dpviz")
    shared = sysconfig.get_paths()["purelib"]  # the other packages, as they are installed here
    Path(paths["purelib"], "shared.pth").write_text(f"import site; site.addsitedir({shared!r})")
    done(*pip, "--python", python, "install", *offline, wheel, cwd=home, env=env)

    examples = [home / f"{number}.py" for number in range(len(RUN))]
    for file, example in zip(examples, RUN, strict=True):
        file.write_text(example, encoding="utf-8")
    found = done(python, "-c", ALONE, *examples, cwd=home, env=env)
    assert Path(found).parent == Path(paths["purelib"], "dpviz")
    assert done(typed, "--version", cwd=home, env=env) == f"dpviz {dpviz.__version__}"

    port = free_port()
    started = [str(typed), "run", "--port", str(port)]
    with running(started, tmp_path / "log", port, cwd=home, env=env) as server:
        opened = done(python, "-c", OPENED, cwd=home, env=env)
    assert Path(opened).is_relative_to(paths["purelib"])
    assert server.url in server.log.read_text()  # as .streamlit/config.toml says, not "localhost"
