"""A tier's folder with several releases: its README, its signed list, and packs from before."""

import datetime
import hashlib
import json
from dataclasses import replace

import pytest

from dpviz.handout import SigningKey, pack_zip, verify_folder, verify_pack
from dpviz.handout.contents import MANIFEST, SIGNED
from dpviz.handout.pack_zip import folders_of, several_of, zipped
from dpviz.handout.received import FACTS, FILES, NO_OTHER, SIGNATURE
from tests.handouts import DAY, KEY, facts_of, ledger, release_of
from tests.unit.handout.test_packs import HOSTILE, opened
from tests.unit.handout.test_received import closed, folder, found, signed_again, swapped

LATER = DAY + datetime.timedelta(days=1)
OTHER = SigningKey.from_private_bytes(bytes(32))
PROMISE = ("Privacy loss of this folder in all: ρ = 0.3.", "Of all tiers: ρ = 0.4.")
README = "audit/README.txt"


def literal(tier, values, budget="ρ = 0.1", statistic="people per ward", **other):
    """A release whose bytes depend on no library of mathematics."""
    facts = dict(facts_of(tier, budget)) | {"statistic": statistic}
    given = {"tier": tier, "facts": tuple(facts.items())} | other
    return release_of(values, **given)


ONE_EACH = [
    release_of([812, 40, -3], tier="public", facts=facts_of("public", "ρ = 0.1")),
    release_of([811, 41, 2], tier="audit", facts=facts_of("audit", "ρ = 0.1"), level=1.0),
]
SEVERAL = [
    *ONE_EACH,
    release_of([7.5], tier="audit", session=2, facts=facts_of("audit", "ρ = 0.1"), level=0.5),
]
THREE = [
    literal("public", [812, 40]),
    literal("audit", [811, 41], level=1.0),
    literal("audit", [7], "ρ = 0.2", "spending per ward", session=2),
]
INNER = ("audit/people-per-ward", "audit/spending-per-ward")


def packed(releases=THREE, made=DAY, key=KEY, promise=PROMISE, **other):
    """A pack in which each tier with several releases is promised the same."""
    promises = dict.fromkeys(several_of(releases), promise)
    return pack_zip(releases, made=made, key=key, promises=promises, **other)


@pytest.fixture
def files():
    return opened(packed())


def verify(content, releases=THREE, today=DAY):
    return {f.where: f.what for f in verify_pack(content, [releases], today=today, key=KEY)}


# --- packs from before ---


@pytest.mark.parametrize(
    ("releases", "digest"),
    [
        (ONE_EACH, "d071e1b9cef86a5bdacc66a10e7db8448182bc3c0ce41206b268cc2307c3d829"),
        (SEVERAL, "d5638037a52ac558ffa590a9d2dba37e8abe98d413798484a2d228021b88234b"),
    ],
)
def test_a_pack_from_before_tiers_had_lists_is_written_and_checked_as_it_was(releases, digest):
    content = pack_zip(releases, made=DAY, key=KEY)
    assert hashlib.sha256(content).hexdigest() == digest
    assert verify(content, releases) == {}
    assert verify_folder(content).passed
    assert found(folder(opened(content), "audit")) == {}


def test_a_pack_of_one_release_each_is_as_before_whatever_is_promised():
    assert packed(ONE_EACH) == packed(ONE_EACH, alone=True) == pack_zip(ONE_EACH, made=DAY, key=KEY)


# --- the README, and the list ---


def test_the_readme_names_each_release_with_its_folder_and_what_all_tell(files):
    text = files[README].decode("utf-8-sig").splitlines()
    assert text[0] == "Releases for audit"
    near = "with 95 % confidence value is within ±20 of the bounded statistic"
    assert text[3:5] == [
        f"people-per-ward/    people per ward: ρ = 0.1; {near}",
        f"spending-per-ward/  spending per ward: ρ = 0.2; {near}",
    ]
    assert [line for line in text if line.startswith(("Privacy", "Of all"))] == [*PROMISE]
    assert "Made on 2026-11-21 with dpviz." in text
    assert "public" not in "".join(text)
    said = json.loads(files[f"audit/{SIGNED}"])
    assert said["promise"] == [*PROMISE]
    assert set(said["files"]) == set(folder(files, "audit")) - {SIGNED}
    assert {f"audit/{e['folder']}" for e in said["releases"]} == {*INNER}
    assert "public/README.txt" in files, "a tier with one release has no folder in its folder"


