import { contract, type OperationId } from '../../contract.js';
import type { Report } from '../../vocabulary.js';
import { type AnyVerdict, statement } from '../digest.js';
import { exchangeLinks, level, saying, scrolling, searchText, signs, unseen } from './parts.js';
import { type Html, h, join } from './tag.js';

const filters = [
  ['all', 'All'],
  ['broken', 'Broken'],
  ['unjudged', 'Not judged'],
  ['held', 'Held'],
] as const;

const stateOf = ({ verdict }: AnyVerdict): string =>
  verdict === 'violated' ? 'broken' : verdict === 'passed' ? 'held' : 'unjudged';

/** Every rule, and what was seen of it on each operation. */
export function matrix(report: Report): Html {
  const { rules } = report;
  const { operationIds, operations } = contract();
  if (rules.length === 0) return h`<p>No rule was judged.</p>`;
  const choices = filters.map(([value, label]) => {
    const count = value === 'all' ? rules.length : rules.filter((rule) => stateOf(rule) === value).length;
    return h`<label><input type="radio" name="matrix-filter" value="${value}"${value === 'all' && h` checked`}> ${label} <span class="times">${count}</span></label>`;
  });
  const table = h`<table class="matrix"><thead><tr><th scope="col">Rule</th><th scope="col">Verdict</th>${operationIds.map(
    (id) =>
      h`<th scope="col" class="operation"><abbr title="${operations[id].method} ${operations[id].path}">${broken(id)}</abbr></th>`,
  )}</tr></thead><tbody>${rules.map((rule) => row(rule, report))}</tbody></table>`;
  return h`<fieldset class="choice"><legend>Show</legend>${choices}</fieldset>
<p class="key">Each cell counts what was seen: <span class="cell held">✓ 4</span> held four times, <span class="cell violated">✕ 1 of 4</span> broken once in four, <span class="cell">·</span> nothing seen, empty: not about this operation.</p>
${scrolling('Operations and rules', table)}`;
}

/** The words of an operation, so that its name may break between them. */
const broken = (id: OperationId): Html =>
  join(
    id.split(/(?=[A-Z])/).map((word) => h`${word}<wbr>`),
    '',
  );

function row(rule: AnyVerdict, report: Report): Html {
  const { sign, word } = signs[rule.verdict];
  const says = statement(rule.id);
  const link = rule.verdict === 'violated' && h`<p><a href="#rule-${rule.id}">How it was broken</a></p>`;
  const about = h`${says && saying(says)}${rule.why && h`<p>${rule.why}</p>`}${link}${
    rule.exchanges.length > 0 && h`<p>Seen on ${exchangeLinks(rule.exchanges)}</p>`
  }`;
  return h`<tr id="row-${rule.id}" data-state="${stateOf(rule)}" data-find="${searchText(rule, report)}"><th scope="row"><details><summary><code>${rule.id}</code> ${level(rule)}</summary>${about}</details></th>
<td class="word ${rule.verdict} ${rule.level.toLowerCase()}"><span aria-hidden="true">${sign}</span> ${rule.known ? 'known' : word}</td>${contract().operationIds.map((id) => cell(rule, id, says?.on.includes(id) ?? false))}</tr>`;
}

function cell(rule: AnyVerdict, id: OperationId, about: boolean): Html {
  const { observations = 0, violations = 0 } = rule.operations[id] ?? {};
  if (violations > 0)
    return h`<td data-operation="${id}" class="cell violated ${rule.level.toLowerCase()}">✕ ${violations} <span class="of">of ${observations}</span>${unseen(' broken')}</td>`;
  if (observations > 0) return h`<td data-operation="${id}" class="cell held">✓ ${observations}${unseen(' held')}</td>`;
  return about
    ? h`<td data-operation="${id}" class="cell nothing"><span aria-hidden="true">·</span>${unseen('nothing seen')}</td>`
    : h`<td class="none"></td>`;
}
