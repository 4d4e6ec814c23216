/** Small pieces that several sections of the page show. */
import type { Report, ReportedExchange } from '../../vocabulary.js';
import { type AnyVerdict, outcome, pathOf, plural, purpose, statement, timesBroken } from '../digest.js';
import { shorten } from '../text.js';
import { type Html, h, join } from './tag.js';

const longestText = 1_000;

export const section = (id: string, title: string, ...content: readonly Html[]): Html =>
  h`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${content}</section>\n`;

/** For those who do not see a symbol or a colour. */
export const unseen = (text: string): Html => h`<span class="unseen">${text}</span>`;

export const level = ({ level: name }: AnyVerdict): Html => h`<span class="level ${name.toLowerCase()}">${name}</span>`;

export const exchangeLinks = (ids: readonly number[], most = 8): Html =>
  h`${join(
    ids.slice(0, most).map((id) => h`<a href="#exchange-${id}">#${id}</a>`),
    ', ',
  )}${ids.length > most && ', …'}`;

/** A table that scrolls sideways by itself where it is wider than the page; then the keyboard has to reach it. */
export const scrolling = (label: string, content: Html): Html =>
  h`<div class="scroll" role="region" aria-label="${label}: scrolls sideways" tabindex="0">${content}</div>`;

/** The line of an exchange; its headers and bodies are filled in when it is opened. */
function exchange(one: ReportedExchange, report: Report): Html {
  const { request, response } = one;
  return h`<details class="exchange" data-exchange="${one.id}"><summary><span class="number">#${one.id}</span>
<span class="call"><b>${request.method}</b> ${shorten(pathOf(one, report), longestText)}</span>
<span class="answer ${response ? '' : 'none'}">${shorten(outcome(one), longestText)}</span>
<span class="step">${shorten(purpose(one), longestText)}</span></summary></details>`;
}

const curlBlock = (again: string): Html =>
  h`<div class="copyable"><pre class="curl" tabindex="0"><code>${again}</code></pre></div>`;

/** Ways to be broken that are shown with their exchanges; of the others, only what was seen. */
const shownWays = 5;

/** A rule that is broken: what it says, and each way in which it was seen broken. */
export function violation(rule: AnyVerdict, report: Report): Html {
  const says = statement(rule.id);
  const byId = new Map(report.exchanges.map((one) => [one.id, one]));
  const times = timesBroken(rule);
  const found = rule.violations.map((one, index) => {
    const { required, seen, count, operation, exchanges, others } = one;
    const shown = exchanges.flatMap((id) => byId.get(id) ?? []);
    return h`<div class="found"><dl>
<dt>Required</dt><dd>${shorten(required, longestText)}</dd>
<dt>Seen</dt><dd>${shorten(seen, longestText)}${count > 1 && h` <span class="times">${plural(count, 'time')}</span>`}</dd>
${operation !== null && h`<dt>On</dt><dd>${operation}</dd>`}
${others.length > 0 && h`<dt>Likewise</dt><dd>${exchangeLinks(others)}</dd>`}
${index >= shownWays && h`<dt>Exchange</dt><dd>${exchangeLinks(exchanges)}</dd>`}
</dl>${index < shownWays && shown.map((each, place) => h`${exchange(each, report)}${place === 0 && curlBlock(one.again ?? each.curl)}`)}</div>`;
  });
  return h`<article class="violation ${rule.level.toLowerCase()}" id="rule-${rule.id}" aria-labelledby="rule-${rule.id}-title">
<h3 id="rule-${rule.id}-title">${level(rule)} <code>${rule.id}</code> <span class="times">${plural(times, 'time')}</span></h3>
${says && h`<p class="says">${says.says} <cite>${says.source}</cite></p>`}
${found}
</article>`;
}
