/**
 * The report as one page that needs no network and has no script: parts open by `<details>`, browsers open those that a
 * link or a search finds. Its content security policy forbids scripts, so nothing that a target sends is executed.
 */

import { createHash } from 'node:crypto';
import { byKey } from '../rule/values.js';
import { expectation } from '../rule/violations.js';
import type { Report, ReportedExchange, Verdict, Violation } from '../vocabulary/report.js';
import type { Body } from '../vocabulary.js';
import {
  type AnyVerdict,
  duration,
  groundsOf,
  headline,
  outcome,
  pathOf,
  plural,
  repeating,
  runSummary,
  type Statement,
  shownBy,
  standings,
  statement,
  stepName,
  subject,
  thousands,
  violationCount,
  violationScope,
} from './digest.js';
import { type Section, sections, sizeOf } from './sections.js';
import { markup, shorten } from './text.js';

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

// A template for HTML that escapes its values.

/** Markup that needs no escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | false | undefined | readonly Html[];

/** An HTML template. Escapes every value that is not Html; `false` and `undefined` become nothing. */
export const h = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((text, part, index) => text + write(values[index - 1]) + part));

function write(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(({ text }) => text).join('') : markup(String(value));
}

export const join = (items: readonly Html[], separator: string): Html =>
  new Html(items.map(({ text }) => text).join(markup(separator)));

const longestText = 1_000;
const longestBody = 10_000;
/** In characters of markup. What violations rest on comes first, then what other verdicts rest on. */
const mostInExchanges = 1_200_000;
/** Violations of a rule that are shown with their exchanges; those of others are linked. */
const shownWays = 3;
const mostLinks = 8;

const marks = { conformant: '✓', nonconformant: '✕', incomplete: '…', unusable: '✕' } as const;

export function* html(report: Report, options: { strict?: boolean } = {}): Generator<string> {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const { title, sentence } = headline(report, options);
  yield h`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${subject(report)}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<header class="verdict ${report.verdict}"><p class="kind">Workflow execution contract · conformance report</p>
<h1><span aria-hidden="true">${marks[report.verdict]}</span> ${title}</h1>
<p class="lede">${sentence} ${report.verdict === 'unusable' ? report.reason : groundsOf(report)}</p>
<p class="kind"><span class="url">${subject(report)}</span> · <time datetime="${report.startedAt}">${report.startedAt.replace('T', ' ').replace(/\.\d+Z$|Z$/, ' UTC')}</time> · ${runSummary(report).join(' · ')}</p></header>
<main>
`.text;
  for (const section of sections(report, options)) {
    const isOpen = ['broken', 'warnings', 'callers'].includes(section.id);
    yield part(section.id, section.title, sizeOf(section), content(section, report), isOpen).text;
  }
  const rules = [...report.rules, ...report.callers];
  yield part('rules', 'Rules', rules.length, ruleTable(rules)).text;
  yield* exchangeList(report);
  yield '</main>\n</body>\n</html>\n';
}

/** A part that opens. Its content has the id: browsers open what is around the target of a link. */
const part = (id: string, title: string, count: number, inside: Html, isOpen = false): Html =>
  h`<details class="part"${isOpen && h` open`}><summary><h2>${title}</h2> <span class="soft">${thousands(count)}</span></summary>
<div class="inside" id="${id}">${inside}</div></details>
`;

function content(section: Section, report: Report): Html {
  if ('notes' in section) return h`<ul>${section.notes.map((note) => h`<li>${shorten(note, longestText)}</li>`)}</ul>`;
  if ('rows' in section) return table(section.title, section.head, section.rows);
  if ('reasons' in section)
    return h`<ul>${section.reasons.map(
      ({ why, rules }) =>
        h`<li>${shorten(why || 'No reason given.', longestText)} <span class="soft">${plural(rules.length, 'rule')}:</span> ${ruleLinks(rules)}</li>`,
    )}</ul>`;
  return h`${section.groups.map(({ title, rules }) =>
    title === ''
      ? h`${rules.map((rule) => broken(rule, report))}`
      : h`<h3>${title}</h3><div class="cause">${rules.map((rule) => broken(rule, report))}</div>`,
  )}`;
}

