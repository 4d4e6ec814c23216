/** The sections of the page. */
import { contract } from '../../contract.js';
import type { Changes, Report, ReportedExchange } from '../../vocabulary/report.js';

import { changeText, listsOf } from '../compare.js';
import {
  type AnyVerdict,
  addresses,
  digest,
  failuresByCause,
  figures,
  groundsOf,
  grouped,
  headline,
  latencyHead,
  latencyRows,
  plural,
  type Reason,
  runSummary,
  statement,
  subject,
  thousands,
  violationCount,
} from '../digest.js';
import { shorten } from '../text.js';
import {
  exchangeLinks,
  type Html,
  h,
  join,
  level,
  saying,
  scrolling,
  searchText,
  shownWays,
  signs,
  violation,
} from './parts.js';

/** A page contains up to this many exchanges; if there are more, only those that a verdict rests on. */
const mostInAll = 1000;
/** In characters of JSON. What violations show stands on the page in any case, then what verdicts rest on. */
const mostText = 1_000_000;

interface PageEvidence {
  readonly exchanges: readonly ReportedExchange[];
  /** The rules that an exchange is evidence for, with `!` before those that it shows broken. */
  readonly rules: Readonly<Record<number, readonly string[]>>;
}

/** Selects the exchanges for the page, so that a recording of hundreds of thousands opens as fast as a small one. */
export function evidenceOf(report: Report): PageEvidence {
  const rules = new Map<number, Set<string>>();
  const shown = new Set<number>();
  const note = (id: number, rule: string) => rules.set(id, (rules.get(id) ?? new Set()).add(rule));
  for (const rule of [...report.rules, ...report.callers]) {
    const broken = rule.violations.flatMap(({ exchanges, others }) => [...exchanges, ...others]);
    for (const { exchanges } of rule.violations.slice(0, shownWays)) for (const id of exchanges) shown.add(id);
    for (const id of broken) note(id, `!${rule.id}`);
    if (rule.verdict !== 'violated') for (const id of rule.exchanges) note(id, rule.id);
  }
  const all = report.exchanges.filter(({ id }) => report.exchanges.length <= mostInAll || rules.has(id));
  const rank = ({ id }: ReportedExchange) => (shown.has(id) ? 0 : rules.has(id) ? 1 : 2);
  let room = mostText;
  const held = all
    .toSorted((a, b) => rank(a) - rank(b))
    .filter((one) => {
      room -= JSON.stringify(one).length;
      return room > 0 || shown.has(one.id);
    });
  return {
    exchanges: held.sort((a, b) => a.id - b.id),
    rules: Object.fromEntries([...rules].map(([id, names]) => [id, [...names]])),
  };
}

const marks = { conformant: '✓', nonconformant: '✕', incomplete: '…', unusable: '✕' } as const;

/** The top of the page: the verdict and the target. */
export function verdict(report: Report, options: { strict?: boolean }): Html {
  const { title, sentence } = headline(report, options);
  return h`<header class="verdict ${report.verdict}"><p class="kind">Workflow execution contract · conformance report</p>
<h1><span class="mark" aria-hidden="true">${marks[report.verdict]}</span> ${title}</h1>
<p class="lede">${sentence} ${report.verdict === 'unusable' ? report.reason : groundsOf(report)}</p>
<p class="kind"><span class="url">${subject(report)}</span> · <time datetime="${report.startedAt}">${moment(report.startedAt)}</time></p></header>`;
}

/** What the run did, and how long each operation took to answer. */
export function runFacts(report: Report): Html {
  const [, ...heads] = latencyHead;
  const rows = latencyRows(report).map(
    ([operation, ...figures]) =>
      h`<tr><th scope="row">${operation}</th>${figures.map((figure) => h`<td class="count">${figure}</td>`)}</tr>`,
  );
  return h`<p>${runSummary(report).join(' · ')}</p>${
    rows.length > 0 &&
    scrolling(
      'Latency',
      h`<table><thead><tr><th scope="col">Latency</th>${heads.map((head) => h`<th scope="col" class="count">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`,
    )
  }`;
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

/** The rules that fail the run; those with one cause stand under it. */
export function violations(report: Report, options: { strict?: boolean }): Html {
  const groups = failuresByCause(report, options);
  if (groups.length === 0) return h`<p>No rule was broken.</p>`;
  return h`${groups.map(({ title, rules }) =>
    title === ''
      ? h`${rows(rules, report)}`
      : h`<div class="cause"><h3 class="part">${title}</h3>${rows(rules, report)}</div>`,
  )}`;
}

/** Broken rules, a row each; undefined if there are none. */
export const rows = (rules: readonly AnyVerdict[], report: Report): Html | undefined =>
  rules.length > 0 ? h`${rules.map((rule) => violation(rule, report))}` : undefined;

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

const standings = {
  documented: 'in the contract',
  undocumented: 'not in the contract',
  forbidden: '✕ forbidden',
} as const;

/** The observed transitions between states, and those that the interface shows and the run did not see. */
export function states({ transitions }: Report): Html {
  if (transitions.length === 0) return h`<p>No execution was followed, so no transition was observed.</p>`;
  const unseen = contract().shownTransitions.filter(
    (shown) => !transitions.some(({ from, to }) => from === shown.from && (shown.to === null || shown.to === to)),
  );
  const row = (from: string | null, to: string, seen: string, standing: keyof typeof standings) =>
    h`<tr class="${standing}"><td>${from === null ? 'new execution' : shorten(from, 200)}</td><td>${shorten(to, 200)}</td><td class="count">${seen}</td><td>${standings[standing]}</td></tr>`;
  const rows = [
    ...transitions.map(({ from, to, count, standing }) => row(from, to, `at least ${count}`, standing)),
    ...unseen.map(({ from, to }) => row(from, to ?? 'a state that is not named', 'not seen', 'documented')),
  ];
  return h`<p>A transition is <em>in the contract</em>, <em>not in the contract</em>, which leaves it open, or <em>forbidden</em>, if it leaves a terminal state. An execution may pass through states between two readings.</p>
${scrolling('Transitions', h`<table><thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col" class="count">Executions</th><th scope="col">Transition</th></tr></thead><tbody>${rows}</tbody></table>`)}`;
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
  return h`${left > 0 && h`<p>Here are ${thousands(held.length)} exchanges, first those that verdicts rest on; ${thousands(left)} more are in the JSON and HAR reports.</p>`}<ol class="exchanges" id="exchange-list" data-addresses="${addresses(report).join(' ')}" data-started-at="${report.startedAt}" data-telling="${[...telling].join(' ')}"></ol>
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
