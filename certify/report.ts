import { deprecatedCalls } from '../conformance/engine/http/address.js';
import { plural } from '../conformance/engine/report/digest.js';
import { callers } from '../generated/rules.js';
import type { Played } from './play.js';
import type { Script } from './script.js';
import type { CallerVerdict } from './verdict.js';

const indented = (text: string): string => `    ${text}\n`;

/** Lists the scripts. */
export const listing = (scripts: readonly Script[]): string =>
  scripts
    .map(
      ({ id, says, good, rules, open }) =>
        `${id}\n${indented(says)}${indented(`A good caller: ${good}.`)}${indented(`Shows: ${rules.join(', ')}`)}${indented(`Open: ${open}`)}`,
    )
    .join('\n');

const marks = { passed: '✓', violated: '✗', inconclusive: '?', untested: '-' } as const;
const shownReasons = 4;

/** The verdicts as a text for people. */
export function certificate(played: readonly Played[], verdicts: readonly CallerVerdict[]): string {
  const of = (wanted: CallerVerdict['verdict']) => verdicts.filter(({ verdict }) => verdict === wanted);
  const says = new Map<string, string>(callers.map((rule) => [rule.id, rule.says]));
  const requests = played.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const rows = verdicts.map(({ id, level, verdict, why }) => {
    const reasons = why.slice(0, shownReasons).map(indented);
    const more = why.length > shownReasons ? indented(`and ${why.length - shownReasons} more`) : '';
    const rule = verdict === 'passed' || verdict === 'untested' ? '' : indented(says.get(id) ?? '');
    return `${marks[verdict]} ${level.padEnd(6)} ${id}${verdict === 'passed' ? '' : `  ${verdict}`}\n${rule}${reasons.join('')}${more}`;
  });
  const stopped = played.flatMap(({ script, failure, isStopped }) =>
    isStopped ? `\n! The caller was stopped in ${script.id}: ${failure}` : [],
  );
  const deprecated = deprecatedCalls(played.flatMap(({ exchanges }) => exchanges)).map(
    (call) => `\n! The caller calls ${call}, which is deprecated.`,
  );
  const counts = (['passed', 'violated', 'inconclusive', 'untested'] as const)
    .filter((verdict) => of(verdict).length > 0)
    .map((verdict) => `${of(verdict).length} ${verdict}`)
    .join(', ');
  const notes = [...stopped, ...deprecated].join('');
  return `\n${rows.join('')}${notes && `${notes}\n`}\nRules for callers: ${counts}; ${plural(played.length, 'situation')}, ${plural(requests, 'request')}.\n`;
}
