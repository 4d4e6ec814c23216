/**
 * The report as one page that needs no network and has no script: parts open by `<details>`, browsers open those that a
 * link or a search finds. Its content security policy forbids scripts, so nothing that a target sends is executed.
 */
import { createHash } from 'node:crypto';
import { byKey } from '../rule/values.js';
import { expectation } from '../rule/violations.js';
import type { Report, ReportedExchange } from '../vocabulary/report.js';
import type { Body, Verdict, Violation } from '../vocabulary.js';
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
import { style } from './html/style.js';
import { Html, h, join } from './html/template.js';
import { type Section, sections, sizeOf } from './sections.js';
import { shorten } from './text.js';

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

/** A broken rule: its text, and each of its violations. */
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
  violated: '✕ broken',
  untested: '– untested',
  'not-applicable': '– not applicable',
  inconclusive: '? not judged',
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
