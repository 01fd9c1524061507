"""Hand-outs: one file per release, all of them as one pack, a check of a pack, and a report."""

from collections.abc import Sequence

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dpviz.errors import ParameterError
from dpviz.handout import Finding, Received, verify_folder
from dpviz.handout.post_processing import Processing
from dpviz.release import LedgerEntry, today
from dpviz.ui.kit import controls, panel, parts
from dpviz.ui.kit.page_table import path
from dpviz.ui.kit.state import Slot
from dpviz.words import capitalised, clean, join, shorten
from dpviz.words.markdown import literal
from dpviz.workspace import packing
from dpviz.workspace.facts import called, entry_budget
from dpviz.workspace.packing import check, report_of
from dpviz.workspace.workspace import Workspace

FEW = 12  # up to this many releases each has its own button
PACK_PASSES = "The pack holds what its tiers may have, and nothing else."
FILE_PASSES = "The file is a release of this workspace, to the last byte."
LASTING = "It is the key of this project for good."
ENDING = "The key ends with this tab"
TAKEN = f"{ENDING}, unless you keep this work as a project, which takes it along."
_Found = tuple[tuple[Finding, ...], Received | None]
_CHECKED = Slot[tuple[object, _Found]]("pack_checked", lambda: (None, ((), None)))


def hand_out(ws: Workspace, shown: Processing) -> None:
    """Files for the tiers, the pack of all, the check, and the report for stakeholders."""
    if not ws.ledger:
        with st.popover("Check a received file …", icon=":material/verified_user:"):
            _check(ws)
        return
    several = packing.with_several(ws)
    own = [e for e in ws.entries_of(ws.round) if e.tier not in several]
    if len(own) + len(several) > FEW:
        own, several = [], {}
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.markdown("**Hand out a file per tier**", width="content")
        with st.popover("More files …", icon=":material/description:"):
            _pack(ws, shown)
            _report(ws)
            _check(ws)
    with st.container(horizontal=True, gap="xsmall"):
        for tier, many in several.items():
            _folder(ws, shown, tier, many)
        for entry in sorted(own, key=lambda e: e.level):  # the sharpest first
            panel.download(_label(ws, entry), ws, entry, key="download_")
    _choose(ws, [e for e in ws.ledger[::-1] if e not in own])
    trial = "Practice files, for trying out only. " if ws.mode == "teaching" else ""
    zips = " A zip holds all that a tier has, and what it tells together." if several else ""
    st.caption(
        f"{trial}Each file holds the numbers of one tier, and no other’s, and is signed: any "
        f"change shows.{zips}"
    )
    if ws.mode == "teaching":
        controls.page_link(path("tiers"), "For real files, approve the plan")


def _folder(ws: Workspace, shown: Processing, tier: str, many: int) -> None:
    """All that one tier has, of several statistics."""

    def made() -> bytes:
        ws.keeper.note("hand-out", tier=tier)
        return packing.hand_out(ws, shown, tier=tier)

    controls.download_button(
        f"{parts.chip(tier, ws.plan.style_of(tier))}, {many} statistics (zip)",
        data=made,
        file_name=packing.folder_name(ws, tier),
        mime="application/zip",
        icon="folder_zip",
        key=f"download_all_{tier}",
    )


def _pack(ws: Workspace, shown: Processing) -> None:
    def made() -> bytes:
        ws.keeper.note("pack")
        return packing.hand_out(ws, shown)

    controls.download_button(
        "All as one pack",
        data=made,
        file_name=packing.pack_name(ws),
        mime="application/zip",
        icon="folder_zip",
        key="download_pack",
        help="A folder for each tier, with CSV, JSON and a plain text that says what it is.",
    )
    st.caption(
        "Hand out single folders of the pack, never its list of contents (MANIFEST.json): with "
        "it, a reader can test guesses about other tiers."
    )
    st.caption(
        f"Signed with the key **{packing.fingerprint_of(ws)}**, which the report names, too. "
        "“dpviz verify” tells a recipient whether a folder was changed, and which key signed it. "
        + _how_long(ws)
    )


def _how_long(ws: Workspace) -> str:
    """How long the key lasts; a project takes hardened work alone."""
    if ws.keeper.name:
        return LASTING
    return TAKEN if all(one.mode == "hardened" for one in ws.sessions) else f"{ENDING}."


