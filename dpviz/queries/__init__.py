"""Queries: a statistic, the bound on what one person contributes, and its sensitivities."""

from dpviz.queries.bounded_mean import BoundedMean
from dpviz.queries.bounded_sum import BoundedSum
from dpviz.queries.bounds import RELATIONS, Bounds, Relation
from dpviz.queries.clip import Grid, default_step
from dpviz.queries.columns import ByColumn, ByThreeColumns, ByTwoColumns, listed_in
from dpviz.queries.count import Count
from dpviz.queries.cuts import CYCLES, SPANS, ByBins, ByCycle, ByTime
from dpviz.queries.groupings import MAX_GROUPS, Everybody, Grouping
from dpviz.queries.item_names import LETTERS, LETTERS_AND_DIGITS, WholeNumbers, Words
from dpviz.queries.items import ItemCounts, TextCounts
from dpviz.queries.kept import KeptRows, kept, unbounded
from dpviz.queries.nouns import Nouns
from dpviz.queries.query import Query
from dpviz.queries.sensitivity import Norm, Sensitivity

__all__ = [
    "CYCLES",
    "LETTERS",
    "LETTERS_AND_DIGITS",
    "MAX_GROUPS",
    "RELATIONS",
    "SPANS",
    "BoundedMean",
    "BoundedSum",
    "Bounds",
    "ByBins",
    "ByColumn",
    "ByCycle",
    "ByThreeColumns",
    "ByTime",
    "ByTwoColumns",
    "Count",
    "Everybody",
    "Grid",
    "Grouping",
    "ItemCounts",
    "KeptRows",
    "Norm",
    "Nouns",
    "Query",
    "Relation",
    "Sensitivity",
    "TextCounts",
    "WholeNumbers",
    "Words",
    "default_step",
    "kept",
    "listed_in",
    "unbounded",
]
