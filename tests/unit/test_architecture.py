"""The house rules that keep the code one-directional, and documents that agree with it."""

import ast
import functools
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from dpviz.ui.kit.page_table import PAGES, path
from tests.conftest import for_each, full_run
from tests.sources import nodes, tree

ROOT = Path(__file__).resolve().parents[2]
LAYERS = (
    "__version__",
    "errors",
    "checks",
    "parameters",
    "streams",
    "palette",
    "words",
    "data",
    "queries",
    "noise",
    "accounting",
    "release",
    "planning",
    "linear",
    "sparse",
    "counting",
    "top_k",
    "gradual",
    "local",
    "lossless",
    "experiments",
    "handout",
    "workspace",
    "public",
    "scenes",
    "charts",
    "ui",
    "command",
    "__main__",
)
# what two of them share lies below
TOPICS = {"linear", "sparse", "counting", "top_k", "gradual", "local"}
KNOWS_THEM_ALL = ROOT / "dpviz" / "workspace" / "projects" / "structured.py"  # above the topics
FLOORS_WITH_ROOMS = ("charts", "ui")  # a folder per topic or page; a page may be one module
COMMON_ROOM = "kit"  # of ui: what several pages share
COMMON_ROOMS = {COMMON_ROOM, "forms"}  # of charts: forms of pictures
KIT = ROOT / "dpviz" / "ui" / COMMON_ROOM
SOURCES = sorted((ROOT / "dpviz").rglob("*.py"))
PAGE_FILES = sorted((ROOT / "pages").glob("*.py"))


def nodes_of(file: Path) -> list[ast.AST]:
    return nodes(file.read_text(encoding="utf-8"))


@functools.cache
def imports_of(file: Path) -> list[str]:
    found = []
    for node in nodes_of(file):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module or ''}.{alias.name}" for alias in node.names]
    return found


def imports_between_layers() -> list[tuple[str, str]]:
    pairs = set()
    for file in SOURCES:
        here = file.relative_to(ROOT / "dpviz").with_suffix("").parts[0]
        if here == "__init__":
            continue
        for name in imports_of(file):
            if name.startswith("dpviz."):
                pairs.add((here, name.split(".")[1]))
    return sorted(pairs)


def test_imports_point_one_way():
    for here, target in imports_between_layers():
        for room in (here, target):
            assert room in LAYERS, f"give dpviz/{room} its place in LAYERS, above what it imports"
        assert LAYERS.index(target) <= LAYERS.index(here), (here, target)


def test_no_topic_knows_another():
    between = {(here, target) for here, target in imports_between_layers() if here != target}
    assert not {pair for pair in between if set(pair) <= TOPICS}


def test_every_mechanism_with_a_workspace_of_its_name_is_a_topic():
    rooms = {file.stem for file in (ROOT / "dpviz" / "workspace").iterdir()}
    assert rooms & set(LAYERS) - {"workspace"} == TOPICS, "write each such topic in TOPICS"


@for_each("topic", sorted(TOPICS))
def test_every_topic_has_its_tests(topic):
    for place in (f"tests/unit/{topic}/__init__.py", f"tests/law/test_{topic}_law.py"):
        assert (ROOT / place).exists(), f"write {place}"


def topic_of(parts: tuple[str, ...]) -> str | None:
    """The topic that a module of the library or of the workspace is about, by its path."""
    within = parts[2:] if parts[:2] == ("dpviz", "workspace") else parts[1:]
    return within[0] if parts[0] == "dpviz" and within and within[0] in TOPICS else None


def topics_in_workspace() -> set[tuple[str | None, str]]:
    """What each topic of the workspace imports of topics; None: what all of it share."""
    pairs = set()
    for file in {*(ROOT / "dpviz" / "workspace").rglob("*.py")} - {KNOWS_THEM_ALL}:
        here = topic_of(file.relative_to(ROOT).with_suffix("").parts)
        for name in imports_of(file):
            if (target := topic_of(tuple(name.split(".")))) is not None:
                pairs.add((here, target))
    return pairs


