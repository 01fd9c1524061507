"""The meter "max, not sum": what all tiers together have learned, and what it would have cost.

Lossless releases are nested bars, the larger the thicker: what counts is the largest. Independent
ones would stand end to end. Earlier sessions on the same data are grey and add in both rows.
"""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.errors import ParameterError
from dpviz.figures.labels import note, pixels, ticks
from dpviz.figures.palette import TierStyle
from dpviz.figures.tidy import require_columns
from dpviz.figures.words import decimals_of, fixed, plain, significant

ROWS = ("lossless", "independent")
HEIGHT, NARROWEST = 176, 240  # of the figure; the least width it is drawn at, in pixels
