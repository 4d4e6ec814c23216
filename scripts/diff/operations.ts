/** Compares the operations of two contracts. */

import type { Document } from '../generate/document.js';
import { resolve } from '../generate/resolve.js';
import type { Schema } from '../generate/schema.js';
import { shown } from './excess.js';
import { isAnything, type Normal, type Note } from './normal.js';
import { normalise, type Use } from './normalise.js';
import { type Difference, noteDifferences, schemaDifferences } from './schemas.js';

/** A difference, and where it is used: `request of execute`. */
export interface UsedDifference extends Difference {
  readonly use: string | undefined;
}

type Node = Readonly<Record<string, unknown>>;

/** A part of a document, with its JSON pointer. */
interface Part {
  readonly document: Document;
  readonly node: Node;
  readonly at: string;
}

interface OperationPart extends Part {
  readonly id: string;
  readonly name: string;
  readonly parameters: ReadonlyMap<string, Part>;
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace'];

/** The differences in the operations of two contracts. */
export function* operationDifferences(before: Document, after: Document): Generator<UsedDifference> {
  const [old, now] = [operationsIn(before), operationsIn(after)];
  const come = new Map([...now].flatMap(([key, operation]) => (old.has(key) ? [] : [[operation.id, operation]])));
  for (const [key, operation] of old) {
    const use = `request of ${operation.id}`;
    const moved = now.has(key) ? undefined : come.get(operation.id);
    const counterpart = now.get(key) ?? moved;
    if (moved)
      yield {
        ...tell(moved, '', `${operation.name} is now ${moved.name}.`, 'callers'),
        use,
        ...staleStart(operation.name, [...now.values()]),
      };
    if (counterpart) yield* ofOperation(operation, counterpart);
    else yield { ...tell(operation, '', `${operation.name} is gone.`, 'callers'), use, gone: operation.id };
    if (moved) come.delete(moved.id);
  }
  for (const operation of come.values())
    yield { ...tell(operation, '', `${operation.name} is new.`, 'services'), use: `request of ${operation.id}` };
}

/** The shortest beginning of a path with which none begins now. */
function staleStart(name: string, now: readonly OperationPart[]): Pick<Difference, 'stale'> {
  const pathIn = (text: string) => text.slice(text.indexOf('/'));
  const [literal = ''] = pathIn(name).split('/{', 1);
  const starts = [...`${literal}/`.matchAll(/(?<=.)\//g)].map(({ index }) => literal.slice(0, index));
  const stale = starts.find((start) => now.every((other) => !`${pathIn(other.name)}/`.startsWith(`${start}/`)));
  return stale === undefined ? {} : { stale: `${stale}\\b` };
}

/** The operations by method and path, whatever their path parameters are called. */
export function operationsIn(document: Document): ReadonlyMap<string, OperationPart> {
  const operations = new Map<string, OperationPart>();
  for (const [path, item] of Object.entries(document.paths))
    for (const method of methods) {
      const at = `#/paths/${escaped(path)}`;
      const node = (item as Node)[method] as Node | undefined;
      if (!node) continue;
      const name = `${method.toUpperCase()} ${path}`;
      const names = [...path.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]);
      const listed = [
        [item as Node, at],
        [node, `${at}/${method}`],
      ].flatMap(([from, at]) =>
        (((from as Node).parameters ?? []) as unknown[]).map((one, index) =>
          follow(document, one, `${at}/parameters/${index}`),
        ),
      );
      const parameters = new Map(
        listed.map((part) => {
          const { name, in: where } = part.node as { name: string; in: string };
          if (where === 'path') return [`path ${names.indexOf(name)}`, part] as const;
          return [`${where} ${where === 'header' ? name.toLowerCase() : name}`, part] as const;
        }),
      );
      operations.set(name.replaceAll(/\{[^}]*\}/g, '{}'), {
        ...{ document, node, at: `${at}/${method}`, name, parameters },
        id: typeof node.operationId === 'string' ? node.operationId : name,
      });
    }
  return operations;
}

function* ofOperation(before: OperationPart, after: OperationPart): Generator<UsedDifference> {
  const uses = { request: `request of ${after.id}`, response: `answers of ${after.id}` };
  const used = function* (use: Use | undefined, differences: Iterable<Difference>) {
    for (const difference of differences) yield { ...difference, use: use && uses[use] };
  };
  if (before.id !== after.id) {
    const says = `operationId: ${before.id} → ${after.id}. The method of the client is called so as well.`;
    yield { ...tell(after, 'operationId', says, 'clients'), use: undefined, gone: before.id };
  }
  yield* used(undefined, noteDifferences(notesIn(before, operationKeywords), notesIn(after, operationKeywords)));
  yield* used(undefined, noteDifferences(traitsIn(before), traitsIn(after)));
  yield* used('request', ofSecurity(before, after));
  yield* used('request', ofParameters(before.parameters, after.parameters));
  yield* used('request', ofRequest(before, after));
  yield* used('response', ofResponses(before, after));
}

const operationKeywords = ['operationId', 'security', 'parameters', 'requestBody', 'responses', 'x-operation'];

/** Each trait by itself. */
const traitsIn = ({ node, at }: OperationPart): Note[] =>
  notesIn({ node: (node['x-operation'] ?? {}) as Node, at: `${at}/x-operation` }, []);

function* ofSecurity(before: OperationPart, after: OperationPart): Generator<Difference> {
  const [old, now] = [keysOf(before), keysOf(after)];
  const isMet = (keys: readonly string[], by: readonly string[]) => keys.every((key) => by.includes(key));
  const refused = old.all.some((keys) => !now.all.some((wanted) => isMet(wanted, keys)));
  const further = now.all.some((keys) => !old.all.some((wanted) => isMet(wanted, keys)));
  if (!refused && !further) return;
  const says = `The key: ${named(old.all)} → ${named(now.all)}.`;
  yield { at: now.at, says, breaks: refused ? 'callers' : 'services' };
}

const named = (all: readonly (readonly string[])[]) =>
  all.map((keys) => keys.join(' with ') || 'none').join(', or ') || 'none';

/** The alternatives of keys that an operation takes; of each alternative, all are needed. */
function keysOf({ document, node }: OperationPart): { all: string[][]; at: string } {
  const requirements = (node.security ?? document.security ?? []) as Record<string, string[]>[];
  const all = requirements.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]) => {
      const scheme = document.components.securitySchemes[name];
      const what =
        scheme?.type === 'apiKey'
          ? `${scheme.in} ${scheme.name}`
          : JSON.stringify({ ...scheme, description: undefined });
      return scopes.length > 0 ? `${what} (${[...scopes].sort().join(', ')})` : what;
    }),
  );
  const [first = ''] = Object.keys(requirements[0] ?? {});
  return { all: all.length > 0 ? all : [[]], at: `#/components/securitySchemes/${escaped(first)}` };
}

