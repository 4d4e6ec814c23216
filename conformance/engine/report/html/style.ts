/** The style of the page. Colour is never the only sign: a symbol, a word or the form of a line says the same. */
export const style = `
:root {
  --paper: #fff; --fill: #f6f7f8; --line: #dde1e6; --ink: #16191d; --soft: #59616b;
  --bad: #b42318; --warn: #8a5200; --good: #17693b; --link: #1a56b0;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121417; --fill: #1a1d21; --line: #31363d; --ink: #e6e9ed; --soft: #9ba4af;
    --bad: #ff8f84; --warn: #f2b661; --good: #74d09c; --link: #8fb8f6;
  }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 var(--sans); overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: 2px; }
code, pre, .url { font-family: var(--mono); font-size: 0.87em; }
code, .url, .call, dd { overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--paper); z-index: 2; }
.soft, .times, cite { color: var(--soft); }
.times { font-weight: 400; white-space: nowrap; font-size: 0.87rem; font-variant-numeric: tabular-nums; }
cite { font-style: normal; font-size: 0.87rem; white-space: nowrap; }
cite::before { content: "— "; }

.verdict { max-width: 80rem; margin: 0 auto; padding: 2.5rem 2rem 1.75rem; }
.verdict .kind { margin: 0 0 0.25rem; color: var(--soft); font-size: 0.87rem; }
h1 { margin: 0; font-size: 2.6rem; line-height: 1.15; font-weight: 650; letter-spacing: -0.02em; }
.conformant h1 { color: var(--good); }
.nonconformant h1, .unusable h1 { color: var(--bad); }
.incomplete h1 { color: var(--warn); }
.mark { font-weight: 400; }
.lede { margin: 0.5rem 0 0.75rem; font-size: 1.15rem; max-width: 46rem; overflow-wrap: anywhere; }
.figures dt { color: var(--soft); font-size: 0.8rem; }

.frame { max-width: 80rem; margin: 0 auto; padding: 0 2rem 4rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.35rem 1.25rem; margin: 0; padding: 0.75rem 0; list-style: none; border-top: 1px solid var(--line); }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
main > section { padding-top: 1.25rem; margin-bottom: 2.75rem; border-top: 1px solid var(--line); }
h2 { margin: 0 0 1rem; font-size: 1.35rem; font-weight: 620; letter-spacing: -0.01em; }
h3 { margin: 1.75rem 0 0.5rem; font-size: 1rem; font-weight: 620; }
.label { margin: 1rem 0 0.35rem; font-size: 0.87rem; font-weight: 620; }
summary { cursor: pointer; }
@media (min-width: 75rem) {
  .frame { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); gap: 1.25rem 2.5rem; }
  .frame::before { content: ""; grid-column: 1 / -1; border-top: 1px solid var(--line); }
  nav ul { position: sticky; top: 1.25rem; flex-direction: column; border: 0; padding: 0; font-size: 0.9rem; }
  nav a { display: flex; justify-content: space-between; gap: 0.5rem; }
  main > section:first-child { border-top: 0; padding-top: 0; }
}

.figures { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0 0 0.75rem; }
.figures div { display: flex; flex-direction: column-reverse; }
.figures dd { margin: 0; font-size: 1.75rem; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; }
.figures .bad dd { color: var(--bad); } .figures .warn dd { color: var(--warn); } .figures .good dd { color: var(--good); }
.figures .zero dd { color: var(--soft); font-weight: 400; }
.reasons { padding: 0; list-style: none; }
.reasons li { border-top: 1px solid var(--line); }
.reasons summary { padding: 0.45rem 0; }
.reasons .kind { display: inline-block; min-width: 10rem; color: var(--soft); }
.reasons p { margin: 0 0 0.75rem 1.1rem; }

.find { display: flex; flex-wrap: wrap; gap: 0.35rem 0.75rem; align-items: center; padding: 0 0 1.25rem; font-size: 0.87rem; }
.find label { font-weight: 620; }
.find input { flex: 1 1 14rem; max-width: 30rem; }
kbd { font: inherit; font-family: var(--mono); font-size: 0.85em; padding: 0 0.3em; border: 1px solid var(--line); border-radius: 3px; }
[hidden] { display: none !important; }
.fold { margin-bottom: 0; padding: 0; }
main > .fold { padding-top: 0; margin-bottom: 0; }
.fold > details > summary { padding: 0.8rem 0; display: flex; align-items: baseline; gap: 0.6rem; list-style: none; }
.fold > details > summary::-webkit-details-marker { display: none; }
.fold > details > summary::before, .violation > summary .name::before { content: "\\25B8"; color: var(--soft); margin-right: 0.5rem; }
.fold > details[open] > summary::before, .violation[open] > summary .name::before { content: "\\25BE"; }
.fold > details > summary > h2 { margin: 0; font-size: 1.1rem; }
.fold .inside { padding-bottom: 2rem; }
.missing > summary { padding: 0.45rem 0; font-weight: 620; }
.missing > summary .times { font-weight: 400; }
.sequence { margin: 0 0 0.8rem; padding: 0 0 0 0.5rem; list-style: none; font-size: 0.87rem; }
.sequence li { position: relative; padding: 0.3rem 0 0.3rem 1.1rem; border-left: 2px solid var(--line); }
.sequence .step { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr) minmax(9rem, max-content); gap: 0 0.9rem; }
.sequence .step::before { content: ""; position: absolute; left: -0.36rem; top: 0.75rem; width: 0.6rem; height: 0.6rem; border-radius: 50%; background: var(--soft); }
.sequence .wait { border-left-style: dotted; color: var(--soft); font-style: italic; }
.sequence .at { color: var(--soft); font-variant-numeric: tabular-nums; }
.sequence .sent { font-family: var(--mono); fill: none; overflow-wrap: anywhere; }
.sequence .status { padding: 0 0.4rem; border: 1px solid var(--soft); border-radius: 0.8rem; }
.part { margin-top: 2rem; color: var(--soft); }
.cause { margin-bottom: 1.5rem; }
.cause > .violation { margin-left: 1rem; }
.violation { margin: 0; border-top: 1px solid var(--line); }
.violation > summary { display: grid; grid-template-columns: max-content minmax(0, 1fr) max-content; gap: 0 1rem; padding: 0.55rem 0.25rem; list-style: none; align-items: baseline; }
section > .violation:last-child, .cause > .violation:last-child { border-bottom: 1px solid var(--line); }
.violation > summary::-webkit-details-marker { display: none; }
.violation > summary:hover { background: var(--fill); }
.violation .gist { color: var(--soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.violation[open] .gist { visibility: hidden; }
.violation > .inside { margin: 0.4rem 0 1.5rem 0.35rem; padding-left: 1.1rem; border-left: 3px solid var(--bad); }
.violation.should > .inside { border-left: 3px double var(--warn); }
.violation .says { margin: 0.25rem 0 0.75rem; }
.rests { margin: -0.4rem 0 0.75rem; padding: 0; list-style: none; color: var(--soft); font-size: 0.87rem; }
.standing { display: inline-block; min-width: 3.6rem; padding: 0 0.3rem; border: 1px solid currentColor; border-radius: 3px; font-size: 0.86em; text-align: center; }
.standing.implied { border-style: dashed; } .standing.open { border-style: dotted; }
.level { font-size: 0.72rem; font-weight: 650; letter-spacing: 0.04em; color: var(--soft); }
.violation .level { padding: 0.1rem 0.4rem; border: 1px solid currentColor; border-radius: 3px; vertical-align: 1px; }
.violation .level.must { color: var(--bad); } .violation .level.should { color: var(--warn); border-style: dashed; }
.found { margin: 0.75rem 0 1.25rem; }
.found dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.15rem 1rem; margin: 0 0 0.6rem; }
.found dt { color: var(--soft); } .found dd { margin: 0; }
.found dt:nth-of-type(2) + dd { font-weight: 600; }
.found dt:nth-of-type(2) + dd .times { font-weight: 400; }

.exchange { border-bottom: 1px solid var(--line); }
.found .exchange { border: 1px solid var(--line); border-radius: 4px; margin: 0 0 0.4rem; }
.exchange > summary { display: grid; grid-template-columns: 6ch minmax(0, 1fr) max-content; gap: 0 0.9rem; padding: 0.4rem 0.75rem; font-size: 0.87rem; list-style: none; }
.exchange > summary::-webkit-details-marker { display: none; }
.exchange > summary:hover { background: var(--fill); }
.exchange .number::before { content: "\\25B8\\2002"; }
.exchange[open] .number::before { content: "\\25BE\\2002"; }
.exchange .number { color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.exchange .call { font-family: var(--mono); font-size: 0.93em; }
.exchange .step { grid-column: 2 / -1; color: var(--soft); font-size: 0.93em; overflow-wrap: anywhere; }
.exchange .answer { max-width: 20rem; font-variant-numeric: tabular-nums; text-align: right; overflow-wrap: anywhere; }
.exchange .answer.none { color: var(--bad); }
.exchange.told > summary .answer::before { content: "✕\\2002"; color: var(--bad); }
.exchange .content { padding: 0.25rem 0.75rem 0.9rem; }
.exchange .when { margin: 0.5rem 0 0; color: var(--soft); font-size: 0.87rem; overflow-wrap: anywhere; }
.warning { color: var(--warn); }
pre { margin: 0; padding: 0.65rem 0.8rem; background: var(--fill); border-radius: 4px; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
pre .head { color: var(--soft); }
/* The line stands below it already. */
.exchange:has(+ .copyable) .again { display: none; }
.copyable { position: relative; }
.copyable pre { padding-right: 5rem; max-height: 16rem; }
.curl code { font-size: 1em; }
button { font: inherit; font-size: 0.87rem; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 4px; padding: 0.2rem 0.7rem; cursor: pointer; }
button:hover:enabled { border-color: var(--soft); }
button:disabled { color: var(--soft); cursor: default; }
.copy { position: absolute; top: 0.4rem; right: 0.4rem; }

.scroll { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { padding: 0.4rem 0.75rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { font-weight: 500; color: var(--soft); vertical-align: bottom; font-size: 0.83rem; }
tbody th { font-weight: 400; }
.count { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.forbidden td { color: var(--bad); font-weight: 600; }

.rules .level { display: inline-block; }
.rules { font-size: 0.87rem; }
.rules th[scope="row"] { min-width: 13rem; }
.rules details p { margin: 0.35rem 0 0.35rem 1.1rem; color: var(--ink); font-size: 0.87rem; }
.word { white-space: nowrap; min-width: 6rem; }
.word.passed { color: var(--good); }
.word.violated { color: var(--bad); font-weight: 600; }
.word.violated.should { color: var(--warn); }
.word.inconclusive { color: var(--warn); font-weight: 600; }
.word.untested, .word.not-applicable { color: var(--soft); }

.gaps th { width: 55%; } .gaps .id { display: block; color: var(--soft); }
.values { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
.changes div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 0.5rem; padding: 0.35rem 0; border-top: 1px solid var(--line); }
.changes dd { margin: 0; }

input[type="search"] { height: 2.1rem; font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 4px; padding: 0.3rem 0.5rem; }
input[type="search"] { width: min(20rem, 80vw); }
input { accent-color: var(--link); }
.exchanges { margin: 0; padding: 0; list-style: none; }
.exchanges li { content-visibility: auto; contain-intrinsic-size: auto 56px; }
.pager { display: flex; gap: 1rem; align-items: center; margin-top: 0.9rem; font-size: 0.9rem; font-variant-numeric: tabular-nums; }

@media (max-width: 40rem) {
  /* What broke is on the first screen. */
  .frame, main { display: flex; flex-direction: column; }
  nav, .find { order: 1; }
  .violation > summary { grid-template-columns: minmax(0, 1fr) max-content; }
  .violation .gist { grid-column: 1 / -1; grid-row: 2; white-space: normal; }
  .violation[open] .gist { display: none; }
  .found dl { grid-template-columns: minmax(0, 1fr); } .found dd { margin-bottom: 0.35rem; }
  .sequence .step { grid-template-columns: minmax(0, 1fr); }
  #find-help { display: none; }
  .verdict { padding: 1.5rem 1rem 1.25rem; }
  .frame { padding: 0 1rem 3rem; }
  h1 { font-size: 2rem; }
  .lede { font-size: 1.05rem; }
  .exchange > summary { grid-template-columns: 6ch minmax(0, 1fr); padding: 0.5rem 0; }
  .found .exchange > summary { padding: 0.5rem; }
  .exchange .step, .exchange .answer { grid-column: 2; text-align: left; }
  .changes div { grid-template-columns: 1fr; gap: 0; }
  .reasons .kind { display: inline; }
  .reasons .kind::after { content: "\\A"; white-space: pre; }
  .gaps th, .gaps td { display: block; width: auto; }
  .gaps th { border-bottom: 0; padding-bottom: 0; }
  .gaps thead { display: none; }
  .violation > .inside { padding-left: 0.75rem; }
}
`;
