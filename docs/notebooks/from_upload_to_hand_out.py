# %% [markdown]
# # From upload to hand-out, without the dashboard
#
# A clinic wants to say how many visits each of its wards had: to the public, to the partners of a
# study, and to its auditors, to each as exactly as they are trusted. This is the whole way, as the
# pages of the dashboard go it, in a script: read the table, say what is counted and how much of it
# one person can change, say who may know how much, draw, hand out, and check what was handed out.

# %%
import csv
import tempfile
from pathlib import Path

import numpy as np

from dpviz import Bounds, ByColumn, Count, Workspace
from dpviz.charts.releases import release_chart
from dpviz.charts.theme import dress
from dpviz.handout import verify_folder
from dpviz.planning.tiers import Tier
from dpviz.release import today
from dpviz.scenes.releases import releases_frame
from dpviz.workspace import account, packing

# %% [markdown]
# ## The table
#
# A row per visit: made up here, read from a file as yours would be. CSV, Excel, Parquet and other
# kinds are read alike (docs/SCRIPT.md).

# %%
temporary = tempfile.TemporaryDirectory()  # gone at the end
folder = Path(temporary.name)
WARDS = ("eye", "heart", "children", "surgery")
chance = np.random.default_rng(7)
with (folder / "visits.csv").open("w", newline="", encoding="utf-8") as file:
    rows = csv.writer(file)
    rows.writerow(["patient", "ward"])
    for patient in range(1, 1001):
        for ward in chance.choice(WARDS, size=chance.integers(1, 3), replace=False):
            rows.writerow([patient, ward])

ws = Workspace.load(folder / "visits.csv")
print([column.name for column in ws.table.columns])

# %% [markdown]
# ## What is counted
#
# A count for each ward. A patient can come to several wards, so the column says who a row belongs
# to, and each counts in two wards at most. The wards are a list that everybody knows: were it read
# from the rows, it would itself tell something.

# %%
ws.state(Count(ByColumn("ward", WARDS), Bounds(person="patient", groups_per_person=2)))
print(ws.statistic.query.contribution)

# %% [markdown]
# ## Who may know how much
#
# `ws.use_tiers` returns what is wrong with the plan: nothing here. Hardened mode takes its noise
# from the operating system and no seed repeats it, so these numbers are others in every run. That
# is the mode in which numbers may be handed out.

# %%
ws.use_mode("hardened")
BUDGETS = {"public": "0.25", "partners": "0.5", "auditors": "1"}
assert ws.use_tiers([{"tier": t, "budget": b, "as": "ε"} for t, b in BUDGETS.items()]) == []
print(f"noise: {ws.family.label}")
for tier in ws.planned()[0]:
    print(f"{tier.name}: each count within ± {tier.budget.half_width:.1f}, 95 times in 100")

# %% [markdown]
# ## Draw, in any order
#
# The partners ask first, the auditors next, the public last: the order makes no difference, and
# a reader who asks again gets the same numbers. Then a journalist comes, who may know a little more
# than the public.

# %%
ws.draw("partners", "auditors")
ws.draw("public")
ws.add_tier(Tier(name="journalist", amount="0.3", kind="ε"))
ws.draw("journalist")
for tier in ws.held:
    print(f"{tier.name}: {dict(zip(WARDS, tier.values.tolist(), strict=True))}")

# %% [markdown]
# What does it cost? Together all four know what the auditors know alone. With separate noise their
# budgets would add up.

# %%
together, separate = account.joint(ws), account.independent(ws)
print(f"{together.definition}: {together.value:g} together; separate noise: {separate.value:g}")

# %% [markdown]
# ## Hand out
#
# A pack for each reader: their numbers with what they mean, signed, and nobody else's. Then the
# report for those who decide.

# %%
for entry in ws.ledger:
    content = packing.hand_out(ws, tier=entry.tier)
    (folder / f"{entry.tier}.zip").write_bytes(content)
(folder / "report.html").write_text(packing.report_of(ws, today()), encoding="utf-8")
print(sorted(path.name for path in folder.iterdir()))

# %% [markdown]
# ## Check what was handed out
#
# As a reader does it, who has the file and the fingerprint of the key from the report; on the shell
# `dpviz verify journalist.zip`. A single digit that is changed is found.

# %%
key = packing.fingerprint_of(ws)
received = verify_folder(folder / "journalist.zip", key=key)
print("as it was signed:", received.passed, "-", len(received.checks), "checks")

(entry,) = (each for each in ws.ledger if each.tier == "public")
table = folder / "public.csv"
table.write_bytes(packing.file_of(ws, entry, today()))
print("as it was signed:", verify_folder(table, key=key).passed)
text = table.read_text(encoding="utf-8-sig")
eye = next(line for line in text.splitlines() if line.startswith("eye,"))
table.write_text(text.replace(eye, f"{eye}0"), encoding="utf-8-sig")
changed = verify_folder(table, key=key)
print("with one digit more:", changed.passed)
print(
    *(f"    {found.where} {found.what}" for check in changed.checks for found in check.findings),
    sep="\n",
)

# %% [markdown]
# ## What they have
#
# Each ward's count as each reader knows it, with the interval that holds the true count 95 times in
# 100. Then the true counts and the files are erased.

# %%
frame = releases_frame(ws.statistic.query, ws.held, ws.family, 0.95)
made = release_chart(frame, what="Visits per ward.", noun="visits", confidence=0.95)
figure = dress(made.figure, "light")
ws.close()
temporary.cleanup()
figure
