"""Plan files: what is published, for which tiers and with which noise, as a file of its own.

    saved(ws)              the plan of a workspace as bytes
    opened(content)        a plan from bytes of anybody, or one sentence why they are no plan
    misfits(plan, table)   what of it does not fit a table
    use(ws, plan)          put it to use; `dpviz.workspace.undo` takes it back

A plan file has no data and no release; of a practice plan it has the seed (docs/PLAN_FILE.md).
"""

from dpviz.workspace.plan_file.record import (
    MAX_BYTES,
    FurtherStatistic,
    PlanFile,
    examples,
    json_schema,
    misfits,
    opened,
    written,
)
from dpviz.workspace.plan_file.use import (
    others_in_file,
    plan_of,
    saved,
    typed_delta,
    use,
    use_tiers,
)

__all__ = [
    "MAX_BYTES",
    "FurtherStatistic",
    "PlanFile",
    "examples",
    "json_schema",
    "misfits",
    "opened",
    "others_in_file",
    "plan_of",
    "saved",
    "typed_delta",
    "use",
    "use_tiers",
    "written",
]
