import { contract } from '../../contract.js';
import type { Changes, Report } from '../../vocabulary.js';
import { changeText, listsOf } from '../compare.js';
import { type AnyVerdict, addresses, digest, failuresByCause, thousands } from '../digest.js';
import { grouped } from '../grouped.js';
import { shorten } from '../text.js';
import type { PageEvidence } from './evidence.js';
import { scrolling, violation } from './parts.js';
import { type Html, h, join } from './tag.js';

/** Every violation: first those that fail the run. */
export function violations(report: Report, options: { strict?: boolean }): Html {
  const { failures, warnings, known } = digest(report, options);
  const part = (title: string, rules: readonly AnyVerdict[]) =>
    rules.length > 0 &&
    h`${title !== '' && h`<h3 class="part">${title}</h3>`}${rules.map((rule) => violation(rule, report))}`;
  if (failures.length + warnings.length + known.length === 0) return h`<p>No rule was seen broken.</p>`;
  return h`${failuresByCause(report, options).map(({ title, rules }) => h`${part(title, rules)}`)}${part('Warnings: rules that should hold', warnings)}${part('Known failures, from the baseline', known)}`;
}

/** The rules for callers that a recording shows broken. */
export function callers(report: Report): Html | undefined {
  if (report.callers.length === 0) return undefined;
  const { callers: broken } = digest(report);
  const held = report.callers.filter(({ verdict }) => verdict === 'passed');
  return h`<p>These rules bind whoever sent the requests; they count neither for nor against the target.</p>
${broken.length === 0 && h`<p>None was seen broken.</p>`}${broken.map((rule) => violation(rule, report))}
${held.length > 0 && h`<p>Held: ${codes(held.map(({ id }) => id))}.</p>`}`;
}

const codes = (ids: readonly string[]): Html =>
  join(
    ids.map((id) => h`<code>${id}</code>`),
    ', ',
  );

/** What the target does where the interface leaves it open. */
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
  return h`<p>Nothing is demanded here. A consumer can rely on none of it, unless the target's owner pins it.</p>
${sincePins && (sincePins.length > 0 ? h`<h3>Changed since it was pinned</h3><ul>${sincePins.map((change) => h`<li>${shorten(change, 1_000)}</li>`)}</ul>` : h`<p>Nothing has changed since it was pinned.</p>`)}
${scrolling('Where the contract is silent', h`<table class="gaps"><thead><tr><th scope="col">Question</th><th scope="col">This target</th></tr></thead><tbody>${rows}</tbody></table>`)}`;
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

/** What changed since an earlier report. */
export const changesTable = (changes: Changes): Html => {
  const found = listsOf(changes);
  return h`${found.length === 0 && h`<p>Nothing changed, and no rule is broken.</p>`}<dl class="changes">${found.map(
    ({ title, all }) =>
      h`<div><dt>${title} <span class="times">${all.length}</span></dt><dd><ul>${all.map((one) => h`<li><code>${one.rule}</code> ${shorten(changeText(one), 300)}</li>`)}</ul></dd></div>`,
  )}</dl>`;
};

/** The exchanges are data; the page's script lists them. */
export function exchangeBrowser(report: Report, { exchanges: held }: PageEvidence): Html {
  const telling = new Set(
    [...report.rules, ...report.callers].flatMap(({ violations: all }) =>
      all.flatMap(({ exchanges, others }) => [...exchanges, ...others]),
    ),
  );
  const statuses = ['2', '3', '4', '5'].map((digit) => h`<option value="${digit}">${digit}xx</option>`);
  const left = report.exchanges.length - held.length;
  return h`${left > 0 && h`<p>Here are the ${thousands(held.length)} exchanges that verdicts rest on; ${thousands(left)} more are in the JSON and HAR reports.</p>`}<div class="controls" role="group" aria-label="Exchanges">
<label>Operation <select id="operation"><option value="">all</option>${contract().operationIds.map((id) => h`<option>${id}</option>`)}<option value="null">none</option></select></label>
<label>Answer <select id="answer"><option value="">all</option>${statuses}<option value="no">none</option></select></label>
<label class="check"><input type="checkbox" id="only-told"> only those that show a violation</label></div>
<ol class="exchanges" id="exchange-list" data-addresses="${addresses(report).join(' ')}" data-started-at="${report.startedAt}" data-telling="${[...telling].join(' ')}"></ol>
<div class="pager"><button type="button" id="previous">Previous</button> <span id="range" role="status"></span> <button type="button" id="next">Next</button></div>
<noscript><p>The exchanges are listed by a script, which this viewer does not run. They are in the JSON report too.</p></noscript>
<p class="on-paper">The exchanges can be browsed in the file itself.</p>`;
}
