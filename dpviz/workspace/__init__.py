"""What one visitor has: statistic in use, plan, sessions, ledger, joint loss, hand-outs.

No Streamlit: everything that a visitor can do on a page, a script can do here.
"""

from dpviz.workspace.plan import Plan
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace

__all__ = ["Plan", "Statistic", "Workspace"]
