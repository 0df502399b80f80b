/** How the page of the proof looks: in light and dark, on a phone, on paper. */
export const pageStyle = {
  markup: `
:root { color-scheme: light dark; --ink: light-dark(#1c1e21, #e6e6e3); --dim: light-dark(#5c6066, #a3a6aa);
  --line: light-dark(#dcdedf, #3a3d41); --paper: light-dark(#fff, #16181b); --good: light-dark(#0b6b3a, #5fd08f);
  --bad: light-dark(#b3261e, #ff8a80); --other: light-dark(#8a5a00, #f0bd5c); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 90rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: .2rem 0 .6rem; font-size: clamp(1.4rem, 4vw, 2.2rem); line-height: 1.2; }
h2 { margin: 2.5rem 0 .5rem; } h3 { display: inline; font-size: 1rem; }
p { max-width: 46rem; } .kind, small, .legend { color: var(--dim); } .kind { margin: 0; }
nav a { margin-right: 1rem; } a { color: inherit; }
.good { color: var(--good); } .bad { color: var(--bad); }
.named { color: var(--good); } .other { color: var(--other); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top;
  font-variant-numeric: tabular-nums; }
th[scope=row], th:first-child { text-align: left; font-weight: normal; }
thead th { vertical-align: bottom; color: var(--dim); font-weight: normal; }
.statement { min-width: 18rem; text-align: left; } td.statement { color: var(--dim); }
.scroll > table:not(.matrix) code { white-space: nowrap; }
.matrix th[scope=row] { min-width: 16rem; max-width: 30rem; }
.matrix small { display: block; font-size: .75rem; } .matrix td { text-align: center; }
.turned code { writing-mode: sideways-lr; white-space: nowrap; }
tr.bad th { color: var(--bad); }
details { border-bottom: 1px solid var(--line); padding: .5rem 0; } summary { cursor: pointer; }
code { font: .85em ui-monospace, monospace; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
@media print { body { max-width: none; padding: 0; } .scroll { overflow: visible; } nav { display: none; } }
`,
};
