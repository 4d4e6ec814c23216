/**
 * The report as one page that needs no network, in pieces. Its content security policy allows only its own script, by
 * hash, so nothing that a target sends is executed.
 */
import { createHash } from 'node:crypto';
import type { Report } from '../vocabulary/report.js';
import { digest, headline, subject, thousands } from './digest.js';
import { fold, Html, h, section } from './html/parts.js';
import { script } from './html/script.js';
import {
  callers,
  changesTable,
  coverage,
  evidenceOf,
  exchangeBrowser,
  gapTable,
  leftBehind,
  rows,
  ruleTable,
  runFacts,
  states,
  verdict,
  violations,
} from './html/sections.js';
import { style } from './html/style.js';
import { wholeCharacters } from './text.js';

export interface HtmlOptions {
  readonly strict?: boolean;
}

export function* html(report: Report, options: HtmlOptions = {}): Generator<string> {
  const { failures, warnings, known } = digest(report, options);
  const policy = `default-src 'none'; img-src data:; style-src '${hash(style)}'; script-src '${hash(script)}'; base-uri 'none'; form-action 'none'`;
  const evidence = evidenceOf(report);
  const sections: (readonly [id: string, title: string, content: Html | undefined, count?: number | undefined])[] = [
    ['violations', 'Broken', violations(report, options), failures.length],
    ['warnings', 'Warnings (SHOULD)', rows(warnings, report), warnings.length],
    ['known', 'Known failures, from the baseline', rows(known, report), known.length],
    ['summary', 'What was judged', coverage(report, options)],
    ['changes', 'Since the earlier report', report.changes && changesTable(report.changes)],
  ];
  const folds: typeof sections = [
    ['callers', 'Callers', callers(report), digest(report).callers.length],
    ['rules', 'Rules', ruleTable(report), report.rules.length],
    ['states', 'State transitions', states(report), report.transitions.length],
    ['gaps', 'Where the contract is silent', gapTable(report), report.gaps.length],
    ['left-behind', 'Left behind', leftBehind(report), report.leftBehind.length],
    ['run', report.recording ? 'Requests of the recording' : 'Requests of the run', runFacts(report), report.requests],
    ['exchanges', 'Exchanges', exchangeBrowser(report, evidence), evidence.exchanges.length],
  ];
  const present = (all: typeof sections) =>
    all.flatMap(([id, title, content, count]) => (content ? [{ id, title, content, count }] : []));
  const shown = [...present(sections), ...present(folds)];
  yield h`<!doctype html>
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
      h`<li><a href="#${id}">${title}${count !== undefined && h` <span class="times">${thousands(count)}</span>`}</a></li>`,
  )}</ul></nav>
<main id="main" tabindex="-1">
<div class="find" role="search"><label for="search">Find</label> <input type="search" id="search" placeholder="rule, operation, verdict, scenario, path" autocomplete="off" spellcheck="false" aria-describedby="find-help">
<span id="find-help" class="soft"><kbd>/</kbd> find, <kbd>Enter</kbd> open</span> <span class="soft" role="status" id="status"></span></div>
`.text;
  for (const { id, title, content } of present(sections)) yield section(id, title, content).text;
  for (const { id, title, count, content } of present(folds)) yield fold(id, title, count, content).text;
  yield '</main>\n</div>\n<script type="application/json" id="data">[';
  for (const [place, exchange] of evidence.exchanges.entries()) yield `${place > 0 ? ',' : ''}${data(exchange)}`;
  yield h`]</script>
<script type="application/json" id="evidence">${new Html(data(evidence.rules))}</script>
<script>${new Html(script)}</script>
</body>
</html>
`.text;
}

const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** In a script element only `<` is dangerous; the separators are escaped for old JSON parsers. */
const data = (value: unknown): string =>
  wholeCharacters(JSON.stringify(value)).replaceAll(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
