import { UserError } from '../common/user-error.js';
import { type Rule, rules } from '../generated/rules.js';
import { matchesGlob, suggestionFor } from './glob.js';

/** Returns the filter of `--only` and `--skip`. Throws a UserError if a glob matches nothing, or no rule is left. */
export function selectRules(only: readonly string[] = [], skip: readonly string[] = []): (rule: Rule) => boolean {
  const ids = rules.map(({ id }) => id);
  for (const glob of [...only, ...skip])
    if (!ids.some((id) => matchesGlob(id, glob)))
      throw new UserError(`no rule has the id ${glob}; ${suggestionFor(glob, ids)}`);
  const named = (globs: readonly string[], { id }: Rule) => globs.some((glob) => matchesGlob(id, glob));
  const selected = (rule: Rule) => (only.length === 0 || named(only, rule)) && !named(skip, rule);
  if (!rules.some(selected)) throw new UserError('--only and --skip leave no rule to judge.');
  return selected;
}
