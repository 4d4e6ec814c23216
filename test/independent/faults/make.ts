import type { Fault, Hooks, Level } from '../hooks.js';
import {
  type Answer,
  type Call,
  type Execution,
  type Fields,
  fieldsOf,
  isFields,
  type Profile,
  type Value,
} from '../state.js';
import type { Problem } from '../ways.js';

type Made = Partial<Hooks> | (() => Partial<Hooks>);
interface Implied {
  readonly implied: Made;
}

const faultOf =
  (level: Level) =>
  (id: string, made: Made): Fault => ({ id, level, make: typeof made === 'function' ? made : () => made });

/** Breaks what the interface says in words. */
export const must = faultOf('MUST');
/** Breaks what follows from what it says. */
export const should = faultOf('SHOULD');

/** Of a fault among others: it breaks what only follows. */
export const implied = (made: Made): Implied => ({ implied: made });

/** Faults by their ids. A comment quotes the sentence that those below it contradict. */
export const faultsOf = (made: Readonly<Record<string, Made | Implied>>): Fault[] =>
  Object.entries(made).map(([id, each]) => ('implied' in each ? should(id, each.implied) : must(id, each)));

/** Something of its own in one place. */
export const hook = <K extends keyof Hooks>(place: K, does: Hooks[K]) => ({ [place]: does }) as Pick<Hooks, K>;

/** A refusal in the place of some answers. */
export const refusing = (status: number, message: string, when: (call: Call, answer: Answer) => unknown) =>
  hook('answers', (a, c) => when(c, a) && Object.assign(a, { status, body: { code: status, message } }));

export const after = (change: Hooks['updates']) => hook('updates', change);
export const copies = (change: Hooks['copies']) => hook('copies', change);
export const shows = (change: Hooks['shows']) => hook('shows', change);

/** True each nth time that it is asked. */
export function everyNth(n: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % n === 0;
  };
}

/** Changes every text in a value, at any depth. */
export function mapTexts(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  return isFields(value) ? mapFields(value, (one) => mapTexts(one, change)) : value;
}

/** Changes every value of an object, or leaves it out. */
export const mapFields = (fields: Fields, change: (value: Value, name: string) => Value | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const changed = value === undefined ? undefined : change(value, name);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );

export const mapNames = (fields: Fields, change: (name: string) => string | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const changed = change(name);
      return changed === undefined ? [] : [[changed, value]];
    }),
  );

/** Changes every value that is not itself made of values, at any depth. */
export function mapLeaves(value: Value, change: (leaf: Value) => Value): Value {
  if (Array.isArray(value)) return value.map((one) => mapLeaves(one, change));
  return isFields(value) ? mapFields(value, (one) => mapLeaves(one, change)) : change(value);
}

/** Changes what a start puts in `inputs` or `metadata`. */
export const recorded = (field: 'inputs' | 'metadata' | 'options', change: (fields: Fields) => Fields) =>
  ({
    starts: (execution) => {
      if (execution[field]) execution[field] = change(fieldsOf(execution[field]));
    },
  }) satisfies Partial<Hooks>;

export const isSync = (call: Call) => call.operation === 'executeSync';
export const isStart = (call: Call) => call.operation === 'execute' || isSync(call);
export const isUpdate = (call: Call) => call.operation === 'updateProfile';
export const keyOf = ({ headers }: Call) => headers.get('X-Api-Key') ?? headers.get('X-Service-Agents-Api-Key') ?? '';
export const executionOf = (call: Call) => call.state.executions.get(call.id.toLowerCase());

/** Does not refuse a request for this problem, of any field or of one. */
export const lenient = (problem: Problem, field?: string, when: (call: Call) => unknown = () => true) =>
  hook('refuses', (p, call, f) => !(p === problem && (field === undefined || f === field) && when(call)));

export const cutAt = (length: number) => (text: string) => text.slice(0, length);

export const answersAs = (status: number, when: (call: Call, was: number) => boolean, message = 'Not this one.') =>
  refusing(status, message, (c, a) => when(c, a.status));
export const lists = (change: (files: Fields, e: Execution, call: Call) => void): Partial<Hooks> => ({
  lists: (view, e, call) => change(fieldsOf(view.directories), e, call),
});
export const emptied = (directories: Fields) => {
  for (const name of Object.keys(directories)) directories[name] = [];
};
export const added = (kind: 'cookies' | 'credentials', p: Profile, before: Profile) =>
  p[kind].filter((one) => !before[kind].some(({ id }) => id === one.id));
export const kin = (p: Profile, call: Call) =>
  [...call.state.profiles.values()].filter((one) => one.copyOf === p.id || one.id === p.copyOf);
