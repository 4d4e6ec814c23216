import { contract, type OperationId } from '../contract.js';
import { memoize } from '../memoize.js';
import { isFields } from '../outcome/read.js';
import type { Cause, Report, RuleVerdict, Violation } from '../vocabulary/report.js';
import type { Exchange, Fault, Mark } from '../vocabulary.js';
import { longestText, redacted } from './values.js';

/** What a violation is, in a line. */
export const expectation = ({ expected, actual }: Pick<Violation, 'expected' | 'actual'>): string =>
  `expected: ${expected}; actual: ${actual}`;

/** The name of a step without its number: what is sent several times is not sent equally often in each run. */
export const stepOf = ({ scenario, step }: Pick<Mark, 'scenario' | 'step'>): string =>
  `${scenario}/${step.replace(/-\d+$/, '')}`;

// Identifies a violation by what is constant: the same fault of the same service has the same signature in every run,
// whatever its seed. Baselines and comparisons rely on it.

/** Replaces ids, times and other values. */
const any = '…';

/** The beginning of a value that `jsonText` cut. */
const isCut = `(?=[^]{${longestText - 2}}…)`;
/** A text; or the beginning of a text, an object or a list. */
const value = new RegExp(
  `"${isCut}(?:[^"\\\\]|\\\\(?:[^…]|(?=…)))*…|[{[]${isCut}[^]{${longestText - 2}}…|"(?:[^"\\\\]|\\\\.)*"`,
  'gs',
);
const innermost = /\{[^{}[\]]*\}|\[[^{}[\]]*\]/g;
const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const time = /\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/g;
const address = /[^\s@]*@\S+/g;
/** Numbers, except for HTTP statuses where the wording of rules puts them. */
const number =
  /(?<!(?:^|\b(?:the|a|an|or|and|status|code|no|of|with) |\d, )(?=[1-5]\d\d\b(?!\s*(?:ms|s|%|more)\b)))(?<![\w.])-?\d+(?:[.,]\d+)*\b/g;
const constants = /\b(?:true|false|null)\b/g;
const list = /…(?:(?:, | and | or )…)+/g;

/** What a caller named in a field that it fills as it likes, and the id of the first thing in a path of the contract. */
const notOfContract = memoize(({ openFields, prefix }: ReturnType<typeof contract>) => ({
  below: new RegExp(`\\b(${openFields.join('|')})(?:\\.[^\\s,]+|\\[(?:\\d+|"(?:[^"\\\\]|\\\\.)*")\\])+`, 'g'),
  after: new RegExp(`(${prefix}[\\w-]+/)[^\\s/?#]*`, 'g'),
}));

/** The requirement without values, numbers, ids, times, and names that are not the contract's. */
export function requirement(required: string): string {
  const { below, after } = notOfContract(contract());
  const bare = required
    .replaceAll(redacted, any)
    .replace(below, '$1')
    .replace(value, any)
    .replace(innermost, any)
    .replace(id, any)
    .replace(time, any)
    .replace(address, `${any}@${any}`)
    .replace(after, `$1${any}`)
    .replace(number, any)
    .replace(constants, any)
    .replace(list, any)
    .replace(/(?:…\s?)+…/g, any)
    .trim();
  // Objects are replaced from the inside.
  return bare === required ? bare : requirement(bare);
}

/** The requirement with the place of the fault, or with the status if `seen` begins with one. */
export function signatureOf(expected: string, { place, actual }: Fault): string {
  if (place !== undefined) return requirement(`${expected}: ${place}`);
  const [status] = /^[1-5]\d\d(?=$|[ ,;])/.exec(actual) ?? [];
  return requirement(expected) + (status === undefined ? '' : `: ${status}`);
}

/** Merges violations: occurrences are counted, and the first one is shown. */

/** How many further exchanges at fault are named. */
const namedOthers = 5;

