import type { Report } from '../../vocabulary.js';
import { digest, effort, figures, headline, plural, type Reason, remedyText, subject } from '../digest.js';
import { latencyText } from '../latencies.js';
import { type Html, h, join } from './tag.js';

const marks = { conformant: '✓', nonconformant: '✕', incomplete: '…', unusable: '✕' } as const;

/** The top of the page: the verdict, and what it rests on. */
export function verdict(report: Report, options: { strict?: boolean }): Html {
  const { title, sentence } = headline(report, options);
  const latency = latencyText(report);
  const facts: [string, Html | string][] = [
    [report.recording ? 'Recorded from' : 'Target', h`<span class="url">${subject(report)}</span>`],
    ['Started', h`<time datetime="${report.startedAt}">${moment(report.startedAt)}</time>`],
    [report.recording ? 'Judged' : 'Run', effort(report).join(' · ')],
    ...(latency ? [['Latency', latency] as [string, string]] : []),
  ];
  return h`<header class="verdict ${report.verdict}"><p class="kind">Workflow execution contract · conformance report</p>
<h1><span class="mark" aria-hidden="true">${marks[report.verdict]}</span> ${title}</h1>
<p class="lede">${sentence} ${report.reason}</p>
${report.verdict !== 'unusable' && remedyText(report) && h`<p class="remedy">${remedyText(report) ?? ''}</p>`}
<dl class="facts">${facts.map(([name, value]) => h`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></header>`;
}

const moment = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+Z$|Z$/, ' UTC');

const kinds = [
  ['broken', 'broken', 'bad'],
  ['unclear', 'could not be judged', 'warn'],
  ['warnings', 'warnings', 'warn'],
  ['known', 'known failures', 'warn'],
  ['held', 'held', 'good'],
  ['untested', 'untested', 'soft'],
  ['notApplicable', 'not applicable', 'soft'],
] as const;

/** How many rules came to what, and why some were not judged. */
export function coverage(report: Report, options: { strict?: boolean }): Html {
  const counts = figures(report, options);
  const { inconclusive, untested, notApplicable } = digest(report, options);
  const total = report.rules.length;
  let from = 0;
  const bars = kinds.map(([key, , tone]) => {
    const width = total === 0 ? 0 : (counts[key] / total) * 100;
    from += width;
    return h`<rect class="${tone} ${key}" x="${(from - width).toFixed(3)}%" width="${width.toFixed(3)}%" height="100%"/>`;
  });
  const missing = [
    ...inconclusive.map((reason) => ({ ...reason, kind: 'Could not be judged' })),
    ...untested.map((reason) => ({ ...reason, kind: 'Untested' })),
    ...notApplicable.map((reason) => ({ ...reason, kind: 'Not applicable' })),
  ];
  return h`<dl class="figures">${kinds.map(
    ([key, label, tone]) =>
      h`<div class="${tone} ${counts[key] === 0 && 'zero'}"><dt>${label}</dt><dd>${counts[key]}</dd></div>`,
  )}</dl>
<svg class="share" aria-hidden="true"><defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6"/><rect class="gap" width="3" height="6"/></pattern><pattern id="dots" width="5" height="5" patternUnits="userSpaceOnUse"><circle cx="2" cy="2" r="1.6"/></pattern></defs>${bars}</svg>
${missing.length === 0 ? h`<p>Every rule was judged.</p>` : h`<details class="missing"><summary>What was not judged <span class="times">${plural(counts.unclear + counts.untested + counts.notApplicable, 'rule')}</span></summary><ul class="reasons">${missing.map(reason)}</ul></details>`}
${report.remarks.length > 0 && h`<details class="missing"><summary>Remarks <span class="times">${report.remarks.length}</span></summary><ul>${report.remarks.map((remark) => h`<li>${remark}</li>`)}</ul></details>`}`;
}

const reason = ({ kind, why, rules }: Reason & { kind: string }): Html =>
  h`<li><details><summary><span class="kind">${kind}</span> ${why || 'No reason given.'} <span class="times">${plural(rules.length, 'rule')}</span></summary>
<p>${join(
    rules.map(({ id }) => h`<code>${id}</code>`),
    ', ',
  )}</p></details></li>`;
