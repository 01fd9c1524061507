"""The networks of the story: made-up ones, three of the literature, and one's own edge list."""

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.local import CLASSIC_NETWORKS, classic_network, read_edges
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Slot, nothing

if TYPE_CHECKING:
    import networkx as nx

TOWN, HOSPITALS, OWN = "Maria’s town", "Maria and her hospitals", "my edge list"
MEGABYTES = 20
LONGEST = 2000  # letters of a typed list that are written into the code sample
FRIENDS = (
    "Maria Ana, Maria Bo, Maria Cleo, Maria Dan, Ana Bo, Ana Finn, Ana Gita, Finn Gita, "
    "Bo Hugo, Bo Iris, Cleo Jon, Cleo Kim, Jon Kim, Dan Leo, Dan Mina, Finn Nils, Gita Olga, "
    "Gita Pia, Hugo Quin, Iris Rosa, Iris Sam, Jon Tara, Kim Uma, Leo Vera, Leo Will, Mina Yara, "
    "Pia Abel, Sam Bea, Uma Cem, Dora Emil"
)
REFERRALS = (
    "Maria:doctor, Maria:heart clinic, doctor:hospital, doctor:laboratory, "
    "heart clinic:university, hospital:insurer, university:research, laboratory:register"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """A network of the page.

    Attributes:
        name: in the list of networks.
        told: where it comes from, one sentence.
        code: the same as Python; defines `graph`.
        graph: who knows whom.
        somebody: in it, to begin with.
        places: whether its members are hospitals.
        mark: what tells it from other networks, in keys.
    """

    name: str
    told: str
    code: str
    graph: "nx.Graph"
    somebody: str
    places: bool = False
    mark: int = 0


NAMES = (TOWN, HOSPITALS, *(each.title for each in CLASSIC_NETWORKS.values()), OWN)
_READ = Slot["tuple[str, nx.Graph | str] | None"]("network_read", nothing)


def choose() -> Network | None:
    """The network that is looked at; None, with the reason, while one's own cannot be used."""
    name = controls.selectbox(
        "Network",
        NAMES,
        key="network_which",
        help="The value is made up and typed here, in every network: nobody’s data is asked for.",
    )
    if name == OWN:
        return _own()
    found = _made_up(name) if name in (TOWN, HOSPITALS) else _classic(name)
    st.caption(found.told)
    return found


def _made_up(name: str) -> Network:
    friends = name == TOWN
    lines = _lines(FRIENDS, " ") if friends else _lines(REFERRALS, ":")
    return Network(
        name=name,
        told="Made up: 29 people, two of whom know only each other."
        if friends
        else "Made up: who refers patients to whom. Each referral is one step farther from Maria.",
        code=f"graph = read_edges({lines!r})",
        graph=read_edges(lines),
        somebody="Maria",
        places=not friends,
    )


def _lines(text: str, between: str) -> str:
    """An edge list with commas."""
    return "\n".join(pair.replace(between, ",", 1) for pair in text.split(", "))


def _classic(title: str) -> Network:
    found = next(each for each in CLASSIC_NETWORKS.values() if each.title == title)
    return Network(
        name=title,
        told=f"{found.source}.",
        code=f"graph = classic_network({found.name!r})",
        graph=classic_network(found.name),
        somebody=found.somebody,
    )


def _own() -> Network | None:
    """The edge list that is uploaded, or else the one that is typed."""
    file = controls.file_uploader(
        "Upload an edge list",
        key="network_upload",
        max_upload_size=MEGABYTES,
        help="CSV or text in UTF-8: two names on each line. It stays in this server’s memory "
        "until a minute after the tab is closed.",
    )
    text = controls.text_area(
        "Or type one: two names on each line",
        "Maria, Ana\nMaria, Bo\nAna, Cleo\nBo, Dan\nDan, Eli",
        key="network_typed",
        height=120,
    )
    mark = file.file_id if file else text
    kept = _READ.get()
    if kept is None or kept[0] != mark:
        kept = mark, _read(file.getvalue() if file else text)
        _READ.set(kept)
    graph = kept[1]
    if isinstance(graph, str):
        parts.refusal(graph)
        return None
    st.caption(f"{len(graph):,} members, {graph.number_of_edges():,} edges.")
    long = "edges.csv" if len(text) > LONGEST else ""
    name = file.name if file else long
    named = f'open({name!r}, "rb").read()' if name else repr(text)
    return Network(
        name=OWN,
        told="an edge list of the visitor",
        code=f"graph = read_edges({named})",
        graph=graph,
        somebody=next(iter(graph)),
        mark=zlib.crc32(mark.encode()),
    )


def _read(edges: str | bytes) -> "nx.Graph | str":
    """The graph of an edge list, or the sentence why it cannot be used."""
    try:
        return read_edges(edges)
    except ParameterError as error:
        return str(error)