function* ofParameters(before: ReadonlyMap<string, Part>, after: ReadonlyMap<string, Part>): Generator<Difference> {
  for (const [key, part] of before) {
    const counterpart = after.get(key);
    if (!counterpart) {
      const says = `The ${part.node.in} parameter \`${part.node.name}\` is gone.`;
      yield { ...tell(part, '', says, 'callers'), gone: String(part.node.name) };
    } else yield* ofParameter(part, counterpart);
  }
  for (const [key, part] of after)
    if (!before.has(key)) {
      const says = `The ${part.node.in} parameter \`${part.node.name}\` is new${part.node.required ? ', and required' : ''}.`;
      yield { ...tell(part, '', says, part.node.required ? 'callers' : 'services'), come: String(part.node.name) };
    }
}

/** How a parameter is serialised, with defaults filled in. */
function writtenAs({ node }: Part): Node {
  const style = node.style ?? (['query', 'cookie'].includes(String(node.in)) ? 'form' : 'simple');
  const { explode = style === 'form', allowReserved = false, allowEmptyValue = false, content } = node;
  return { style, explode, allowReserved, allowEmptyValue, content };
}

function* ofParameter(before: Part, after: Part): Generator<Difference> {
  yield* ofRequired(before, after, 'callers');
  const [old, now] = [writtenAs(before), writtenAs(after)];
  for (const keyword of Object.keys(old))
    if (JSON.stringify(old[keyword]) !== JSON.stringify(now[keyword]))
      yield tell(after, keyword, `${keyword}: ${shown(old[keyword])} → ${shown(now[keyword])}.`, 'callers');
  yield* ofSchema(before, after, 'request');
  const keywords = ['in', 'required', 'schema', 'examples', ...Object.keys(old)];
  yield* noteDifferences(notesIn(before, keywords), notesIn(after, keywords));
}

