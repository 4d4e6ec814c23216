/** Parts that several sections of the page share, and the template that escapes them. */

import { expectation } from '../../rule/violations.js';
import type { Report, ReportedExchange } from '../../vocabulary/report.js';
import type { Verdict } from '../../vocabulary.js';
import {
  type AnyVerdict,
  curlLines,
  duration,
  frequency,
  outcome,
  pathOf,
  plural,
  repeating,
  repetition,
  type Statement,
  shownBy,
  standings,
  statement,
  stepName,
  thousands,
  violationCount,
} from '../digest.js';
import { markup, shorten } from '../text.js';

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

/** The symbols of verdicts in tables. */
export const signs: Readonly<Record<Verdict, { readonly sign: string; readonly word: string }>> = {
  passed: { sign: '✓', word: 'passed' },
  violated: { sign: '✕', word: 'broken' },
  untested: { sign: '–', word: 'untested' },
  'not-applicable': { sign: '–', word: 'not applicable' },
  inconclusive: { sign: '?', word: 'not judged' },
};

export const section = (id: string, title: string, ...content: readonly Html[]): Html =>
  h`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>\n`;

/** A section that is closed at first, with the number of its items. */
export const fold = (id: string, title: string, count: number | undefined, content: Html): Html =>
  h`<section id="${id}" class="fold" aria-labelledby="${id}-title"><details><summary><h2 id="${id}-title">${title}</h2>${
    count !== undefined && h` <span class="times">${thousands(count)}</span>`
  }</summary><div class="inside">${content}</div></details></section>\n`;

export const level = ({ level: name }: AnyVerdict): Html => h`<span class="level ${name.toLowerCase()}">${name}</span>`;

/** How many exchanges are named. For the others an ellipsis stands. */
const mostLinks = 8;

export const exchangeLinks = (ids: readonly number[]): Html =>
  h`${join(
    ids.slice(0, mostLinks).map((id) => h`<a href="#exchange-${id}">#${id}</a>`),
    ', ',
  )}${ids.length > mostLinks && ', …'}`;

/** Lets a wide table scroll horizontally, also by keyboard. */
export const scrolling = (label: string, content: Html): Html =>
  h`<div class="scroll" role="region" aria-label="${label}: scrolls sideways" tabindex="0">${content}</div>`;

/** The summary line of an exchange. The script fills in headers and bodies when it is opened. */
function exchange(one: ReportedExchange, report: Report): Html {
  const { request, response } = one;
  return h`<details class="exchange" data-exchange="${one.id}"><summary><span class="number">#${one.id}</span>
<span class="call"><b>${request.method}</b> ${shorten(pathOf(one, report), longestText)}</span>
<span class="answer ${response ? '' : 'none'}">${shorten(outcome(one), longestText)}</span>
<span class="step">${shorten(stepName(one), longestText)}</span></summary></details>`;
}

const commandBlock = (command: string): Html =>
  h`<div class="copyable"><pre class="curl" tabindex="0"><code>${command}</code></pre></div>`;

/** Violations that are shown with their exchanges. Of others, only what was seen and the command. */
export const shownWays = 5;

/** A broken rule that can be opened: its text, and each of its violations. */
export function violation(rule: AnyVerdict, report: Report): Html {
  const says = statement(rule.id);
  const times = violationCount(rule);
  const [first] = rule.violations;
  const found = rule.violations.map((one, index) => {
    const often = frequency(one, rule);
    const { expected, actual, operation, exchanges, others, known } = one;
    const shown = shownBy(one, report);
    const commands = [...new Set([repeating(one, report), ...(index < shownWays ? [curlLines(one, report)] : [])])];
    return h`<div class="found"><dl>