def _report(ws: Workspace) -> None:
    def made() -> bytes:
        ws.keeper.note("report")
        return report_of(ws, today()).encode("utf-8")

    controls.download_button(
        "Report",
        data=made,
        file_name=packing.report_name(ws),
        mime="text/html",
        icon="description",
        key="download_report",
        help="For stakeholders: tiers, accuracy, collusion, caveats, and the names of all groups; "
        "no released number. Open it and print it to have a PDF.",
    )


def _check(ws: Workspace) -> None:
    """Check a pack against the ledger of this workspace, and by its signatures alone."""
    upload = controls.file_uploader(
        "Pack or file to check (zip, CSV or JSON)", type=["zip", "csv", "json"], key="pack_to_check"
    )
    st.caption(
        "A pack of this workspace is written again from its ledger, and every byte compared. Any "
        "pack, zipped folder or single file, packed again or not, is checked by its signatures; "
        "OPENING.json also by what was committed to."
    )
    if upload is None:
        return
    found, received = _found(ws, upload)
    alone = upload.name.lower().endswith(".csv")
    if not found and ws.ledger and not upload.name.lower().endswith(".json"):
        st.success(FILE_PASSES if alone else PACK_PASSES)
    for finding in found[:FEW]:
        parts.refusal(f"{capitalised(finding.where)}: {finding.what}")
    if len(found) > FEW:
        st.caption(f"And {len(found) - FEW:,} more.")
    if received is not None:
        _signatures(received, packing.fingerprint_of(ws))


def _found(ws: Workspace, upload: UploadedFile) -> _Found:
    """What is found about an upload, once for each upload and state of the ledger."""
    key = (upload.file_id, len(ws.ledger))
    known = _CHECKED.get()
    if known[0] != key:
        with st.spinner("Checking the pack …"):
            known = key, _looked_at(ws, upload.getvalue())
        _CHECKED.set(known)
    return known[1]


def _looked_at(ws: Workspace, content: bytes) -> _Found:
    """What is wrong by the ledger, if there is one, and by the signatures, if it can be read."""
    found = check(ws, content) if ws.ledger and not content.startswith(b"{") else ()
    try:
        return found, verify_folder(content)
    except ParameterError as error:
        return found or (Finding("the pack", str(error)),), None


def _signatures(received: Received, own: str) -> None:
    """What a recipient finds by the files alone, and what nobody can."""
    st.markdown("**By its signatures alone**, as “dpviz verify” says it to a recipient")
    lines = []
    for one in received.checks:
        mark = ":material/close: Failed" if one.findings else ":material/check: Passed"
        wrong = [f"  - {literal(f.where)}: {literal(f.what)}" for f in one.findings[:FEW]]
        lines += [f"- {mark}: {one.about}.", *wrong]
    st.markdown("\n".join(lines))
    if received.added:
        st.caption(f"Empty files that computers add, left aside: {literal(join(received.added))}.")
    for key in received.keys:
        whose = "this workspace’s key" if key == own else "a key that is not this workspace’s"
        st.markdown(f"Signed with {whose}, **{key}**.")
    st.caption("No file can tell:\n" + "\n".join(f"- {said}" for said in received.not_checked))


def _choose(ws: Workspace, entries: Sequence[LedgerEntry]) -> None:
    """The file of any other release, of closed sessions and of structured ones, too."""
    if not entries:
        return
    entry = controls.selectbox(
        "Another release",
        entries,
        format_func=lambda e: _told(ws, e),
        lasting=False,
        key=controls.keyed("other_release", [e.number for e in entries]),
    )
    panel.download("Download this release", ws, entry, key="download_")


def _told(ws: Workspace, entry: LedgerEntry) -> str:
    """Which release of which session it is; of a structured one also of what."""
    asking = ws.session_of(entry).asking
    of = "" if asking.plain else f", {shorten(asking.statistic)}"
    tier, before = clean(entry.tier), ws.former(entry)
    which = called(tier, before) if before else f"{tier}, {entry_budget(entry)}"
    return f"{which}, session {entry.session}{of}"


def _label(ws: Workspace, entry: LedgerEntry) -> str:
    """The tier with its symbol; with the budget of a release from before its budget changed."""
    before = ws.former(entry)
    label = parts.chip(called(entry.tier, before), ws.plan.style_of(entry.tier))
    others = (e for e in ws.ledger if e.tier == entry.tier and e is not entry)
    again = not before and any(not ws.former(e) for e in others)
    return f"{label}, {literal(entry_budget(entry))}" if again else label