/** A field that becomes required breaks those who omit it; one that becomes optional, those who rely on it. */
function* ofRequired(before: Part, after: Part, whenRequired: 'callers' | 'services'): Generator<Difference> {
  const [old, now] = [before.node.required === true, after.node.required === true];
  const whenNot = whenRequired === 'callers' ? 'services' : 'callers';
  if (old !== now)
    yield tell(
      after,
      'required',
      now ? 'It is required now.' : 'It is no longer required.',
      now ? whenRequired : whenNot,
    );
}

function* ofRequest(before: OperationPart, after: OperationPart): Generator<Difference> {
  const [old, now] = [before, after].map((part) => partOf(part, 'requestBody'));
  if (!old && now)
    yield tell(
      now,
      '',
      `A body is new${now.node.required ? ', and required' : ''}.`,
      now.node.required ? 'callers' : 'services',
    );
  if (old && !now) yield tell(old, '', 'There is no body any more.', 'callers');
  if (!old || !now) return;
  yield* ofRequired(old, now, 'callers');
  yield* ofContent(old, now, 'request');
  yield* noteDifferences(notesIn(old, ['required', 'content']), notesIn(now, ['required', 'content']));
}

function* ofResponses(before: OperationPart, after: OperationPart): Generator<Difference> {
  const [old, now] = [before, after].map(({ document, node, at }) => {
    const entries = Object.entries(node.responses as Node);
    return new Map(entries.map(([status, one]) => [status, follow(document, one, `${at}/responses/${status}`)]));
  });
  if (!old || !now) return;
  for (const status of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [covering(old, status), covering(now, status)];
    const isSplit =
      old.has(status) !== now.has(status) && [...old.keys()].some((one) => covers(one, status) && now.has(one));
    // If a status of a range gets an entry of its own, the range says the same: only breaking differences count.
    if (was && is) for (const one of ofResponse(was, is)) if (!isSplit || one.breaks !== undefined) yield one;
    // The response may be a component, but a status belongs to its operation.
    const at = `${(now.has(status) ? after : before).at}/responses/${status}`;
    const of = {
      ...(status.startsWith('2') && { succeeds: after.id }),
      ...(/^4\d\d$/.test(status) && { fails: after.id }),
    };
    if (was && !is) {
      const left = [...now.keys()].filter((one) => one !== status && covers(status, one) && !old.has(one));
      const says =
        left.length > 0 ? `Of ${status} there is only ${left.join(' and ')} left.` : `${status} is answered no more.`;
      yield { at, says, breaks: left.length > 0 ? 'services' : 'callers', ...of };
    } else if (is && !was) {
      // Callers must expect any error status, but what they do after a success depends on its status.
      const breaks = /^(?:[45]|default)/.test(status) ? undefined : 'callers';
      yield { at, says: `${status} is answered now.`, breaks, ...of };
    } else if (!now.has(status))
      yield { at, says: `${status} is no longer told apart from others.`, breaks: undefined, ...of };
    else if (!old.has(status)) {
      const range = [...old.keys()].find((one) => covers(one, status));
      if (range && now.has(range))
        yield { at, says: `${status} is told apart from ${range} now.`, breaks: undefined, ...of };
    }
  }
}

/** The response for a status, from the status itself, its range or `default`. */
const covering = (responses: ReadonlyMap<string, Part>, status: string): Part | undefined =>
  responses.get(status) ?? responses.get(`${status[0]}XX`) ?? responses.get('default');

const covers = (range: string, status: string) =>
  range === 'default' || (range.endsWith('XX') && range[0] === status[0]);

function* ofResponse(before: Part, after: Part): Generator<Difference> {
  yield* ofContent(before, after, 'response');
  yield* ofHeaders(before, after);
  yield* noteDifferences(notesIn(before, ['content', 'headers']), notesIn(after, ['content', 'headers']));
}

