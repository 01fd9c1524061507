"""Continual counting: live counters and whole streams, on one tree."""

from dpviz.counting.continual_counting import ContinualCounter
from dpviz.counting.counted_stream import CountedStream

__all__ = [
    "ContinualCounter",
    "CountedStream",
]