/** A table that scrolls sideways, also by keyboard. */
const table = (title: string, head: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html =>
  h`<div class="scroll" role="region" aria-label="${title}: scrolls sideways" tabindex="0"><table><thead><tr>${head.map(
    (cell) => h`<th scope="col">${cell}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([first = '', ...others]) =>
      h`<tr><th scope="row">${first}</th>${others.map((cell) => h`<td>${typeof cell === 'string' ? shorten(cell, longestText) : cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;

const ruleLinks = (rules: readonly AnyVerdict[]): Html =>
  join(
    rules.map(({ id }) => h`<a href="#row-${id}"><code>${id}</code></a>`),
    ', ',
  );

const exchangeLinks = (ids: readonly number[]): Html =>
  h`${join(
    ids.slice(0, mostLinks).map((id) => h`<a href="#exchange-${id}">#${id}</a>`),
    ', ',
  )}${ids.length > mostLinks && ', …'}`;

const level = ({ level: name }: AnyVerdict): Html => h`<span class="level ${name.toLowerCase()}">${name}</span>`;

/** A violated rule: its text, and each of its violations. */
function broken(rule: AnyVerdict, report: Report): Html {
  const says = statement(rule.id);
  const [first] = rule.violations;
  return h`<details class="rule"><summary>${level(rule)} <code>${rule.id}</code> <span class="soft">${plural(violationCount(rule), 'time')}</span>
<span class="gist">${shorten(first ? expectation(first) : rule.why, 160)}</span></summary>
<div class="inside" id="rule-${rule.id}">${says && saying(says)}${rule.violations.map((one, at) => way(one, rule, report, at < shownWays))}</div></details>
`;
}

/** The text of a rule, and the statements that it rests on: stated, implied or open. */
const saying = (rule: Statement): Html =>
  h`<p>${rule.says} <cite>${rule.source}</cite></p><ul class="rests" aria-label="Rests on">${standings(rule).map(
    ({ id, standing, says }) =>
      h`<li><span class="standing ${standing}">${standing}</span> ${says} <code>${id}</code></li>`,
  )}</ul>`;

function way(one: Violation, rule: AnyVerdict, report: Report, isShown: boolean): Html {
  const { expected, actual, exchanges, others } = one;
  const scope = violationScope(one, rule);
  const command = repeating(one, report);
  const shown = isShown ? shownBy(one, report).toSorted((a, b) => a.at - b.at || a.id - b.id) : [];
  return h`<dl><dt>Expected</dt><dd>${shorten(expected, longestText)}</dd>
<dt>Actual</dt><dd><b>${shorten(actual, longestText)}</b>${scope && h` <span class="soft">(${scope})</span>`}</dd>
<dt>Exchanges</dt><dd>${exchangeLinks(exchanges)}${others.length > 0 && h`; also in ${exchangeLinks(others)}`}</dd>
${command && h`<dt>Repeat</dt><dd><code class="command">${command}</code></dd>`}</dl>
${shown.map((each) => exchange(each, report, shown[0]?.at ?? 0))}`;
}

/** An exchange that opens, with the time since `since`. */
function exchange(one: ReportedExchange, report: Report, since: number, more?: Html): Html {
  const { id, operation, at, request, response, failure } = one;
  const status = stateOf(response?.body);
  return h`<details class="exchange"><summary><span>#${id}</span> <span class="soft">${duration(Math.max(0, at - since))}</span>