<dt>Expected</dt><dd>${shorten(expected, longestText)}</dd>
<dt>Actual</dt><dd>${shorten(actual, longestText)}${often && h` <span class="times">${often}</span>`}</dd>
${operation !== null && h`<dt>On</dt><dd>${operation}</dd>`}
${known && h`<dt>Known</dt><dd>in the baseline</dd>`}
${one.repeated && h`<dt>Again</dt><dd>${repetition(one)}</dd>`}
${others.length > 0 && h`<dt>Also in</dt><dd>${exchangeLinks(others)}</dd>`}
${index >= shownWays && h`<dt>Exchange</dt><dd>${exchangeLinks(exchanges)}</dd>`}
</dl>${index < shownWays && h`${shown.length > 1 && sequence(shown, report)}${shown.map((each) => exchange(each, report))}`}${commands.map(commandBlock)}</div>`;
  });
  const ways = rule.violations.length > 1 ? `${rule.violations.length} ways, ` : '';
  return h`<details class="violation ${rule.level.toLowerCase()}" id="rule-${rule.id}" data-find="${searchText(rule, report)}"><summary>
<span class="name">${level(rule)} <code>${rule.id}</code></span> <span class="gist">${shorten(first ? expectation(first) : rule.why, 160)}</span>
<span class="times">${ways}${plural(times, 'time')}</span></summary>
<div class="inside">${says && saying(says)}
${found}<p class="more"><a href="#row-${rule.id}">All observations of this rule</a></p></div>
</details>`;
}

/** The text of a rule, and the statements that it rests on: stated, implied or open. */
export const saying = (rule: Statement): Html =>
  h`<p class="says">${rule.says} <cite>${rule.source}</cite></p><ul class="rests" aria-label="Rests on">${standings(
    rule,
  ).map(
    ({ id, standing, says }) =>
      h`<li><span class="standing ${standing}">${standing}</span> ${says} <code>${id}</code></li>`,
  )}</ul>`;

/** The text for the search: name and text of a rule, its verdict, the operations and scenarios of its violations. */
export function searchText(rule: AnyVerdict, report: Report): string {
  const ids = new Set(rule.violations.flatMap(({ exchanges }) => exchanges));
  const scenarios = report.exchanges.flatMap(({ id, scenario }) => (ids.has(id) ? scenario : []));
  const operations = rule.violations.flatMap(({ operation }) => operation ?? []);
  const verdict = rule.known
    ? 'known'
    : rule.verdict === 'passed'
      ? 'held'
      : rule.verdict === 'violated'
        ? 'broken'
        : rule.verdict;
  const on = rule.violations.length > 0 ? operations : (statement(rule.id)?.on ?? []);
  return [...new Set([rule.id, rule.level, verdict, ...on, ...scenarios])].join(' ').toLowerCase();
}

const stateOf = ({ response }: ReportedExchange): string => {
  const value = response?.body.kind === 'json' ? response.body.value : undefined;
  const status = typeof value === 'object' && value !== null && 'status' in value ? value.status : undefined;
  return typeof status === 'string' ? shorten(status, 40) : '';
};

const shortestWaitMs = 100;

/** A sequence of requests: when they were sent, their answers, states, and the waits between. */
function sequence(exchanges: readonly ReportedExchange[], report: Report): Html {
  const all = exchanges.toSorted((a, b) => a.at - b.at || a.id - b.id);
  const begun = all[0]?.at ?? 0;
  const steps = all.map((one, index) => {
    const before = all[index - 1];
    const wait = before ? one.at - (before.at + before.durationMs) : 0;
    const state = stateOf(one);
    return h`${wait >= shortestWaitMs && h`<li class="wait">${duration(wait)} later</li>`}<li class="step"><span class="at">${duration(one.at - begun)}</span>
<span class="sent"><span aria-hidden="true">→ </span><b>${one.request.method}</b> ${shorten(pathOf(one, report), 200)}</span>
<span class="got"><span aria-hidden="true">← </span>${one.response ? one.response.status : 'no answer'}${state !== '' && h` <span class="status">${state}</span>`} <a href="#exchange-${one.id}">#${one.id}</a></span></li>`;
  });
  return h`<ol class="sequence" aria-label="The requests over time">${steps}</ol>`;
}