function* ofHeaders(before: Part, after: Part): Generator<Difference> {
  const [old, now] = [before, after].map((part) => {
    const entries = Object.entries((part.node.headers ?? {}) as Node);
    return new Map(
      entries.map(([name, one]) => [
        name.toLowerCase(),
        follow(part.document, one, `${part.at}/headers/${escaped(name)}`),
      ]),
    );
  });
  for (const [name, part] of old ?? []) {
    const counterpart = now?.get(name);
    if (!counterpart) yield tell(part, '', `The header \`${name}\` is gone.`, 'callers');
    else {
      yield* ofRequired(part, counterpart, 'services');
      yield* ofSchema(part, counterpart, 'response');
    }
  }
  for (const [name, part] of now ?? [])
    if (!old?.has(name))
      yield tell(part, '', `The header \`${name}\` is new.`, part.node.required ? 'services' : undefined);
}

/** Without the charset: JSON has none, and a decoder reads the same texts in each. */
const mediaTypeOf = (name: string): string => name.toLowerCase().replace(/\s*;\s*charset=[^;]*/, '');

function* ofContent(before: Part, after: Part, use: Use): Generator<Difference> {
  const [old, now] = [before, after].map((part) => {
    const entries = Object.entries((part.node.content ?? {}) as Record<string, Node>);
    return new Map(
      entries.map(([type, node]) => [mediaTypeOf(type), { ...part, node, at: `${part.at}/content/${escaped(type)}` }]),
    );
  });
  for (const [type, part] of old ?? []) {
    const counterpart = now?.get(type);
    if (!counterpart) {
      // A response that may be anything or nothing promises nothing.
      const isPromise = use === 'request' || !isAnything(normalOf(part));
      yield tell(part, '', `There is no ${type} any more.`, isPromise ? 'callers' : undefined);
    } else {
      yield* ofSchema(part, counterpart, use);
      yield* noteDifferences(examplesOf(part), examplesOf(counterpart));
    }
  }
  for (const [type, part] of now ?? [])
    if (!old?.has(type)) yield tell(part, '', `${type} is new.`, use === 'request' ? 'services' : undefined);
}

/** Skip schemas with equal texts: the comparison is slow and would find nothing. */
function* ofSchema(before: Part, after: Part, use: Use): Generator<Difference> {
  if (wordsOf(before) !== wordsOf(after)) yield* schemaDifferences(normalOf(before), normalOf(after), use);
}

/** The text of a schema and of all that it refers to. */
function wordsOf({ document, node }: Part): string {
  const words = new Map<string, string>();
  const add = (place: string, part: unknown) => {
    const text = JSON.stringify(part) ?? '';
    words.set(place, text);
    for (const [, ref = ''] of text.matchAll(/"\$ref":"(#\/[^"]+)"/g))
      if (!words.has(ref)) add(ref, resolve(document, { $ref: ref }));
  };
  add('', node.schema);
  return JSON.stringify([...words]);
}

const normalOf = ({ document, node, at }: Part): Normal =>
  normalise(document, (node.schema ?? true) as Schema, `${at}/schema`);

function examplesOf({ document, node, at }: Part): Note[] {
  return Object.entries((node.examples ?? {}) as Node).map(([name, example]) => {
    const followed = follow(document, example, `${at}/examples/${escaped(name)}`);
    return { keyword: `example ${name}`, value: followed.node, at: followed.at };
  });
}

/** All keywords of a part except for the given ones, as notes. */
export function notesIn({ node, at }: Pick<Part, 'node' | 'at'>, without: readonly string[]): Note[] {
  return Object.entries(node).flatMap(([keyword, value]) =>
    without.includes(keyword) || (keyword === 'deprecated' && value === false)
      ? []
      : (keyword === 'x-gap' ? [value].flat() : [value]).map((one) => ({
          keyword,
          value: one,
          at: `${at}/${keyword}`,
        })),
  );
}

const partOf = ({ document, node, at }: Part, keyword: string): Part | undefined =>
  node[keyword] === undefined ? undefined : follow(document, node[keyword], `${at}/${keyword}`);

function follow(document: Document, value: unknown, at: string): Part {
  const { $ref } = value as { $ref?: string };
  return { document, node: resolve<Node>(document, value), at: $ref ?? at };
}

const tell = ({ at }: Pick<Part, 'at'>, keyword: string, says: string, breaks: Difference['breaks']): Difference => ({
  at: keyword ? `${at}/${keyword}` : at,
  says,
  breaks,
});

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