def test_the_readme_of_practice_says_so_first():
    trial = [replace(r, facts=(("practice", "do not publish"), *r.facts)) for r in THREE]
    text = opened(packed(trial))["practice-audit/README.txt"].decode("utf-8-sig")
    assert text.startswith("Practice releases for audit: do not publish these numbers\r\n")


def test_the_same_releases_and_day_give_the_same_bytes():
    assert packed() == packed()
    assert opened(packed(made=LATER))[README] != opened(packed())[README]


def test_a_tier_alone_gets_its_folder_and_no_list_of_the_pack():
    alone = opened(packed(THREE[1:], alone=True))
    assert MANIFEST not in alone
    assert {name.split("/")[0] for name in alone} == {"audit"}
    assert MANIFEST in opened(packed(alone=True)), "of two tiers it is a pack"


def test_practice_of_one_tier_is_never_in_the_folder_of_another():
    trial = literal("audit", [1], facts=(("practice", "x"), *facts_of("audit", "ρ = 1")))
    real = literal("practice audit", [2], session=2)
    assert folders_of([trial, real]) == ["practice-audit", "practice-audit-2"]


def test_hostile_names_of_tiers_and_statistics_pass():
    releases = [
        replace(literal(tier, [1], statistic=f"{tier} {n}"), session=n, name=tier * (n > 1))
        for tier in HOSTILE
        for n in (1, 2)
    ]
    content = packed(releases)
    assert verify(content, releases) == {}
    assert found(content) == {}
    tops = {name.split("/")[0] for name in opened(content)} - {MANIFEST}
    assert len({top.casefold() for top in tops}) == len(HOSTILE)


# --- what a recipient finds ---


def test_an_untouched_tier_folder_passes_in_every_form(files, tmp_path):
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    alone = {name: c for name, c in files.items() if name.startswith("audit/")}
    forms = (packed(), packed(THREE[1:], alone=True), closed(files), closed(alone))
    for form in (*forms, tmp_path, tmp_path / "audit", closed(folder(files, "audit"))):
        assert found(form) == {}, form
    assert len(verify_folder(forms[1]).handouts) == 2
    for inner in INNER:
        assert found(folder(files, inner)) == {}


def test_a_readme_that_was_changed_is_named_by_its_path(files):
    alone = {name: c for name, c in files.items() if name != MANIFEST}
    wrong = {**alone, README: swapped(files[README], "ρ = 0.3", "ρ = 0.2")}
    assert found(wrong)[FILES] == {README: "was changed after signing"}
    del wrong[README]
    assert found(wrong)[FILES] == {README: "is missing"}
    assert set(found(alone | {"audit/more.txt": b"a"})[NO_OTHER]) == {"audit/more.txt"}


@pytest.mark.parametrize("with_list_of_pack", [True, False])
def test_a_folder_that_is_missing_or_of_another_pack_is_named_by_its_path(files, with_list_of_pack):
    whole = {n: c for n, c in files.items() if with_list_of_pack or n != MANIFEST}
    away = {name: c for name, c in whole.items() if not name.startswith(INNER[1])}
    assert {f"{INNER[1]}/{SIGNED}", f"{INNER[1]}/README.txt"} <= set(found(away)[FILES])
    drawn_again = [*THREE[:2], replace(THREE[2], values=THREE[2].values + 1)]
    for other in (packed(made=LATER), packed(drawn_again), packed(key=OTHER)):
        inner = {n: c for n, c in opened(other).items() if n.startswith(INNER[1])}
        assert f"{INNER[1]}/{SIGNED}" in found(whole | inner)[FILES]
    swap = {n.replace(INNER[1], INNER[0]): c for n, c in whole.items() if n.startswith(INNER[1])}
    assert f"{INNER[0]}/{SIGNED}" in found(whole | swap)[FILES]