def test_a_topic_of_the_workspace_knows_its_own_mechanism_alone():
    assert topics_in_workspace() == {(topic, topic) for topic in TOPICS}, (
        "each topic of TOPICS has a file dpviz/workspace/<topic>.py that imports dpviz.<topic>, "
        "and imports no other topic"
    )


def rooms_of(floor: str) -> list[Path]:
    """The folders of a floor, and the pages that are one module."""
    return [
        place
        for place in sorted((ROOT / "dpviz" / floor).iterdir())
        if (place / "__init__.py").exists()
        or (floor == "ui" and place.suffix == ".py" and place.stem != "__init__")
    ]


def imports_between_rooms(floor: str) -> set[tuple[str, str]]:
    rooms = {place.stem for place in rooms_of(floor)}
    pairs = set()
    for place in rooms_of(floor):
        for file in place.rglob("*.py") if place.is_dir() else [place]:
            for name in imports_of(file):
                parts = name.split(".")
                if parts[:2] == ["dpviz", floor] and len(parts) > 2 and parts[2] in rooms:
                    pairs.add((place.stem, parts[2]))
    return pairs


@pytest.mark.parametrize("floor", FLOORS_WITH_ROOMS)
def test_no_room_knows_its_neighbour(floor):
    between = {(here, target) for here, target in imports_between_rooms(floor) if here != target}
    assert {pair for pair in between if pair[1] not in COMMON_ROOMS} == set()
    assert rooms_of(floor)


def test_every_page_has_a_room_of_its_name():
    lost = {d.stem for d in rooms_of("ui")} - {COMMON_ROOM, *(f.stem for f in PAGE_FILES)}
    assert not lost, "give each room of dpviz/ui the name of its file in pages/"


BROKEN = "dpviz.experiments.broken"  # samplers that are wrong on purpose
MAY_BREAK = ("dpviz/experiments/broken/", "dpviz/scenes/falsify.py")


def test_nobody_imports_a_broken_sampler_by_mistake():
    """Only its own room and the scene of Falsify, and every name in it says what it is."""
    found = {
        file.relative_to(ROOT).as_posix()
        for file in [*SOURCES, *PAGE_FILES, ROOT / "app.py"]
        if any(name.startswith(BROKEN) for name in imports_of(file))
    }
    assert found
    assert not [file for file in found if not file.startswith(MAY_BREAK)]
    room = ROOT / BROKEN.replace(".", "/")
    for file in room.glob("*.py"):
        for node in tree(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                assert node.name.startswith("Broken"), node.name
    text = (ROOT / "dpviz/public.py").read_text(encoding="utf-8") + (
        ROOT / "dpviz/experiments/__init__.py"
    ).read_text(encoding="utf-8")
    assert "broken" not in text.casefold()


def test_the_layer_test_sees_the_imports():
    assert {("ui", "charts"), ("release", "noise"), ("noise", "checks")} <= set(
        imports_between_layers()
    )
    assert {("collusion", COMMON_ROOM), ("variances", COMMON_ROOM)} <= imports_between_rooms("ui")


PROBE = """import pkgutil, sys, dpviz
names = [m.name for m in pkgutil.walk_packages(dpviz.__path__, "dpviz.")]
for above, missing in (("dpviz.charts", "plotly"), ("dpviz.ui", "streamlit")):
    for name in names:
        if not name.startswith(("dpviz.ui", above)):
            __import__(name)
    if missing in sys.modules:
        sys.exit(missing)
print("probed", len([m for m in sys.modules if m.startswith("dpviz")]))"""


def test_streamlit_is_named_in_the_dashboard_alone_and_plotly_in_figures():
    below = LAYERS[: LAYERS.index("charts")]
    for file in SOURCES:
        room = file.relative_to(ROOT / "dpviz").with_suffix("").parts[0]
        loaded = {name.split(".")[0] for name in imports_of(file)}
        assert room in ("ui", "command") or "streamlit" not in loaded, file
        assert room not in below or "plotly" not in loaded, file


@full_run  # whatever is loaded on the way; what is named is tested above
def test_the_library_never_loads_streamlit():
    done = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[1]) > 20


