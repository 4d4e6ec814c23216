/** The frame of the site's pages. */

import { type Html, h, Html as Markup } from '../../conformance/engine/report/html/parts.js';
import { style as reportStyle } from '../../conformance/engine/report/html/style.js';

export interface Link {
  readonly href: string;
  readonly title: string;
  readonly isHere?: boolean;
}

export interface Shell {
  readonly title: string;
  /** The kind of page, shown above the title. */
  readonly kind: string;
  readonly lede?: Html | undefined;
  readonly nav: readonly Link[];
  readonly content: Html;
  /** The path from the page to the root of the site, `./` or `../`; undefined for a stand-alone page. */
  readonly root?: string;
}

/** The style of the report, with additions for these pages. */
const style = `${reportStyle}
.verdict h1 { font-size: 2.2rem; }
.prose > h1:first-child { display: none; }
.prose { max-width: 52rem; }
.prose h1, .prose h2 { margin: 2.5rem 0 0.75rem; } .prose h3 { margin-top: 2rem; }
.prose img { max-width: 100%; border: 1px solid var(--line); border-radius: 4px; }
.prose pre { max-height: none; } pre code { font-size: 1em; }
@media (min-width: 75rem) { nav ul { max-height: calc(100vh - 2.5rem); overflow-y: auto; } }
.prose .scroll, .scroll table { overflow-wrap: normal; }
.prose table { font-size: 0.87rem; }
nav li li { padding-left: 0.9rem; }
nav ul ul { border: 0; padding: 0.15rem 0; display: block; font-size: 0.95em; }
.operation { margin-bottom: 3.5rem; }
.operation > h2 { margin-bottom: 0.35rem; }
.call { margin: 0 0 0.75rem; overflow-wrap: anywhere; } .call b { margin-right: 0.4rem; }
.rules-of { margin: 0; padding: 0; list-style: none; }
.rules-of > li { padding: 0.45rem 0; border-top: 1px solid var(--line); }
.rules-of .rests { margin: 0.3rem 0 0; }
.rules-of .level { display: inline-block; min-width: 4rem; }
.fields td:first-child { white-space: nowrap; } .fields .name { font-family: var(--mono); font-size: 0.9em; }
.fields p { margin: 0.15rem 0; } .fields td { min-width: 7rem; }
.gap { font-size: 0.87rem; } .gap::before { content: "? "; color: var(--warn); font-weight: 700; }
li:target { scroll-margin-top: 1rem; background: color-mix(in srgb, var(--link) 12%, var(--paper)); }
.search { position: relative; max-width: 80rem; margin: 0 auto; padding: 1rem 2rem 0; display: flex; flex-wrap: wrap; gap: 0.35rem 0.75rem; align-items: center; font-size: 0.87rem; }
.search label { font-weight: 620; } .search input { flex: 0 1 26rem; }
.found-pages { position: absolute; top: 100%; left: 2rem; right: 2rem; z-index: 3; max-width: 46rem; max-height: 70vh; overflow: auto; margin: 0.35rem 0 0; padding: 0; list-style: none; background: var(--paper); border: 1px solid var(--line); border-radius: 4px; }
.found-pages a { display: block; padding: 0.5rem 0.8rem; color: inherit; text-decoration: none; border-bottom: 1px solid var(--line); }
.found-pages a:hover, .found-pages a:focus { background: var(--fill); }
.found-pages b { font-weight: 620; } .found-pages span { color: var(--soft); }
@media (max-width: 40rem) { .search { padding: 1rem 1rem 0; } .found-pages { left: 1rem; right: 1rem; } .fields td { min-width: 5rem; } }
@media print { .search { display: none; } }
`;

/** The frame of a page: of the site, or stand-alone and without scripts. */
export function shell({ title, kind, lede, nav, content, root }: Shell): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
  const item = ({ href, title: name, isHere }: Link) =>
    h`<li><a href="${href}"${isHere && h` aria-current="page"`}>${name}</a></li>`;
  return h`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${root === undefined && h`<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">`}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
${root !== undefined && h`<div class="search" role="search" data-root="${root}" hidden><label for="search">Search</label> <input type="search" id="search" autocomplete="off" spellcheck="false" aria-describedby="search-help"><span class="soft" id="search-help"><kbd>/</kbd> search</span> <span class="unseen" role="status" id="found-status"></span><ol class="found-pages" id="found" hidden></ol></div>`}
<header class="verdict"><p class="kind">${kind}</p>
<h1>${title}</h1>
${lede && h`<div class="lede">${lede}</div>`}</header>
<div class="frame">
<nav aria-label="Contents"><ul>${nav.map(item)}</ul></nav>
<main id="main" tabindex="-1">
${content}
</main>
</div>
${root !== undefined && h`<script src="${root}search.js" defer></script>`}
</body>
</html>
`.text;
}
