/** How the page of the matrix looks: in light and dark, on a phone, on paper. */
export const matrixStyle = {
  markup: `
:root { color-scheme: light dark; --ink: light-dark(#1c1e21, #e6e6e3); --dim: light-dark(#5c6066, #a3a6aa);
  --line: light-dark(#dcdedf, #3a3d41); --paper: light-dark(#fff, #16181b); --good: light-dark(#0b6b3a, #5fd08f);
  --bad: light-dark(#b3261e, #ff8a80); --other: light-dark(#7d5200, #f0bd5c); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: .2rem 0 .6rem; font-size: clamp(1.4rem, 4vw, 2.2rem); line-height: 1.2; }
h2 { margin: 2.5rem 0 .5rem; } p, li { max-width: 46rem; overflow-wrap: anywhere; }
.kind, .legend, small { color: var(--dim); } .kind { margin: 0; }
nav a { margin-right: 1rem; display: inline-block; } a { color: inherit; }
.pass, .conforms { color: var(--good); } .fail, .does-not-conform { color: var(--bad); font-weight: 600; }
.warn, .inconclusive, .waived { color: var(--other); } .untested, .absent { color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { vertical-align: bottom; color: var(--dim); font-weight: normal; overflow-wrap: break-word; }
tbody th { font-weight: normal; min-width: 11rem; max-width: 28rem;
  position: sticky; left: 0; background: var(--paper); }
tbody.group th[colspan] { position: static; padding-top: 1.2rem; font-weight: 600; }
th small { display: block; font-size: .75rem; } td.answer { overflow-wrap: anywhere; min-width: 9rem; } tbody:not(.group) td { white-space: nowrap; } tbody td.answer { white-space: normal; }
code { font: .85em ui-monospace, monospace; overflow-wrap: break-word; }
dl { margin: .3rem 0 1rem; } dt { color: var(--dim); font-size: .875rem; } dd { margin: 0 0 .3rem; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
@media (max-width: 30rem) { tbody th { min-width: 8.5rem; max-width: 9.5rem; } th small { display: none; } }
@media print { body { max-width: none; padding: 0; } .scroll { overflow: visible; } nav { display: none; } }
`,
};
