/** A value that a recorder or an anonymiser has replaced is no evidence against a service. */
import { memoize } from '../memoize.js';
import { isFields } from '../outcome/read.js';
import { inconclusive } from '../rule/findings.js';
import { isMasked, replacementIn } from '../rule/masked.js';
import type { Exchange, Finding } from '../vocabulary.js';

/** A mask or a placeholder, and the names of the fields that it makes unclear. */
interface Replacement {
  readonly word: string;
  readonly fields: readonly string[];
}

/** `path`: the names of the fields around it. A service may mask a part of something, but writes no placeholders. */
function replacementsIn(value: unknown, path: readonly string[] = []): readonly Replacement[] {
  const word = typeof value === 'string' ? replacementIn(value) : undefined;
  if (word !== undefined) return [{ word, fields: isMasked(word) ? path.slice(-1) : path }];
  if (Array.isArray(value)) return value.flatMap((item) => replacementsIn(item, path));
  return isFields(value) ? Object.entries(value).flatMap(([name, one]) => replacementsIn(one, [...path, name])) : [];
}

const replacementsOf = memoize(({ request, response }: Exchange) =>
  [request.body, response?.body].flatMap((body) => (body?.kind === 'json' ? replacementsIn(body.value) : [])),
);

/** The finding without the faults that name a replaced value or its field; inconclusive if none is left. */
export function withoutReplaced(finding: Finding, evidence: readonly Exchange[]): Finding {
  if (finding.kind !== 'violated') return finding;
  const shown = evidence.filter(({ id }) => finding.exchanges.includes(id));
  const replaced = shown.flatMap(replacementsOf);
  const named = ({ seen }: { readonly seen: string }) => {
    const text = `${finding.required} ${seen}`;
    const words = new Set(text.match(/[\w-]+/g));
    return replaced.find(({ word, fields }) => fields.some((field) => words.has(field)) || text.includes(word));
  };
  const [first] = finding.faults.flatMap((fault) => named(fault) ?? []);
  if (!first) return finding;
  const faults = finding.faults.filter((fault) => !named(fault));
  const why = `${first.fields.at(-1) ?? 'A body'} is ${JSON.stringify(first.word)}, which a recorder or an anonymiser most likely put there, so it cannot be compared. Judge the recording as it was before.`;
  return faults.length > 0 ? { ...finding, faults } : inconclusive(shown, why);
}
