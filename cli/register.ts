/** Runs `rules`: selects rules and gaps, and prints them. */

import { UserError } from '../common/user-error.js';
import { needsText } from '../conformance/engine/settings/needs.js';
import {
  type CallerRule,
  callers,
  type Gap,
  gaps,
  type Level,
  type Rule,
  rules,
  statements,
} from '../generated/rules.js';
import { matchesGlob, suggestionFor } from './glob.js';

export interface Register {
  readonly rules: readonly Rule[];
  readonly gaps: readonly Gap[];
  readonly callers: readonly CallerRule[];
}

/** The part of the register that the globs select; all of it for none. A level leaves out gaps, which have none. */
export function selectRegister(globs: readonly string[], level: Level | undefined): Register {
  const ids = [...rules, ...gaps, ...callers].map(({ id }) => id);
  for (const glob of globs)
    if (!ids.some((id) => matchesGlob(id, glob)))
      throw new UserError(`nothing in the register has the id ${glob}; ${suggestionFor(glob, ids)}`);
  const named = ({ id }: { id: string }) => globs.length === 0 || globs.some((glob) => matchesGlob(id, glob));
  const ofLevel = (rule: { level: Level }) => level === undefined || rule.level === level;
  return {
    rules: rules.filter((rule) => named(rule) && ofLevel(rule)),
    gaps: level === undefined ? gaps.filter(named) : [],
    callers: callers.filter((rule) => named(rule) && ofLevel(rule)),
  };
}

export function registerText({ rules, gaps, callers }: Register): string {
  const width = Math.max(...[...rules, ...gaps, ...callers].map(({ id }) => id.length));
  return [
    section(
      'Rules for a service',
      rules.map(({ id, level, effect, needs, says, statements }) => {
        const columns = `${id.padEnd(width)}  ${level.padEnd(6)}  ${effect.padEnd(7)}`;
        return `${columns}  ${needs.length > 0 ? `needs ${needsText(needs)}` : ''}`
          .trimEnd()
          .concat(`\n    ${says}\n    rests on ${statements.map(withStanding).join(', ')}\n`);
      }),
    ),
    section(
      'Gaps: what the interface leaves open; nothing is demanded',
      gaps.map(({ id, asks, observable }) => `${id}${observable ? '' : '  (not observable)'}\n    ${asks}\n`),
    ),
    section(
      'Rules for callers, judged on recorded traffic, by proxy and by certify',
      callers.map(({ id, level, says }) => `${id.padEnd(width)}  ${level}\n    ${says}\n`),
    ),
  ]
    .filter(Boolean)
    .join('\n');
}

const withStanding = (id: string): string => `${id} (${statements.find((one) => one.id === id)?.standing})`;

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `${title} (${entries.length})\n\n${entries.join('')}`;
}
