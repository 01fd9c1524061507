"""What the server writes into its log while visitors press: no stack, whatever they press."""

import random
import time

from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect

from tests.load import visitor as load
from tests.serving import PATIENCE


def test_a_press_that_fills_a_field_leaves_no_stack_in_the_log(app_server, monkeypatch):
    monkeypatch.setattr(load, "IMPATIENT", 0)  # each run is waited for
    visitor = load.Visitor(app_server.url, time.monotonic() + PATIENCE, random.Random(7))
    address = app_server.url.replace("http", "ws", 1) + "/_stcore/stream"
    with connect(address, subprotocols=["streamlit"], max_size=None) as socket:
        tab = load._Tab(visitor, socket)
        tab._open("data")
        (press,) = [name for name in tab.buttons if "-down_" in name]
        tab._run(WidgetState(id=press, trigger_value=True))
    assert not visitor.failures
    assert visitor.runs["data"] == 2
    said = app_server.log.read_text()
    assert "Session State" not in said
    assert "Stack" not in said
