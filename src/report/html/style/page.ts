/** Type, spacing, and the elements that every part of the page uses. */
export const PAGE = `
:root { --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  --serif: ui-serif, "Iowan Old Style", "Palatino Linotype", Palatino, "Source Serif 4", Charter, Georgia, "Noto Serif", serif;
  --mono: ui-monospace, "SFMono-Regular", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 var(--sans);
  font-variant-numeric: tabular-nums lining-nums; overflow-wrap: anywhere; }
main > :not(.verdict), .verdict .inner, footer { max-width: 70rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 3rem); }
main > section { margin-top: 3.5rem; }
h1, h2, h3, h4, p, ul, dl, dd, figure, fieldset, pre { margin: 0; padding: 0; }
h2 { font-size: 1.45rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.012em; margin-bottom: 1rem; text-wrap: balance; }
h4 { font-size: 0.8125rem; font-weight: 600; color: var(--quiet); margin-bottom: 0.35rem; }
ul { list-style: none; }
a { color: var(--link); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
code, pre { font-family: var(--mono); font-size: 0.875em; unicode-bidi: isolate; font-variant-ligatures: none; }
b { font-weight: 650; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
summary { cursor: pointer; }
summary::marker { color: var(--quiet); }
.intro, .none, .remark { color: var(--quiet); }
.intro { margin-bottom: 1.25rem; max-width: 44rem; }
.remark { font-size: 0.875rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; background: var(--surface); z-index: 1; }
.skip:focus { top: 1rem; }
.symbols { display: none; }
.icon { width: 1em; height: 1em; flex: none; vertical-align: -0.13em; color: var(--own, var(--quiet)); overflow: visible; }
.full { fill: currentColor; }
.cut, .line, .dashed { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.cut { stroke: var(--surface); stroke-width: 1.9; }
.dashed { stroke-dasharray: 2.6 2.4; }
.badge { color: var(--own); font-size: 0.8125rem; font-weight: 650; white-space: nowrap; }
.escape { color: var(--quiet); border-bottom: 1px dotted; }
.left-out { color: var(--quiet); font-style: italic; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; }
th { font-weight: 600; text-align: start; }
footer { margin-top: 4rem; padding-block: 1.5rem 3rem; color: var(--quiet); font-size: 0.875rem; }
footer p { border-top: 1px solid var(--rule); padding-top: 1rem; }
`;