/** Distinguishes the violations of a rule. */
export const nameOf = ({ operation, signature }: Pick<Violation, 'operation' | 'signature'>): string =>
  `${operation ?? ''} ${signature}`;

/** Merges two occurrences of a violation. The order does not matter: the earlier one is shown. */
export function mergedViolation(a: Violation, b: Violation): Violation {
  const [first, later] = byPlace(a, b) <= 0 ? [a, b] : [b, a];
  const others = new Set([...first.others, ...later.exchanges.slice(0, 1), ...later.others]);
  others.delete(first.exchanges[0] ?? 0);
  const { known: _, ...rest } = first;
  return {
    ...rest,
    count: a.count + b.count,
    others: [...others].sort((one, other) => one - other).slice(0, namedOthers),
  };
}

/** Merges violations of the same name, and sorts them by the exchanges that show them. */
export function mergedViolations(violations: readonly Violation[]): Violation[] {
  const by = new Map<string, Violation>();
  for (const one of violations) {
    const earlier = by.get(nameOf(one));
    by.set(nameOf(one), earlier ? mergedViolation(earlier, one) : one);
  }
  return [...by.values()].sort(byPlace);
}

/** What several parts say of one rule, added up. */
export function addedUp(
  parts: readonly RuleVerdict<string>[],
): Pick<RuleVerdict, 'observations' | 'violations' | 'operations'> {
  const sum = (all: readonly { readonly observations: number }[]) =>
    all.reduce((sum, { observations }) => sum + observations, 0);
  return {
    observations: sum(parts),
    violations: parts.flatMap(({ violations }) => violations),
    operations: Object.fromEntries(
      contract().operationIds.flatMap((operation) => {
        const rows = parts.flatMap(({ operations }) => operations[operation] ?? []);
        const broken = rows.reduce((sum, { violations }) => sum + violations, 0);
        return rows.length > 0 ? [[operation, { observations: sum(rows), violations: broken }]] : [];
      }),
    ),
  };
}

export const byPlace = (a: Violation, b: Violation): number =>
  comparePlaces(a.exchanges, b.exchanges) || compareTexts(nameOf(a), nameOf(b)) || compareTexts(a.actual, b.actual);

/** Compares by the first number that differs; else the shorter list comes first. */
export function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? Number.NEGATIVE_INFINITY);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Compares by code units, which is the same on every machine. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** How many rules passed or were violated. */
export const judgedOf = (rules: readonly Pick<RuleVerdict, 'verdict'>[]): number =>
  rules.filter(({ verdict }) => verdict === 'passed' || verdict === 'violated').length;

/** How many rules have which verdict. A violated SHOULD counts as a warning. */
export function summarize(rules: readonly Pick<RuleVerdict, 'level' | 'verdict'>[]): Report['summary'] {
  const count = (wanted: RuleVerdict['verdict'], level?: RuleVerdict['level']) =>
    rules.filter((rule) => rule.verdict === wanted && (level === undefined || rule.level === level)).length;
  return {
    passed: count('passed'),
    violated: count('violated', 'MUST'),
    warned: count('violated', 'SHOULD'),
    untested: count('untested'),
    notApplicable: count('not-applicable'),
    inconclusive: count('inconclusive'),
  };
}

// Groups violations that probably have one cause, by what they have in common. No verdict depends on it.

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
  { exchanges, others, signature, actual }: Violation,
  byId: ReadonlyMap<number, Shown>,
  judged: (operation: OperationId) => number,
): Map<string, Trait> {
  const traits = new Map<string, Trait>();
  const add = (rank: number, name: string, least = 2) => traits.set(name, { rank, least });
  for (const id of [...exchanges, ...others]) {
    const { operation, response } = byId.get(id) ?? {};
    add(0, `#${id}, ${operation ?? 'a request'} answered ${response?.status ?? 'by nothing'}`);
  }
  const alike = requirement(actual).replaceAll(/\d+/g, '…');
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
