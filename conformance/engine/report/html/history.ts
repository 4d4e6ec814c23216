import type { Report } from '../../vocabulary.js';
import { scrolling, signs, unseen } from './parts.js';
import { type Html, h } from './tag.js';

/** A line for each rule that was not the same in all runs, or was broken in one: its verdict in each, the latest last. */
export function history(report: Report, earlier: readonly Report[]): Html | undefined {
  if (earlier.length === 0) return undefined;
  const runs = [...earlier].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1)).concat(report);
  const lines = report.rules.flatMap(({ id }) => {
    const verdicts = runs.map(({ rules }) => rules.find((rule) => rule.id === id)?.verdict);
    return new Set(verdicts).size > 1 || verdicts.includes('violated') ? [{ id, verdicts }] : [];
  });
  if (lines.length === 0) return h`<p>Every rule came to the same in all ${runs.length} runs, and none was broken.</p>`;
  const head = runs.map(({ startedAt }) => h`<th scope="col">${startedAt.slice(0, 16).replace('T', ' ')}</th>`);
  const rows = lines.map(({ id, verdicts }) => {
    const cells = verdicts.map((verdict) => {
      const { sign, word } = verdict ? signs[verdict] : { sign: '', word: 'not among the rules' };
      return h`<td class="cell ${verdict === 'passed' ? 'held' : (verdict ?? '')}"><span aria-hidden="true">${sign}</span>${unseen(word)}</td>`;
    });
    return h`<tr data-find="${id}"><th scope="row"><a href="#row-${id}"><code>${id}</code></a></th>${cells}</tr>`;
  });
  return scrolling(
    'Earlier runs',
    h`<table class="history"><thead><tr><th scope="col">Rule</th>${head}</tr></thead><tbody>${rows}</tbody></table>`,
  );
}
