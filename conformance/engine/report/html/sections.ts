/** The sections of the page. */
import { contract } from '../../contract.js';
import type { Changes, Report, ReportedExchange } from '../../vocabulary/report.js';
import { latencyText } from '../assemble.js';
import { changeText, listsOf } from '../compare.js';
import {
  type AnyVerdict,
  addresses,
  digest,
  failuresByCause,
  figures,
  grouped,
  headline,
  plural,
  type Reason,
  runSummary,
  statement,
  subject,
  thousands,
  violationCount,
} from '../digest.js';
import { shorten } from '../text.js';
import { exchangeLinks, type Html, h, join, level, saying, scrolling, searchText, signs, violation } from './parts.js';

/** A page contains up to this many exchanges; if there are more, only those that a verdict rests on. */
const mostInAll = 1000;

interface PageEvidence {
  readonly exchanges: readonly ReportedExchange[];
  /** The rules that an exchange is evidence for, with `!` before those that it shows broken. */
  readonly rules: Readonly<Record<number, readonly string[]>>;
}

/** Selects the exchanges for the page, so that a recording of hundreds of thousands opens as fast as a small one. */
export function evidenceOf(report: Report): PageEvidence {
  const rules = new Map<number, Set<string>>();
  const note = (id: number, rule: string) => rules.set(id, (rules.get(id) ?? new Set()).add(rule));
  for (const rule of [...report.rules, ...report.callers]) {
    const broken = rule.violations.flatMap(({ exchanges, others }) => [...exchanges, ...others]);
    for (const id of broken) note(id, `!${rule.id}`);
    if (rule.verdict !== 'violated') for (const id of rule.exchanges) note(id, rule.id);
  }
  const all = report.exchanges;
  return {
    exchanges: all.length <= mostInAll ? all : all.filter(({ id }) => rules.has(id)),
    rules: Object.fromEntries([...rules].map(([id, names]) => [id, [...names]])),
  };
}

const marks = { conformant: '✓', nonconformant: '✕', incomplete: '…', unusable: '✕' } as const;

