"""The style sheet of the report: system fonts, light and dark on screen, always light on paper."""

from dpviz.palette import GRID, INKS

STYLE = f"""
:root {{ --ink: #14171B; --quiet: #565D67; --paper: {INKS["light"]["paper"]}; --edge: #D9DCE1;
  --tint: #F4F5F7; color-scheme: light; }}
@media screen and (prefers-color-scheme: dark) {{
  :root {{ --ink: #E8EAED; --quiet: #A3A9B2; --paper: {INKS["dark"]["paper"]}; --edge: #363B43;
    --tint: #1E2126; color-scheme: dark; }}
}}
@page {{ size: A4; margin: 13mm 15mm; }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.45 "Source Sans 3", "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }}
main {{ max-width: 800px; margin: 0 auto; padding: 28px 20px; }}
h1, h2, .takeaway {{ font-family: "Source Serif 4", Georgia, "Times New Roman", serif; }}
h1 {{ font-size: 28px; line-height: 1.2; margin: 0 0 8px; overflow-wrap: anywhere; }}
h2 {{ font-size: 18px; margin: 24px 0 6px; padding-top: 12px; border-top: 1px solid var(--edge); }}
.takeaway {{ font-size: 18px; margin: 0 0 10px; }}
.badges {{ list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 6px; }}
.badges li {{ border: 1px solid var(--edge); background: var(--tint); border-radius: 6px;
  padding: 1px 9px; font-size: 13px; }}
p {{ margin: 4px 0 8px; }}
table {{ width: 100%; border-collapse: collapse; font-size: 14px; }}
caption {{ text-align: left; color: var(--quiet); font-size: 13px; padding-bottom: 6px; }}
th, td {{ text-align: left; vertical-align: top; padding: 5px 10px 5px 0;
  border-bottom: 1px solid {GRID}; overflow-wrap: break-word; }}
tbody th, tbody td:nth-child(2) {{ overflow-wrap: anywhere; min-width: 7em; }}
.scroll {{ overflow-x: auto; }}
thead th {{ font-size: 13px; color: var(--quiet); font-weight: 600; }}
figure {{ margin: 6px 0 0; }}
svg {{ display: block; width: 100%; height: auto; overflow: visible; font-family: inherit; }}
figcaption, footer {{ color: var(--quiet); font-size: 13px; }}
figcaption {{ margin-top: 4px; }}
dl {{ display: grid; grid-template-columns: max-content 1fr; gap: 3px 16px; margin: 0; }}
dt {{ color: var(--quiet); }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
footer {{ margin-top: 20px; }}
@media (max-width: 560px) {{
  .scroll table {{ min-width: 540px; }}
  svg text {{ font-size: 21px; }}
  dl {{ grid-template-columns: 1fr; gap: 0; }}
  dd {{ margin-bottom: 6px; }}
}}
@media print {{
  body {{ font-size: 9.5pt; line-height: 1.35;
    print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
  main {{ max-width: none; padding: 0; }}
  h1 {{ font-size: 18pt; margin-bottom: 4px; }}
  h2 {{ font-size: 12pt; margin: 9px 0 3px; padding-top: 6px; break-after: avoid; }}
  .takeaway {{ font-size: 11.5pt; margin-bottom: 6px; }}
  p, dl, footer {{ margin-top: 2px; margin-bottom: 3px; }}
  table, dl {{ font-size: 9pt; }}
  th, td {{ padding-top: 2px; padding-bottom: 2px; }}
  caption, thead th, figcaption, footer, .badges li {{ font-size: 8.5pt; }}
  caption {{ padding-bottom: 2px; }}
  svg {{ max-width: 560px; }}
  .scroll {{ overflow: visible; }}
  dl {{ gap: 1px 14px; }}
  figure, tr, dl {{ break-inside: avoid; }}
  thead {{ display: table-header-group; }}
}}
"""
