"""What is needed to run it for others names files, versions and settings that there are."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from dpviz.command import commands
from dpviz.ui.kit import admitted
from dpviz.ui.kit.admitted import check_login
from dpviz.ui.kit.serve import serve
from dpviz.ui.kit.workers import WORKERS
from dpviz.workspace.accounts import ACCOUNTS, Custodian, Reader, accounts_in
from dpviz.workspace.projects import PLACE
from tests import people
from tests.conftest import for_each, full_run

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs/DEPLOYMENT.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def steps():
    """The instructions of the container file, each with its words, in order."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines()]


def test_the_container_is_made_from_files_that_there_are_and_no_others(steps):
    copied = [part for name, said in steps if name == "COPY" for part in said.split()[:-1]]
    assert {"app.py", "pages", "dpviz", "requirements-server.txt"} <= {*copied}
    ignored = (ROOT / ".containerignore").read_text(encoding="utf-8").split()
    assert ignored[0] == "**", "nothing is sent to the build but what is named"
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in ignored, name
    assert {part.removeprefix("!") for part in ignored[1:]} - {"**/__pycache__"} == {*copied}
    text = "\n".join(said for _, said in steps)
    assert not re.search(r"secrets\.toml|cookie|password|table\.key", text), "no secret is in it"


def test_the_container_has_the_python_and_the_packages_that_are_tested(steps):
    (base,) = [said for name, said in steps if name == "FROM"]
    version = re.fullmatch(r"docker\.io/library/python:(3\.\d+)-slim-bookworm", base)[1]
    assert PROJECT["requires-python"] == f">={version}"
    pins = {}
    for line in (ROOT / "requirements-server.txt").read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("-r "):
            pin = Requirement(line)
            pins[pin.name] = str(pin.specifier).removeprefix("==")
    extras = PROJECT["optional-dependencies"]
    wanted = {Requirement(text).name: text for text in (*extras["login"], *extras["postgres"])}
    assert pins.keys() == wanted.keys()
    for name, text in wanted.items():
        assert f">={pins[name]}" in text, f"{name}: nobody has tried an older version"


def test_the_container_is_nobody_is_watched_and_starts_what_there_is(steps):
    said = dict(steps)
    assert said["USER"] == "10001:10001"
    last = [name for name, _ in steps]
    assert last.index("USER") > max(i for i, name in enumerate(last) if name in ("RUN", "COPY"))
    assert "/_stcore/health" in said["HEALTHCHECK"]
    assert said["ENTRYPOINT"] == '["/opt/dpviz/bin/python", "-m", "dpviz"]'
    command = re.findall(r'"(\w+)', said["CMD"])[0]
    assert command in commands.commands
    port = re.search(r"--port=(\d+)", said["CMD"])[1]
    assert port == said["EXPOSE"]
    assert f"127.0.0.1:{port}" in said["HEALTHCHECK"]
    assert f"127.0.0.1:{port}" in (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    names = set(re.findall(r"\b([A-Z]+_[A-Z_]+)=", "\n".join(s for n, s in steps if n == "ENV")))
    assert {PLACE, ACCOUNTS, WORKERS} <= names, "its login is on, and it keeps what it releases"


def test_settings_of_streamlit_exist(steps):
    from streamlit import config

    known = {option.env_var for option in config.get_config_options().values()}
    text = PAGE + "\n".join(said for _, said in steps)
    asked = set(re.findall(r"\bSTREAMLIT_[A-Z_]+", text))
    assert len(asked) > 4
    assert asked <= known
    assert set(re.findall(r"\bDPVIZ_[A-Z_]+", text)) <= {PLACE, ACCOUNTS, WORKERS}


def test_the_examples_of_the_page_are_read():
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    secrets, accounts = blocks
    auth = tomllib.loads(secrets)["auth"]
    check_login(auth | {"cookie_secret": "0" * 64})
    for text in (accounts, (DEPLOY / "accounts.example.toml").read_text(encoding="utf-8")):
        kinds = [type(person) for person in accounts_in(text).people.values()]
        assert kinds[:2] == [Custodian, Reader]


def test_the_server_does_not_start_with_accounts_that_cannot_be_used(tmp_path, monkeypatch):
    def ended():
        with pytest.raises(SystemExit) as found:
            serve(ROOT / "app.py")
        return str(found.value)

    monkeypatch.setenv(ACCOUNTS, str(tmp_path / "accounts.toml"))
    assert "cannot be read" in ended()
    people.write(tmp_path / "accounts.toml", "hours = 3")
    assert "lists nobody" in ended()
    people.write(tmp_path / "accounts.toml")
    monkeypatch.setenv(PLACE, "off")
    assert "name their place" in ended()
    monkeypatch.setenv(PLACE, str(tmp_path))
    monkeypatch.setattr(admitted, "find_spec", lambda _: None)
    assert 'pip install "dpviz[login]"' in ended()


@for_each(
    ("origin", "foreign"),
    [
        ("https://dp.example.org", "0"),
        ("https://DP.example.org", "0"),
        ("", "0"),  # no websocket of a browser
        ("http://dp.example.org", "1"),
        ("https://dp.example.org:444", "1"),
        ("https://dp.example.org.evil.org", "1"),
        ("https://evil.org", "1"),
        ("null", "1"),
    ],
)
def test_the_proxy_refuses_websockets_of_other_sites(origin, foreign):
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    (rules,) = re.findall(
        r'map "\$http_origin \$scheme://\$http_host" .*?\{(.*?)\}', site, re.DOTALL
    )
    named = f"{origin} https://dp.example.org"
    found = re.findall(r'^\s*(?:"~(\*?)(.*)"|default)\s+([01]);', rules, re.MULTILINE)
    assert (
        next(
            value
            for any_case, rule, value in found
            if re.search(rule, named, re.I * bool(any_case))
        )
        == foreign
    )
    assert 'set $stranger "$foreign_origin$http_upgrade"' in site
    assert 'if ($stranger ~* "^1websocket") { return 403; }' in site


@full_run
def test_nginx_reads_its_file(tmp_path):
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if not Path(nginx).exists():
        pytest.skip("nginx is not installed")
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    site = re.sub(r"^\s*ssl_\w+ .*\n", "", site, flags=re.MULTILINE)  # no certificates here
    site = site.replace("443 ssl", "127.0.0.1:8443").replace("/var/log/nginx", str(tmp_path))
    (tmp_path / "site.conf").write_text(site, encoding="utf-8")
    whole = f"pid {tmp_path}/pid;\nerror_log {tmp_path}/log;\nevents {{}}\n"
    whole += f"http {{ include {tmp_path}/site.conf; }}\n"
    (tmp_path / "nginx.conf").write_text(whole, encoding="utf-8")
    done = subprocess.run(
        [nginx, "-t", "-c", str(tmp_path / "nginx.conf")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