def test_what_a_readme_says_otherwise_than_its_lists_is_found_however_it_is_signed(files):
    mine = folder(files, "audit")
    for old, new in [
        ("people per ward: ρ = 0.1", "people per ward: ρ = 0.01"),
        ("spending per ward: ρ", "spending: ρ"),
        ("Releases for audit", "Releases for public"),
        ("in all: ρ = 0.3", "in all: ρ = 0.2"),
        ("2026-11-21", "2026-11-22"),
    ]:
        changed = signed_again(mine | {"README.txt": swapped(mine["README.txt"], old, new)}, OTHER)
        wrong = found(changed)
        assert list(wrong[FACTS]) == ["README.txt"], old
    promised = signed_again(mine, KEY, promise=["Nothing is lost."])
    assert list(found(promised)) == [FACTS]
    entries = json.loads(mine[SIGNED])["releases"]
    for fewer in ([], entries[:1]):
        assert list(found(signed_again(mine, KEY, releases=fewer))) == [FACTS]
    other = signed_again(mine, KEY, releases=[entries[0] | {"level": "9.0"}, entries[1]])
    assert f"{INNER[0].removeprefix('audit/')}/{SIGNED}" in found(other)[FACTS]
    assert SIGNATURE in found(signed_again(mine, OTHER))


@pytest.mark.parametrize("field", ["releases", "promise", "made", "version", "format"])
@pytest.mark.parametrize("value", [None, [], {}, ["x"], [["x"]], "x", 2, [{}]])
def test_no_list_whatever_is_in_it_ends_in_anything_but_a_finding(files, field, value):
    mine = folder(files, "audit")
    changed = {f"audit/{n}": c for n, c in signed_again(mine, **{field: value}).items()}
    assert found(changed) != {}
    assert verify(closed(changed)) != {}
    assert verify(zipped(files | changed, DAY)) != {}
    assert verify(zipped(changed, DAY)) != {}


# --- what the ledger finds ---


def test_packs_and_folders_pass_by_the_ledger():
    alone = packed(THREE[1:], alone=True)
    for content in (packed(), alone):
        assert verify(content) == {}
    assert set(verify(packed(THREE[1:]))) == {"tier “public”"}, "with a list of the pack it is one"
    assert verify(packed(made=LATER), today=LATER) == {}
    more = [*THREE, literal("audit", [1], session=3), literal("public", [1], session=3)]
    missing = verify(alone, more)
    assert list(missing) == ["tier “audit”"], "of the folder of a tier only its own are missed"
    assert set(verify(packed(), more)) == {"tier “audit”", "tier “public”"}
    first = packed(promise=("What was true on that day.",))
    assert verify(first) == {}, "what the ledger said then was signed then"


def test_a_forged_readme_or_list_is_found_by_the_ledger(files):
    for name, old, new in [
        (README, "ρ = 0.3", "ρ = 0.2"),
        (README, "spending-per-ward/", "spending-per-word/"),
        (f"audit/{SIGNED}", "ρ = 0.3", "ρ = 0.2"),
    ]:
        for whole in (files, opened(packed(THREE[1:], alone=True))):
            forged = {**whole, name: swapped(whole[name], old, new)}
            assert name in verify(zipped(forged, DAY)), name
    forged = packed(key=OTHER, promise=("Nothing is lost.",))
    assert {README, f"audit/{SIGNED}"} & set(verify(forged))
    for name in (README, f"audit/{SIGNED}"):
        less = {n: c for n, c in files.items() if n != name}
        assert verify(zipped(less, DAY))[name] == "is missing"
    both = {n: c for n, c in files.items() if n not in (README, f"audit/{SIGNED}")}
    assert verify(zipped(both, DAY)) != {}


def test_groups_that_were_renamed_since_are_all_that_is_found():
    before = [*ledger(session=1), *ledger(session=2, tiers={"audit": 1.0})]
    now = [replace(r, entries=tuple("xyz"), labels=tuple("xyz")) for r in before]
    for content in (packed(before), packed(before[2:], alone=True)):
        assert verify(content, before) == {}
        assert set(verify(content, now)) == {"names of groups"}