/** The top of the page: the verdict and what it rests on. */
export function verdict(report: Report, options: { strict?: boolean }): Html {
  const { title, sentence } = headline(report, options);
  const latency = latencyText(report);
  const facts: [string, Html | string][] = [
    [report.recording ? 'Recorded from' : 'Target', h`<span class="url">${subject(report)}</span>`],
    ['Started', h`<time datetime="${report.startedAt}">${moment(report.startedAt)}</time>`],
    [report.recording ? 'Judged' : 'Run', runSummary(report).join(' · ')],
    ...(latency ? [['Latency', latency] as [string, string]] : []),
  ];
  return h`<header class="verdict ${report.verdict}"><p class="kind">Workflow execution contract · conformance report</p>
<h1><span class="mark" aria-hidden="true">${marks[report.verdict]}</span> ${title}</h1>
<p class="lede">${sentence} ${report.reason}</p>
<dl class="facts">${facts.map(([name, value]) => h`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></header>`;
}

const moment = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+Z$|Z$/, ' UTC');

const kinds = [
  ['broken', 'broken', 'bad'],
  ['unclear', 'could not be judged', 'warn'],
  ['warnings', 'warnings', 'warn'],
  ['known', 'known failures', 'warn'],
  ['held', 'passed', 'good'],
  ['untested', 'untested', 'soft'],
  ['notApplicable', 'not applicable', 'soft'],
] as const;

/** How many rules have which verdict, and why some were not judged. */
export function coverage(report: Report, options: { strict?: boolean }): Html {
  const counts = figures(report, options);
  const { inconclusive, untested, notApplicable } = digest(report, options);
  const missing = [
    ...inconclusive.map((reason) => ({ ...reason, kind: 'Could not be judged' })),
    ...untested.map((reason) => ({ ...reason, kind: 'Untested' })),
    ...notApplicable.map((reason) => ({ ...reason, kind: 'Not applicable' })),
  ];
  return h`<dl class="figures">${kinds.map(
    ([key, label, tone]) =>
      h`<div class="${tone} ${counts[key] === 0 && 'zero'}"><dt>${label}</dt><dd>${counts[key]}</dd></div>`,
  )}</dl>
${missing.length === 0 ? h`<p>Every rule was judged.</p>` : h`<details class="missing"><summary>What was not judged <span class="times">${plural(counts.unclear + counts.untested + counts.notApplicable, 'rule')}</span></summary><ul class="reasons">${missing.map(reason)}</ul></details>`}
${report.remarks.length > 0 && h`<details class="missing"><summary>Remarks <span class="times">${report.remarks.length}</span></summary><ul>${report.remarks.map((remark) => h`<li>${remark}</li>`)}</ul></details>`}`;
}

const reason = ({ kind, why, rules }: Reason & { kind: string }): Html =>
  h`<li><details><summary><span class="kind">${kind}</span> ${why || 'No reason given.'} <span class="times">${plural(rules.length, 'rule')}</span></summary>
<p>${codes(rules.map(({ id }) => id))}</p></details></li>`;

/** All violations, those that fail the run first. */
export function violations(report: Report, options: { strict?: boolean }): Html {
  const { failures, warnings, known } = digest(report, options);
  const part = (title: string, rules: readonly AnyVerdict[]) =>
    rules.length > 0 &&
    h`${title !== '' && h`<h3 class="part">${title}</h3>`}${rules.map((rule) => violation(rule, report))}`;
  if (failures.length + warnings.length + known.length === 0) return h`<p>No rule was seen broken.</p>`;
  return h`${failuresByCause(report, options).map(({ title, rules }) => h`${part(title, rules)}`)}${part('Warnings: rules that should hold', warnings)}${part('Known failures, from the baseline', known)}`;
}

/** The caller rules that a recording shows broken. */
export function callers(report: Report): Html | undefined {
  if (report.callers.length === 0) return undefined;
  const { callers: broken } = digest(report);
  const held = report.callers.filter(({ verdict }) => verdict === 'passed');
  return h`<p>These rules are for the callers that sent the requests; they do not change the verdict on the target.</p>
${broken.length === 0 && h`<p>None was seen broken.</p>`}${broken.map((rule) => violation(rule, report))}
${held.length > 0 && h`<p>Passed: ${codes(held.map(({ id }) => id))}.</p>`}`;
}

const codes = (ids: readonly string[]): Html =>
  join(
    ids.map((id) => h`<code>${id}</code>`),
    ', ',
  );

/** The observations where the interface is silent. */
export function gapTable(report: Report): Html | undefined {
  if (report.gaps.length === 0) return undefined;
  const rows = report.gaps.map(({ id, observed }) => {
    const asks = contract().gaps.find((gap) => gap.id === id)?.asks;
    const values = grouped(observed).map((value) => h`<li><code>${value}</code></li>`);
    return h`<tr><th scope="row">${asks ?? id} <code class="id">${id}</code></th><td>${
      observed.length > 0 ? h`<ul class="values">${values}</ul>` : h`<span class="soft">not observed</span>`
    }</td></tr>`;
  });
  const { sincePins } = report;
  return h`<p>The contract demands nothing here. Clients cannot rely on any of it, unless the owner of the target pins it.</p>
${sincePins && (sincePins.length > 0 ? h`<h3>Changed since it was pinned</h3><ul>${sincePins.map((change) => h`<li>${shorten(change, 1_000)}</li>`)}</ul>` : h`<p>Nothing has changed since it was pinned.</p>`)}
${scrolling('Where the contract is silent', h`<table class="gaps"><thead><tr><th scope="col">Question</th><th scope="col">This target</th></tr></thead><tbody>${rows}</tbody></table>`)}`;
}

/** The observed transitions between states, and those that the interface shows and the run did not see. */
export function states({ transitions }: Report): Html {
  if (transitions.length === 0) return h`<p>No execution was followed, so no transition was observed.</p>`;
  const unseen = contract().shownTransitions.filter(
    (shown) => !transitions.some(({ from, to }) => from === shown.from && (shown.to === null || shown.to === to)),
  );
  const row = (from: string | null, to: string, seen: string, standing: string) =>
    h`<tr class="${standing}"><td>${from === null ? 'new execution' : shorten(from, 200)}</td><td>${shorten(to, 200)}</td><td class="count">${seen}</td><td>${standing === 'forbidden' && '✕ '}${standing}</td></tr>`;
  const rows = [
    ...transitions.map(({ from, to, count, standing }) => row(from, to, `at least ${count}`, standing)),
    ...unseen.map(({ from, to }) => row(from, to ?? 'a state that is not named', 'not seen', 'shown')),
  ];
  return h`<p>A transition is <em>shown</em> if the interface shows it, <em>unshown</em> if the interface leaves it open, and <em>forbidden</em> if it leaves a terminal state. An execution may pass through states between two readings.</p>
${scrolling('Transitions', h`<table><thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col" class="count">Executions</th><th scope="col">Standing</th></tr></thead><tbody>${rows}</tbody></table>`)}`;
}

export function leftBehind(report: Report): Html | undefined {
  if (report.leftBehind.length === 0) return undefined;
  const rows = report.leftBehind.map(
    ({ kind, id, note }) => h`<tr><td>${kind}</td><td><code>${id}</code></td><td>${note}</td></tr>`,
  );
  return scrolling(
    'Left behind',
    h`<table><thead><tr><th scope="col">What</th><th scope="col">Id</th><th scope="col">Why</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

export const changesTable = (changes: Changes): Html => {
  const found = listsOf(changes);
  return h`${found.length === 0 && h`<p>Nothing changed, and no rule is broken.</p>`}<dl class="changes">${found.map(
    ({ title, all }) =>
      h`<div><dt>${title} <span class="times">${all.length}</span></dt><dd><ul>${all.map((one) => h`<li><code>${one.rule}</code> ${shorten(changeText(one), 300)}</li>`)}</ul></dd></div>`,
  )}</dl>`;
};

/** The list of exchanges, which the script fills. */
export function exchangeBrowser(report: Report, { exchanges: held }: PageEvidence): Html {
  const telling = new Set(
    [...report.rules, ...report.callers].flatMap(({ violations: all }) =>
      all.flatMap(({ exchanges, others }) => [...exchanges, ...others]),
    ),
  );
  const left = report.exchanges.length - held.length;
  return h`${left > 0 && h`<p>Here are the ${thousands(held.length)} exchanges that verdicts rest on; ${thousands(left)} more are in the JSON and HAR reports.</p>`}<ol class="exchanges" id="exchange-list" data-addresses="${addresses(report).join(' ')}" data-started-at="${report.startedAt}" data-telling="${[...telling].join(' ')}"></ol>
<div class="pager"><button type="button" id="previous">Previous</button> <span id="range" role="status"></span> <button type="button" id="next">Next</button></div>
<noscript><p>The exchanges are listed by a script, which this viewer does not run. They are in the JSON report too.</p></noscript>`;
}

/** All rules, with what was seen. */
export function ruleTable(report: Report): Html {
  const { rules } = report;
  if (rules.length === 0) return h`<p>No rule was judged.</p>`;
  return scrolling(
    'Rules',
    h`<table class="rules"><thead><tr><th scope="col">Rule</th><th scope="col">Verdict</th><th scope="col" class="count">Seen</th></tr></thead><tbody>${rules.map((rule) => row(rule, report))}</tbody></table>`,
  );
}

function row(rule: AnyVerdict, report: Report): Html {
  const { sign, word } = signs[rule.verdict];
  const says = statement(rule.id);
  const broken = violationCount(rule);
  const link = rule.verdict === 'violated' && h`<p><a href="#rule-${rule.id}">How it was broken</a></p>`;
  const on = Object.entries(rule.operations).map(
    ([operation, { observations, violations }]) =>
      h`<li>${operation}: ${plural(observations, 'time')}${violations > 0 && `, ${violations} of them broken`}</li>`,
  );
  return h`<tr id="row-${rule.id}" data-find="${searchText(rule, report)}"><th scope="row"><details><summary><code>${rule.id}</code> ${level(rule)}</summary>${says && saying(says)}${rule.why && h`<p>${rule.why}</p>`}${link}${
    on.length > 0 && h`<ul>${on}</ul>`
  }${rule.exchanges.length > 0 && h`<p>Seen on ${exchangeLinks(rule.exchanges)}</p>`}</details></th>
<td class="word ${rule.verdict} ${rule.level.toLowerCase()}"><span aria-hidden="true">${sign}</span> ${rule.known ? 'known' : word}</td><td class="count">${broken > 0 && `${broken} of `}${rule.observations}</td></tr>`;
}
