"""Example plans: a plan file for each ready sample, of another statistic than the first one."""

from functools import cache
from importlib import resources

from dpviz.data import SAMPLES
from dpviz.workspace.plan_file.record import PlanFile, opened


@cache
def examples() -> dict[str, PlanFile]:
    """The example plans by the file of their sample.

    >>> examples()["nhefs.csv"].query.statistic
    'mean of “weight 1982 (kg)” per group of “quit smoking by 1982”, each row from 40 to 140'
    """
    folder = resources.files("dpviz.data") / "plans"
    names = {sample.file: sample.file.removesuffix(".csv") for sample in SAMPLES.values()}
    return {file: opened((folder / f"{name}.json").read_bytes()) for file, name in names.items()}
