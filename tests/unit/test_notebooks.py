"""The notebooks run as they stand and find what they say; README and the index point to them."""

import runpy
from pathlib import Path

import pytest

from tests.conftest import few

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))
FINDS = {  # what is printed, how often
    "covariances_in_any_order": {
        ": 0 of 6 covariances and 0 of": 6,  # every noise
        "each independently: 3 of 6 covariances": 1,  # the near misses fail
        "steps of another noise: 0 of 6 covariances and 26 of 28 chances": 1,
        "l/h within its band: True": 1,
        "its square root: False": 1,
    },
    "figures_of_the_papers": {
        "Private Lossless Multiple Release. ": 3,
        "Gradual Release of Sensitive Data. ": 4,
        "Count on Your Elders. ": 2,
        "Bounding, Concentrating, and Truncating. ": 6,
    },
    "from_upload_to_hand_out": {
        "as it was signed: True": 2,
        "with one digit more: False": 1,
        "ε-DP: 1 together; separate noise: 2.05": 1,
    },
    "growth_of_sparse_histograms": {"1,000,000,000,000 items": 1},
    "sharpen_until_it_is_enough": {
        "this outcome costs ε = 0.125; a ledger counts ε = 2": 1,
        "saved: 49%": 1,
        "saved: 50%": 1,
    },
    "your_own_noise": {
        "rounded Laplace noise: yes": 1,
        "variance times 2: no": 1,
        "variance times 3: yes": 1,
        "noisy max: no": 1,
    },
}


@pytest.fixture(scope="module")
def run():
    return runpy.run_path(str(ROOT / "docs" / "run_notebooks.py"))["run"]


@pytest.mark.parametrize("file", few(NOTEBOOKS, 5), ids=lambda file: file.stem)
def test_a_notebook_runs_and_finds_what_it_says(run, file, capsys):
    run(file)  # refuses one without a figure
    said = capsys.readouterr().out
    assert {text: said.count(text) for text in FINDS[file.stem]} == FINDS[file.stem]


def test_a_notebook_without_a_figure_is_refused(run, tmp_path):
    (tmp_path / "empty.py").write_text("figure = None\n", encoding="utf-8")
    with pytest.raises(TypeError, match="leaves no figure"):
        run(tmp_path / "empty.py")


@pytest.mark.parametrize("guide", ["README.md", "docs/index.md"])
def test_guides_name_every_notebook(guide):
    text = (ROOT / guide).read_text(encoding="utf-8")
    assert [file.name for file in NOTEBOOKS if f"notebooks/{file.name})" not in text] == []