@for_each("file", PAGE_FILES)
def test_every_page_begins_with_its_guard(file):
    body = tree(file.read_text(encoding="utf-8")).body
    statements = [n for n in body[1:] if not isinstance(n, ast.Import | ast.ImportFrom)]
    assert ast.unparse(statements[0]) == "page_setup()", "call it first, after the imports"


@for_each("file", [ROOT / "app.py", *PAGE_FILES])
def test_every_thread_loads_the_dashboard_in_one_order(file):
    first = next(name for name in imports_of(file) if name.startswith("dpviz"))
    assert first == "dpviz.ui.kit.whole", "import dpviz.ui.kit.whole before the rest of dpviz"


COLD = """import sys, threading, streamlit
files, barrier, failed = sys.argv[1:], threading.Barrier(len(sys.argv) - 1), []
def load(file):
    code = compile(open(file, encoding="utf-8").read().split("page_setup()")[0], file, "exec")
    barrier.wait()
    try:
        exec(code, {})
    except BaseException as error:
        failed.append(f"{file}: {error!r}")
threads = [threading.Thread(target=load, args=(f,)) for f in files]
for t in threads: t.start()
for t in threads: t.join()
print(*failed, sep="\\n")
sys.exit(bool(failed))"""


@full_run  # the order of imports is tested above
def test_visitors_who_come_at_once_to_a_cold_server_get_their_pages():
    """What every page loads, all pages at once, each by a thread: a race before one went first."""
    done = subprocess.run(
        [sys.executable, "-c", COLD, *map(str, PAGE_FILES)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@for_each("file", PAGE_FILES)
def test_pages_are_thin(file):
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 90
    computed = re.search(r"\bnp\.|\brng\b|\*\*|pd\.DataFrame", text)
    assert not computed, "a page computes nothing: move this into dpviz"


def test_page_table_and_files_agree():
    listed, there = {path(p.file) for p in PAGES}, {f"pages/{f.name}" for f in PAGE_FILES}
    assert listed == there, "PAGES of dpviz/ui/kit/page_table.py has a line for each file of pages/"
    assert len(listed) == len(PAGES), "one line for each page"


def test_readme_names_every_page_and_its_question():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [f"| {p.title} | {p.question} |" for p in PAGES]
    lacking = [line for line in lines if line not in readme]
    assert not lacking, "add these lines to the table of pages in README.md"


def test_every_requirement_is_named_with_its_reason():
    decisions = (ROOT / "docs" / "DECISIONS.md").read_text(encoding="utf-8")
    names = re.findall(
        r"^([a-z0-9-]+)",
        (ROOT / "requirements.txt").read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    assert len(names) > 5
    for name in names:
        assert f"`{name}`" in decisions, name


def test_requirements_are_pinned():
    for name in ("requirements.txt", "requirements-server.txt", "requirements-dev.txt"):
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            assert line.startswith("-r ") or re.fullmatch(r"[\w.-]+(\[\w+\])?==[\w.]+", line), line


def test_no_global_generator_and_no_hidden_seed():
    for file in SOURCES:
        code = re.sub(r'""".*?"""', "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "default_rng" not in code, file
        assert not re.search(r"np\.random\.(seed|normal|laplace|poisson|rand|choice)\b", code), file


# Whatever is switched on for one visitor is on for all of them, and some of it kills the server.
OF_THE_WHOLE_PROCESS = re.compile(
    r"^ *(import|from) (tracemalloc|warnings|locale|random|signal|resource)\b"
    r"|\b(np\.(seterr|setbufsize|set_printoptions)\b|pd\.(set_option|options)\b"
    r"|os\.(chdir|umask|putenv|environ\[)|time\.tzset\b|setdefaulttimeout\b"
    r"|sys\.set\w+\(|gc\.(disable|set_threshold|set_debug)\b|logging\.(basicConfig|disable)\b)",
    flags=re.MULTILINE,
)


ALONE = ROOT / "dpviz/data/limited_process.py"  # run as a file: its limits are those of a child


def test_nothing_is_switched_for_the_whole_process():
    for file in [*SOURCES, *PAGE_FILES, ROOT / "app.py"]:
        text = file.read_text(encoding="utf-8")
        found = OF_THE_WHOLE_PROCESS.search(text)
        assert file == ALONE or not found, (file, found)
        assert f"import {ALONE.stem}" not in text, file
        assert f"{ALONE.stem} import" not in text, file
    assert ALONE in SOURCES
    for line in ("import tracemalloc", "from warnings import catch_warnings", "np.seterr(all='x')"):
        assert OF_THE_WHOLE_PROCESS.search(line), line


def test_nothing_that_draws_is_cached():
    for file in [*SOURCES, *PAGE_FILES]:
        assert "cache_data" not in file.read_text(encoding="utf-8"), file


MADE_UP = ROOT / "dpviz/data/made_up.py"  # samples, as fixed as a file: its seed makes no noise


def hidden_seeds(text):
    """Lines of code, not of docstrings, that fix a seed: a constant, or a generator made there."""
    if not re.search("teaching|default_rng|SeedSequence|SEED", text):
        return []
    return [
        node.lineno
        for node in nodes(text)
        if (
            isinstance(node, ast.Call)
            and re.search(r"(^|\.)(teaching|default_rng|SeedSequence)$", ast.unparse(node.func))
        )
        or (isinstance(node, ast.Assign | ast.AnnAssign) and re.match(r"_?SEED", ast.unparse(node)))
    ]


def test_the_core_hides_no_seed():
    """Below the workspace a generator is an argument; so nothing is drawn that nobody asked for."""
    for file in SOURCES:
        if file not in (MADE_UP, ROOT / "dpviz/streams.py") and not re.match(
            r"(workspace|scenes|ui)\b", file.relative_to(ROOT / "dpviz").as_posix()
        ):
            assert not hidden_seeds(file.read_text(encoding="utf-8")), file
    assert hidden_seeds("SEED = 3") == hidden_seeds("rng = streams.teaching(3)") == [1]
    assert not hidden_seeds('"""\n>>> streams.teaching(7)\n"""')


def test_no_cache_throws_out_by_hand():
    """What a visitor keeps is on a `Shelf`, what the process keeps in a bounded `lru_cache`."""
    for file in SOURCES:
        assert not re.search(r"pop\(next\(iter\(|\.popitem\(", file.read_text(encoding="utf-8")), (
            file
        )


def test_session_state_has_one_door():
    """Only `state.py`; `session_end.py` empties the state of a session that is over."""
    found = {f.name for f in [*SOURCES, *PAGE_FILES] if "session_state" in f.read_text("utf-8")}
    assert found == {"state.py", "session_end.py"}
    assert "st.session_state" not in (KIT / "session_end.py").read_text(encoding="utf-8")


def test_nothing_of_a_visitor_is_shared_by_the_process():
    """What Streamlit keeps belongs to one session, but for the mark that the process is settled."""
    for file in [*SOURCES, *PAGE_FILES]:
        text = file.read_text(encoding="utf-8")
        if file.name != "shell.py":
            assert text.count("cache_resource(") == text.count('cache_resource(scope="session"'), (
                file
            )


WIDGETS = {
    *("button", "checkbox", "data_editor", "download_button", "feedback", "file_uploader"),
    *("link_button", "multiselect", "number_input", "page_link", "pills", "radio", "selectbox"),
    *("segmented_control", "select_slider", "slider", "text_area", "text_input", "toggle"),
}


@functools.cache
def widgets() -> list[tuple[Path, ast.Call]]:
    """All calls that look like a widget, of streamlit or of a container, or of our own modules."""
    return [
        (file, node)
        for file in [*(ROOT / "dpviz" / "ui").rglob("*.py"), *PAGE_FILES]
        for node in nodes_of(file)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in WIDGETS | {"pill", "look_at", "optional_selectbox"}
    ]


def test_widgets_are_made_in_one_place():
    makers = {(f.name, ast.unparse(call.func.value)) for f, call in widgets()}
    others = {pair for pair in makers if pair[0] != "controls.py"}
    others = {(file, maker) for file, maker in others if maker not in {"controls", "press"}}
    assert not others, "make each widget with dpviz.ui.kit.controls, or press.button"
    assert {ast.unparse(c.func.value) for f, c in widgets() if f == KIT / "controls.py"} == {"st"}


def test_every_key_of_a_widget_is_used_once():
    keys = [
        ast.unparse(k.value)
        for file, call in widgets()
        if file.parent != KIT
        for k in call.keywords
        if k.arg == "key" and not isinstance(k.value, ast.Name)
    ]
    assert len(keys) > 100
    assert not [key for key, n in Counter(keys).items() if n > 1], "give each widget another key"


def unguarded(text):
    """What Streamlit runs before app.py, or without it, and that does not ask who it is."""
    if not re.search(r"fragment|\bon_(click|change|select)\b", text):
        return []
    found = []
    for node in nodes(text):
        names = [ast.unparse(d) for d in getattr(node, "decorator_list", [])]
        if any(name.startswith("st.fragment") for name in names):
            found += [] if names[-1] == "admitted.guarded_part" else [node.name]
        for word in node.keywords if isinstance(node, ast.Call) else []:
            if word.arg in ("on_click", "on_change", "on_select"):
                value = ast.unparse(word.value)
                said = value in ("'rerun'", "'ignore'") or value.startswith("admitted.guarded(")
                found += [] if said else [value]
    return found


def test_what_runs_without_app_py_asks_who_it_is():
    """Else a person who was taken out of the accounts could go on in an open tab."""
    found = {
        (file.name, name)
        for file in [*SOURCES, *PAGE_FILES]
        for name in unguarded(file.read_text(encoding="utf-8"))
    }
    assert found == {("shell.py", "_run_again_after_a_cut")}  # it shows nothing
    assert unguarded("st.button('x', on_click=act)") == ["act"]
    assert unguarded("@st.fragment\ndef box(): pass") == ["box"]


HANDED = re.compile(
    r"\b(DataFrame|Figure|Floats|Array|NDArray)\b"
)  # kinds of what a figure is handed
CHANGES = re.compile(r"(add|update)_\w+|insert|pop|sort|fill|setflags")


def changed_arguments(text):
    """Functions that write into a frame, an array or a figure that they were handed.

    Pandas copies on write, so that only the argument itself can be changed, not through a part.
    """
    found = []
    for function in [n for n in nodes(text) if isinstance(n, ast.FunctionDef)]:
        handed = {
            each.arg
            for each in (*function.args.args, *function.args.kwonlyargs)
            if each.annotation and HANDED.search(ast.unparse(each.annotation))
        }
        for node in ast.walk(function):
            written = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
            written = [node.target] if isinstance(node, ast.AugAssign) else written
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                changes = CHANGES.fullmatch(node.func.attr)
                written = [node.func] if changes or "inplace" in ast.unparse(node) else []
            for target in written:
                base = target
                while isinstance(base, ast.Subscript | ast.Attribute):
                    base = base.value
                plain = isinstance(target, ast.Name) and isinstance(node, ast.Assign | ast.Delete)
                if isinstance(base, ast.Name) and base.id in handed and not plain:
                    found.append(function.name)
    return found


def test_no_figure_changes_what_it_is_handed():
    charts = [file for file in SOURCES if "charts" in file.parts]
    found = [name for file in charts for name in changed_arguments(file.read_text("utf-8"))]
    assert found == ["dress"]  # the theme, just before a figure is shown
    for line in (
        "f['x'] = 1",
        "f.loc[0, 'x'] += 1",
        "f.update_layout(x=1)",
        "del f['x']",
        "f += 1",
    ):
        assert changed_arguments(f"def g(f: go.Figure):\n    {line}") == ["g"], line
    assert not changed_arguments("def g(f: pd.DataFrame):\n    f = f.copy()\n    return f")


def server_settings():
    return tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))


def test_config_keeps_the_server_shut():
    config = server_settings()
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["enableCORS"]
    assert config["server"]["enableXsrfProtection"]
    assert config["client"]["showErrorDetails"] == "type"
    assert not config["client"]["showErrorLinks"]
    assert not config["browser"]["gatherUsageStats"]


def test_no_run_of_a_page_stops_all_visitors_for_a_collection():
    assert server_settings()["runner"]["postScriptGC"] is False
