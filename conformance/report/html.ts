import { createHash } from 'node:crypto';
import type { Report, ReportedExchange } from '../vocabulary.js';
import type { Comparison } from './compare.js';
import { digest, headline, subject } from './digest.js';
import { stateGraph } from './html/graph.js';
import { matrix } from './html/matrix.js';
import { section } from './html/parts.js';
import { script } from './html/script.js';
import { callers, comparisonTable, exchangeBrowser, gapTable, leftBehind, violations } from './html/sections.js';
import { style } from './html/style.js';
import { coverage, verdict } from './html/summary.js';
import { Html, h } from './html/tag.js';
import { timeline } from './html/timeline.js';

export interface HtmlOptions {
  readonly strict?: boolean;
  readonly comparison?: Comparison;
}

/**
 * The report as one page that needs no network. Its policy lets run only the script that is written here, by its hash:
 * whatever a target sends, nothing of it runs.
 */
export function html(report: Report, options: HtmlOptions = {}): string {
  const { failures, warnings, known } = digest(report, options);
  const policy = `default-src 'none'; img-src data:; style-src '${hash(style)}'; script-src '${hash(script)}'; base-uri 'none'; form-action 'none'`;
  const sections: (readonly [id: string, title: string, content: Html | undefined, count?: number])[] = [
    ['summary', 'What was judged', coverage(report, options)],
    ['changes', 'Since the earlier report', options.comparison && comparisonTable(options.comparison)],
    ['violations', 'Violations', violations(report, options), failures.length + warnings.length + known.length],
    ['callers', 'Callers', callers(report), digest(report).callers.length],
    ['states', 'States as observed', stateGraph(report)],
    ['matrix', 'Rules and operations', matrix(report), report.rules.length],
    ['gaps', 'Where the contract is silent', gapTable(report)],
    ['timeline', 'Timeline', timeline(report)],
    ['left-behind', 'Left behind', leftBehind(report), report.leftBehind.length],
    ['exchanges', 'Exchanges', exchangeBrowser(report), report.exchanges.length],
  ];
  const shown = sections.flatMap(([id, title, content, count]) => (content ? [{ id, title, content, count }] : []));
  return h`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${headline(report, options).title} · ${subject(report)}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${verdict(report, options)}
<div class="frame">
<nav aria-label="Sections"><ul>${shown.map(
    ({ id, title, count }) =>
      h`<li><a href="#${id}">${title}${count !== undefined && h` <span class="times">${count.toLocaleString('en')}</span>`}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">
${shown.map(({ id, title, content }) => section(id, title, content))}</main>
</div>
<script type="application/json" id="data">${data(report.exchanges)}</script>
<script>${new Html(script)}</script>
</body>
</html>
`.text;
}

const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Within a script element only `<` can do harm; the separators are for old readers of JSON. */
const data = (exchanges: readonly ReportedExchange[]): Html =>
  new Html(
    JSON.stringify(exchanges).replaceAll(
      /[<\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
