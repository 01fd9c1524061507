"""The pictures: a folder per topic, with the frame (tidy columns) beside its figure.

Frames hold released numbers and public facts only; the exact answer enters three of them,
`exact_frame`, `bounding_frame` and `kept_frame`, which a page builds after "reveal" and not before.
Figures are pure functions of frames.
"""
