"""Releases of one statistic in any order: the session."""

from dpviz.release.session import MultipleRelease

__all__ = ["MultipleRelease"]
