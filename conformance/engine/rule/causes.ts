/** Groups violations that probably have one cause, by what they have in common. No verdict depends on it. */
import type { OperationId } from '../contract.js';
import { isFields } from '../outcome/read.js';
import type { Cause } from '../vocabulary/report.js';
import type { Exchange, RuleVerdict, Violation } from '../vocabulary.js';
import { requirement } from './signature.js';
import { compareTexts } from './violations.js';

type Shown = Pick<Exchange, 'id' | 'operation' | 'request' | 'response'>;

/** Something that violations have in common. */
interface Trait {
  /** Lower ranks say more. */
  readonly rank: number;
  /** If fewer rules share it, that is taken for chance. */
  readonly least: number;
}

interface Broken {
  readonly rule: string;
  readonly violation: Violation;
  readonly traits: ReadonlyMap<string, Trait>;
}

/** The causes of violations that are not in the baseline, the one that explains most rules first. */
export function causesOf(rules: readonly RuleVerdict<string>[], exchanges: readonly Shown[]): Cause[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const judged = (operation: OperationId) => rules.filter((rule) => rule.operations[operation]).length;
  let left: readonly Broken[] = rules.flatMap(({ id: rule, violations }) =>
    violations
      .filter(({ known }) => !known)
      .map((violation) => ({ rule, violation, traits: traitsOf(violation, byId, judged) })),
  );
  const causes: { what: string; of: readonly Broken[] }[] = [];
  while (left.length > 0) {
    const what = mostShared(left) ?? '';
    const [first] = left;
    const of = left.filter(({ rule, traits }) => (what === '' ? rule === first?.rule : traits.has(what)));
    const names = namesOf(of);
    const same = causes.find((one) => names.length > 1 && names.every((name) => namesOf(one.of).includes(name)));
    if (same) same.of = [...same.of, ...of];
    else causes.push({ what, of });
    left = left.filter((one) => !of.includes(one));
  }
  return causes
    .map(({ what, of }) => ({
      what,
      rules: namesOf(of),
      exchanges: [...new Set(of.flatMap(({ violation }) => violation.exchanges.slice(0, 1)))].sort((a, b) => a - b),
    }))
    .sort((a, b) => b.rules.length - a.rules.length);
}

const namesOf = (all: readonly Broken[]): string[] => [...new Set(all.map(({ rule }) => rule))];

/** The trait that most rules share; of several, the one that says most. */
function mostShared(all: readonly Broken[]): string | undefined {
  const by = new Map<string, Trait & { readonly rules: Set<string> }>();
  for (const { rule, traits } of all)
    for (const [name, trait] of traits) {
      const cause = by.get(name) ?? { ...trait, rules: new Set() };
      by.set(name, cause);
      cause.rules.add(rule);
    }
  return [...by]
    .filter(([, { least, rules }]) => rules.size >= least)
    .sort(([a, one], [b, two]) => two.rules.size - one.rules.size || one.rank - two.rank || compareTexts(a, b))[0]?.[0];
}

function traitsOf(
  { exchanges, others, signature, seen }: Violation,
  byId: ReadonlyMap<number, Shown>,
  judged: (operation: OperationId) => number,
): Map<string, Trait> {
  const traits = new Map<string, Trait>();
  const add = (rank: number, name: string, least = 2) => traits.set(name, { rank, least });
  for (const id of [...exchanges, ...others]) {
    const { operation, response } = byId.get(id) ?? {};
    add(0, `#${id}, ${operation ?? 'a request'} answered ${response?.status ?? 'by nothing'}`);
  }
  const alike = requirement(seen).replaceAll(/\d+/g, '…');
  if ((alike.match(/[a-z]+/gi) ?? []).length > 2) add(1, `“${alike}”`);
  const words = new Set(signature.match(/\w+/g));
  for (const id of exchanges) {
    const { operation, request, response } = byId.get(id) ?? {};
    for (const body of [request?.body, response?.body])
      if (body?.kind === 'json')
        for (const name of fieldsIn(body.value)) if (words.has(name)) add(2, `the field ${name}`);
    if (!operation || !response) continue;
    // Most rules of an operation are judged on answers of one status, so only a large share of them is significant.
    const least = Math.max(3, response.status < 400 ? judged(operation) / 4 : 0);
    add(3, `answers ${response.status} of ${operation}`, least);
  }
  return traits;
}

/** Field names that are no ordinary words: those of lists and objects, and those with a capital letter. */
function* fieldsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* fieldsIn(item);
  if (!isFields(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if ((typeof inner === 'object' && inner !== null) || /[a-z][A-Z]/.test(name)) yield name;
    yield* fieldsIn(inner);
  }
}
