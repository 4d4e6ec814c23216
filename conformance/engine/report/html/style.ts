/** The style of the pages. Colour is never the only sign: a symbol, a word or the form of a line says the same. */
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
html { color-scheme: light dark; -webkit-text-size-adjust: 100%; }
body { max-width: 80rem; margin: 0 auto; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 15px/1.55 var(--sans); overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 2px; }
code, pre, .url, .call { font-family: var(--mono); font-size: 0.93em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.soft, .kind, cite { color: var(--soft); font-size: 0.87rem; font-weight: 400; }
cite { font-style: normal; }
cite::before { content: "— "; }
h1 { margin: 0; font-size: 2.2rem; line-height: 1.15; letter-spacing: -0.02em; }
h2 { display: inline; font-size: 1.2rem; }
h3 { margin: 1rem 0 0.35rem; font-size: 1rem; }
.conformant h1, .passed { color: var(--good); }
.nonconformant h1, .unusable h1, .violated, .must { color: var(--bad); }
.incomplete h1, .inconclusive, .should, .warning { color: var(--warn); }
.lede { font-size: 1.1rem; max-width: 50rem; }

details { border-top: 1px solid var(--line); }
summary { padding: 0.45rem 0; cursor: pointer; }
summary:hover { background: var(--fill); }
.inside { padding: 0.25rem 0 0.75rem; scroll-margin-top: 4rem; }
.rule > .inside, .cause { padding-left: 1rem; }
.rule[open] > summary > .gist { display: none; }
.gist { display: block; padding-left: 1rem; color: var(--soft); font-size: 0.87rem; }
.rests { padding: 0; list-style: none; color: var(--soft); font-size: 0.87rem; }
.level, .standing { padding: 0 0.3rem; border: 1px solid currentColor; border-radius: 3px; font-size: 0.75rem; }
.should, .standing.implied { border-style: dashed; } .standing.open { border-style: dotted; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.15rem 1rem; margin: 0.75rem 0; }
dt { color: var(--soft); } dd { margin: 0; }
.exchange > summary { font-size: 0.87rem; }
.exchange .inside { padding-left: 1rem; }
.state { padding: 0 0.4rem; border: 1px solid var(--soft); border-radius: 0.8rem; }
pre { margin: 0; padding: 0.65rem 0.8rem; background: var(--fill); border-radius: 4px; white-space: pre-wrap; max-height: 24rem; overflow: auto; }
/* A click selects all of it. */
.command { user-select: all; }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { min-width: 5rem; padding: 0.4rem 0.75rem 0.4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--soft); }
td details, th details { border: 0; }
`;
