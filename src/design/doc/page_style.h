#pragma once

#include <string_view>

// The look of the document's page, and the few lines that let a click on an entity pick out its items.
namespace stator::design {

inline constexpr std::string_view kPageStyle = R"css(
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5d6878; --line: #dde3ea; --paper: #ffffff; --panel: #f5f7fa; --row: 96%; --rowink: 24%; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #2d3641; --paper: #12171d; --panel: #1a212a; --row: 17%; --rowink: 82%; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 32px 28px 64px; }
h1 { font-size: 27px; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 40px 0 12px; }
p { margin: 4px 0 12px; color: var(--soft); max-width: 76ch; }
code, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 13px; }
.facts { display: flex; flex-wrap: wrap; gap: 8px; margin: 14px 0 0; padding: 0; list-style: none; }
.facts li { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; font-size: 13px; }
.legend { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 16px; }
.legend button, .chip { border: 1px solid hsl(var(--hue) 45% 60%); background: hsl(var(--hue) 70% var(--row)); color: hsl(var(--hue) 60% var(--rowink)); border-radius: 999px; padding: 2px 11px; font: inherit; font-size: 13px; white-space: nowrap; }
.legend button { cursor: pointer; }
.legend button[aria-pressed="true"] { outline: 2px solid hsl(var(--hue) 60% 50%); outline-offset: 1px; }
.tabs > input { position: absolute; opacity: 0; }
.tabs > label { display: inline-block; padding: 6px 16px; border: 1px solid var(--line); border-radius: 8px 8px 0 0; border-bottom: none; margin-right: 4px; cursor: pointer; color: var(--soft); background: var(--panel); }
.tabs > input:checked + label { color: var(--ink); background: var(--paper); font-weight: 600; }
.tabs > input:focus-visible + label { outline: 2px solid #4c8bf5; }
.view { display: none; border-top: 1px solid var(--line); padding-top: 16px; }
.band { display: grid; grid-template-columns: minmax(180px, 250px) 1fr; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; margin: 0 0 14px; }
.band > header { background: var(--panel); padding: 12px 14px; border-right: 1px solid var(--line); overflow-wrap: anywhere; }
.band > header small { display: block; color: var(--soft); margin-top: 4px; }
.band .rows { min-width: 0; }
.row { display: grid; grid-template-columns: minmax(180px, 290px) 122px 1fr; gap: 12px; align-items: baseline; padding: 7px 14px 7px 12px; border-left: 5px solid hsl(var(--hue) 60% 50%); background: hsl(var(--hue) 70% var(--row)); border-bottom: 1px solid var(--paper); transition: opacity .15s; }
.row .mono { overflow-wrap: anywhere; }
.row .attributes { color: hsl(var(--hue) 40% var(--rowink)); font-size: 13px; overflow-wrap: anywhere; }
.row .attributes b { font-weight: 600; }
.row .attributes span { margin-right: 12px; display: inline-block; }
.more { padding: 6px 14px; color: var(--soft); font-size: 13px; }
.dim { opacity: .15; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; padding: 7px 12px; border-bottom: 1px solid var(--line); vertical-align: top; }
th { background: var(--panel); font-size: 13px; color: var(--soft); font-weight: 600; white-space: nowrap; }
tr:last-child td { border-bottom: none; }
td.number { text-align: right; white-space: nowrap; }
td code { overflow-wrap: anywhere; }
td.name { font-weight: 600; white-space: nowrap; }
footer { margin-top: 48px; color: var(--soft); font-size: 13px; }
@media (max-width: 800px) { .band, .row { grid-template-columns: 1fr; gap: 4px; } .band > header { border-right: none; border-bottom: 1px solid var(--line); } }
)css";

inline constexpr std::string_view kPageScript = R"js(
const buttons = [...document.querySelectorAll('.legend button')];
const rows = [...document.querySelectorAll('.row')];
for (const button of buttons) {
  button.addEventListener('click', () => {
    const on = button.getAttribute('aria-pressed') !== 'true';
    for (const other of buttons) other.setAttribute('aria-pressed', String(on && other === button));
    for (const row of rows) row.classList.toggle('dim', on && row.dataset.entity !== button.dataset.entity);
  });
}
)js";

}  // namespace stator::design