<span class="call"><b>${request.method}</b> ${shorten(pathOf(one, report), longestText)}${stepName(one) && h` <span class="soft">${shorten(stepName(one), longestText)}</span>`}</span>
<span class="answer">${status && h`<span class="state">${status}</span> `}${shorten(outcome(one), longestText)}</span></summary>
<div class="inside"${more && h` id="exchange-${id}"`}>${more}<p class="soft">${operation ?? 'no operation of the contract'}, ${new Date(at).toISOString()}</p>
${message('Request', `${request.method} ${request.url}`, request)}
${response && message('Answer', String(response.status), response)}
${failure && h`<p>No answer: ${failure.kind}: ${failure.message}</p>`}
${response?.repeatsKey && h`<p class="warning">The answer repeated an API key; it is redacted here.</p>`}
<p class="soft">Send it again</p><pre tabindex="0"><code class="command">${one.curl}</code></pre></div></details>
`;
}

function stateOf(body: Body | undefined): string {
  const value = body?.kind === 'json' ? body.value : undefined;
  const status = typeof value === 'object' && value !== null && 'status' in value ? value.status : undefined;
  return typeof status === 'string' ? shorten(status, 40) : '';
}

type Message = Pick<ReportedExchange['request'], 'headers' | 'body'>;

function message(title: string, first: string, { headers, body }: Message): Html {
  const head = [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
  const text = body.kind === 'none' ? '' : body.kind === 'json' ? JSON.stringify(body.value, null, 2) : body.text;
  const size = body.kind === 'none' ? 'no body' : `${thousands(body.bytes)} bytes`;
  return h`<p class="soft">${title}, ${size}${body.kind === 'not-json' && `, no JSON: ${body.error}`}</p><pre tabindex="0">${shorten(head, longestBody)}${text && `\n\n${shorten(text, longestBody)}`}</pre>`;
}

const words: Readonly<Record<Verdict, string>> = {
  passed: '✓ passed',
  violated: '✕ violated',
  untested: '– untested',
  'not-applicable': '– not applicable',
  inconclusive: '? inconclusive',
};

/** All rules, with what was seen of them. */
function ruleTable(rules: readonly AnyVerdict[]): Html {
  const rows = rules.map((rule) => {
    const says = statement(rule.id);
    const on = Object.entries(rule.operations).map(
      ([id, { observations }]) => `${id}: ${plural(observations, 'time')}`,
    );
    const name = h`<details><summary><code>${rule.id}</code> ${level(rule)}</summary><div id="row-${rule.id}">${says && saying(says)}${rule.why && h`<p>${shorten(rule.why, longestText)}</p>`}${
      on.length > 0 && h`<p>${on.join(', ')}</p>`
    }${rule.exchanges.length > 0 && h`<p>Seen on ${exchangeLinks(rule.exchanges)}</p>`}</div></details>`;
    const count = violationCount(rule);
    const word = rule.known ? 'known' : words[rule.verdict];
    return [
      name,
      h`<span class="${rule.verdict}">${word}</span>`,
      `${count > 0 ? `${count} of ` : ''}${rule.observations}`,
    ];
  });
  return table('Rules', ['Rule', 'Verdict', 'Seen'], rows);
}

/** The exchanges by scenario, in the order of sending: as many as fit, first those that verdicts rest on. */
function* exchangeList(report: Report): Generator<string> {
  const all = [...report.rules, ...report.callers];
  const broken = new Map<number, AnyVerdict[]>();
  for (const rule of all)
    for (const id of new Set(rule.violations.flatMap(({ exchanges, others }) => [...exchanges, ...others])))
      broken.set(id, [...(broken.get(id) ?? []), rule]);
  const seen = new Set(all.flatMap(({ exchanges }) => exchanges));
  const rank = ({ id }: ReportedExchange) => (broken.has(id) ? 0 : seen.has(id) ? 1 : 2);
  const begun = Date.parse(report.startedAt);
  let room = mostInExchanges;
  const held: { one: ReportedExchange; text: string }[] = [];
  for (const one of report.exchanges.toSorted((a, b) => rank(a) - rank(b))) {
    const rules = broken.get(one.id);
    const { text } = exchange(
      one,
      report,
      begun,
      h`${
        rules &&
        h`<p>✕ Evidence for ${join(
          rules.map(({ id }) => h`<a href="#rule-${id}">${id}</a>`),
          ', ',
        )}</p>`
      }`,
    );
    room -= text.length;
    if (room < 0) break;
    held.push({ one, text });
  }
  held.sort((a, b) => a.one.id - b.one.id);
  const left = report.exchanges.length - held.length;
  if (held.length === 0) return;
  yield h`<details class="part"><summary><h2>Exchanges</h2> <span class="soft">${thousands(held.length)}</span></summary><div class="inside" id="exchanges">
${left > 0 && h`<p>First those that verdicts rest on; ${thousands(left)} more are in the JSON and HAR reports.</p>`}`
    .text;
  for (const [scenario, of] of byKey(held, ({ one }) => one.scenario)) {
    yield h`<details class="rule"><summary>${scenario || 'Requests'} <span class="soft">${thousands(of.length)}</span></summary><div class="inside">`
      .text;
    for (const { text } of of) yield text;
    yield '</div></details>\n';
  }
  yield '</div></details>\n';
}
