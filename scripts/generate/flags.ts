/** Generates generated/flags.ts. */

import type { Document, Operation } from './document.js';
import type { readRegister } from './register.js';
import { componentName, conjuncts } from './resolve.js';
import { source } from './text.js';

type Properties = Record<string, Record<string, unknown>>;
type Register = Pick<ReturnType<typeof readRegister>, 'rules' | 'statements'>;
type Part = Partial<Record<'properties', Properties> & Record<'if' | 'then', { properties?: Properties }>>;

/** The fields that a condition requires to be true. */
const truths = ({ properties = {} }: { properties?: Properties } = {}): string[] =>
  Object.entries(properties).flatMap(([field, { const: value }]) => (value === true ? [field] : []));

const union = (names: readonly string[]) => [...new Set(names)].map((name) => `'${name}'`).join(' | ') || 'never';

/** Generates the flags of updates: plain ones, those that need another, those with a gap; also words and ids. */
export function flagsModule(document: Document, operations: readonly Operation[], register: Register): string {
  const partsOf = (name: string) => conjuncts(document, { $ref: `#/components/schemas/${name}` }) as Part[];
  const propertiesOf = (name: string): Properties =>
    Object.assign({}, ...partsOf(name).map(({ properties }) => properties));
  /**
   * What updates of a profile may set, by what they show: other things that are changed have no flags that are tried.
   * Several may show one thing. What a PUT leaves out does not stay, so it is none.
   */
  const updates = new Map<string, Properties>();
  for (const { traits, method, request, responses } of operations) {
    const isOfProfile = traits.resource === 'profile' && traits.subject === 'profile';
    if (!isOfProfile || traits.effect !== 'changes' || method === 'PUT') continue;
    const sent = request?.body && componentName(request.body.schema);
    const shown = responses.flatMap(({ success, body }) => (success && body && componentName(body.schema)) || [])[0];
    if (sent !== undefined && shown !== undefined) updates.set(shown, { ...updates.get(shown), ...propertiesOf(sent) });
  }
  const all = [...updates].map(([shown, sent]) => ({ shown, sent }));
  const flags = all.flatMap(({ shown, sent }) =>
    Object.entries(propertiesOf(shown)).flatMap(([flag, { type, 'x-gap': gap }]) =>
      type === 'boolean' ? [{ flag, gap: [gap].flat()[0] as string | undefined, isSent: flag in sent }] : [],
    ),
  );
  const couplings = all.flatMap(({ shown }) =>
    partsOf(shown).flatMap((part) =>
      truths(part.if).flatMap((flag) =>
        truths(part.then).map((needs) => ({ rule: ruleOn(register, shown, flag), flag, needs })),
      ),
    ),
  );
  const coupled = couplings.flatMap(({ flag, needs }) => [needs, flag]);
  const open = flags.flatMap(({ flag, gap, isSent }) => (isSent && gap !== undefined ? [{ flag, gap }] : []));
  const plain = flags.flatMap(({ flag, gap, isSent }) =>
    isSent && gap === undefined && !coupled.includes(flag) ? [flag] : [],
  );
  const derived = flags.flatMap(({ flag, gap = null, isSent }) => (isSent ? [] : [{ flag, gap }]));
  const words = all.flatMap(({ shown, sent }) =>
    Object.entries(propertiesOf(shown)).flatMap(([field, { enum: values }]) =>
      Array.isArray(values) && field in sent ? [{ field, word: values[0] as string }] : [],
    ),
  );
  const ids = all.flatMap(({ shown, sent }) =>
    Object.entries(propertiesOf(shown)).flatMap(([field, { format }]) =>
      format === 'uuid' && field in sent ? [field] : [],
    ),
  );
  return `/** The flags that are shown. */
export type ShownFlag = ${union(flags.map(({ flag }) => flag))};

export const shownFlags: readonly ShownFlag[] = ${source(flags.map(({ flag }) => flag))};

/** A flag that an update sets, and that depends on nothing else. */
export type PlainFlag = ${union(plain)};

export const plainFlags: readonly PlainFlag[] = ${source(plain)};

/** A flag that can be on only if another one is, that other one, and the rule that says so. */
export interface Coupling {
  readonly rule: CouplingRule;
  readonly flag: CoupledFlag;
  readonly needs: CoupledFlag;
}

export type CoupledFlag = ${union(coupled)};

export type CouplingRule = ${union(couplings.map(({ rule }) => rule))};

export const couplings: readonly Coupling[] = ${source(couplings)};

/** A flag that an update may be refused to set, and the gap about that. */
export interface OpenFlag {
  readonly flag: ${union(open.map(({ flag }) => flag))};
  readonly gap: OpenFlagGap;
}

export type OpenFlagGap = ${union(open.map(({ gap }) => gap))};

export const openFlags: readonly OpenFlag[] = ${source(open)};

/** Flags that no update sets, each with its gap, if any. */
export const derivedFlags: readonly { readonly flag: ${union(derived.map(({ flag }) => flag))}; readonly gap: string | null }[] =
  ${source(derived)};

/** Settings that allow only certain words, each with the first of them. */
export const words: readonly { readonly field: ${union(words.map(({ field }) => field))}; readonly word: ${union(words.map(({ word }) => word))} }[] = ${source(words)};

/** Settings that are ids. */
export const idSettings: readonly (${union(ids)})[] = ${source(ids)};
`;
}

/** The rule that rests on the statement about a field. */
function ruleOn({ rules, statements }: Register, schema: string, field: string): string {
  const place = `schemas/${schema}.yaml#/properties/${field}`;
  const stated = statements.filter(({ contract = [] }) => contract.includes(place)).map(({ id }) => id);
  const rule = rules.find((one) => one.statements.some((id) => stated.includes(id)));
  if (!rule) throw new Error(`No rule rests on a statement of ${place}, which needs another field to be true.`);
  return rule.id;
}
