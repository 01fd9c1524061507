"""What leaves the house: signed packs, their verifiers, and post-processing."""

from dpviz.handout.committed import commitment_json, opening_json
from dpviz.handout.pack_zip import pack_zip
from dpviz.handout.packs import (
    estimates_csv,
    neutral,
    reader_csv,
    tier_csv,
    tier_files,
    tier_json,
    tier_readme,
)
from dpviz.handout.received import Received, verify_folder
from dpviz.handout.signing import SigningKey
from dpviz.handout.single import signed_csv
from dpviz.handout.tier_release import DERIVED_COLUMNS, TierRelease
from dpviz.handout.verify import Finding, verify_pack

__all__ = [
    "DERIVED_COLUMNS",
    "Finding",
    "Received",
    "SigningKey",
    "TierRelease",
    "commitment_json",
    "estimates_csv",
    "neutral",
    "opening_json",
    "pack_zip",
    "reader_csv",
    "signed_csv",
    "tier_csv",
    "tier_files",
    "tier_json",
    "tier_readme",
    "verify_folder",
    "verify_pack",
]
