/** The stubs of a new operation. */

import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from '../generate/bundle.js';
import { type Operation, readOperations } from '../generate/document.js';
import { effects } from '../generate/traits.js';
import { type Place, type Stub, stubIn } from '../new-rule/stubs.js';

/** The placeholder for what must be written. It is defined nowhere, so stubs do not compile. */
export const toBeWritten = 'toBeWritten';

/** A new operation: its id, a similar existing one, and how it differs from that. */
export interface Wanted {
  readonly id: string;
  readonly like: string;
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  readonly effect?: string | undefined;
}

/** The suite's folder for each resource. */
const topics: Readonly<Record<string, string>> = {
  workflow: 'starts',
  execution: 'executions',
  file: 'files',
  profile: 'profiles',
  pool: 'pools',
};

/** The files that a new operation changes or adds. Throws if the id is taken, or there is no similar operation. */
export async function operationStubs(root: string, wanted: Wanted): Promise<Stub[]> {
  const { id, like } = wanted;
  if (!/^[a-z][a-zA-Z0-9]*$/.test(id)) throw new Error(`${id} is no operationId: words in camelCase.`);
  const operations = readOperations(await bundle(join(root, 'openapi/openapi.yaml')));
  const known = operations.map((one) => one.id);
  if (known.includes(id)) throw new Error(`${id} is there already.`);
  const beside = operations.find((one) => one.id === like);
  if (!beside) throw new Error(`${like} is no operation; there are ${known.join(', ')}.`);
  const {
    path = `${beside.path.replace(/(\})[^}]*$/, '$1')}/${kebab(id)}`,
    method = beside.method,
    effect = beside.traits.effect,
  } = wanted;
  if (!(effects as readonly string[]).includes(effect))
    throw new Error(`${effect} is no effect; there are ${effects.join(', ')}.`);
  const lastOf = (text: string) => [...text.matchAll(/\{(\w+?)(Id)?\}/g)].at(-1) ?? [];
  const [, named, isId] = lastOf(path);
  const isNew = named !== undefined && !(named in topics);
  // A path may name the thing in another way than by its id. An id of its own is that of a new resource.
  const subject = isNew ? (isId ? undefined : beside.traits.resource) : named;
  const resource = isId && named && named !== lastOf(beside.path)[1] ? named : beside.traits.resource;
  const topic = topics[subject ?? beside.traits.resource] ?? 'executions';
  const scenario: Stub = {
    file: `conformance/suite/${topic}/${kebab(id)}.ts`,
    text: `import type { Scenario } from '../driver.js';

/** What is sent to judge ${id}: to be written. The keys, ids and bodies that must be refused are sent already. */
export const ${id}: Scenario = ${toBeWritten};
`,
    what: 'the scenario: what is sent so that the rules of the operation can be judged',
  };
  // Operations that change or end an execution need a running one, and are sent in
  // conformance/suite/executions/roles.ts.
  const isSteered =
    named === 'execution' && beside.traits.resource === named && (effect === 'changes' || effect === 'ends');
  const made = [
    ...(await sources(root, beside, { id, path, method, effect, resource })),
    ...(isSteered ? [] : [scenario]),
  ];
  await mustBeNew(root, scenario.file);
  const others = [
    handler(id),
    ...(isSteered ? [] : [entry(id, topic)]),
    ...(subject === undefined ? [] : [unknownIds(id, subject)]),
  ];
  return [...made, ...(await Promise.all(others.map((place) => stubIn(root, place, id, like))))];
}

/** The stubs in the contract: the path, and its description. */
async function sources(
  root: string,
  beside: Operation,
  { id, path, method, effect, resource }: Record<'id' | 'path' | 'method' | 'effect' | 'resource', string>,
): Promise<Stub[]> {
  const folder = join(root, 'openapi/paths');
  const names = await readdir(folder);
  const all = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
  );
  const fileOf = (wanted: string) => all.find(({ text }) => text.startsWith(`x-path: ${wanted}\n`));
  const besideFile = all.find(({ text }) => text.includes(`operationId: ${beside.id}\n`));
  if (!besideFile) throw new Error(`No file of ${folder} has operationId: ${beside.id}.`);
  // A file has all operations of a path.
  const like = besideFile.text
    .split(/^(?=(?:get|put|post|delete|patch):$)/m)
    .filter((part, place) => place === 0 || part.includes(`operationId: ${beside.id}\n`))
    .join('');
  const there = fileOf(path);
  if (there && new RegExp(`^${method.toLowerCase()}:$`, 'm').test(there.text))
    throw new Error(`openapi/paths/${there.name} has ${method} of this path already.`);
  const file = `openapi/paths/${there?.name ?? `${kebab(id)}.yaml`}`;
  if (!there) await mustBeNew(root, file);
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const listed = parameters.map((name) => `  - $ref: ../parameters/${name}.yaml\n`);
  const described = await readdir(join(root, 'openapi/parameters'));
  // Without an example file, the example is in the path itself.
  const example = /examples\/([\w-]+)\.yaml/.exec(like.slice(like.indexOf('responses:')))?.[1];
  const shown = example === undefined ? '' : await readFile(join(root, `openapi/examples/${example}.yaml`), 'utf8');
  const text = like
    .replace(/^x-path: .*/, `x-path: ${path}`)
    .replace(/^parameters:\n(?: {2}- .*\n)+/m, listed.length > 0 ? `parameters:\n${listed.join('')}` : '')
    .replace(/^(?:get|put|post|delete|patch):$/m, `${method.toLowerCase()}:`)
    .replace(/^ {2}requestBody:\n(?: {4}.*\n)+/m, (request) => (/^(?:get|delete)$/i.test(method) ? '' : request))
    .replace(/operationId: .*/, `operationId: ${id}`)
    .replace(/(?<=x-operation: .*effect: )\w+/, effect)
    .replace(/(?<=x-operation: .*resource: )\w+/, resource)
    .replace(/summary: .*/, 'summary: To be written.')
    .replace(/description: (?:\|\n(?: {4}.*\n| *\n)+|.*\n)/, 'description: To be written.\n')
    .replace(new RegExp(`^( *)\\$ref: \\.\\./examples/${example}\\.yaml\n`, 'm'), (_, indent: string) =>
      shown.replace(/^summary: .*/, 'summary: To be written.').replaceAll(/^(?=.)/gm, indent),
    );
  return [
    {
      file,
      text: there ? `${there.text}${text.slice(text.indexOf(`\n${method.toLowerCase()}:\n`) + 1)}` : text,
      what: 'x-operation, words, request, answers and an example: now they are those of the operation beside it',
    },
    ...parameters
      .filter((name) => !described.includes(`${name}.yaml`))
      .map((name) => ({
        file: `openapi/parameters/${name}.yaml`,
        text: `name: ${name}
in: path
required: true
description: To be written.
schema:
  type: string
${name.endsWith('Id') ? '  format: uuid\nexample: 00000000-0000-4000-8000-000000000000' : 'example: To be written.'}
`,
        what: 'a parameter of its path; a new resource is listed in x-resources of openapi/openapi.yaml as well',
      })),
  ];
}

/** Beside the handler of the similar operation. */
const handler = (id: string): Place => ({
  folder: 'reference/handlers',
  at: (like) => new RegExp(`^ {4}(?:async )?${like}[(:].*$`, 'm'),
  stub: () => `    ${id}: ${toBeWritten},\n`,
  what: 'the handler of the reference service',
});

const entry = (id: string, topic: string): Place => ({
  folder: 'conformance/suite/scenarios.ts',
  at: () => /^ {2}keysAndIds,$/m,
  stub: () => `  ${id},\n`,
  what: 'the scenario among the others',
  also: (text) => `import { ${id} } from './${topic}/${kebab(id)}.js';\n${text}`,
});

/** The rule on unknown ids, which applies to every operation with an id in its path. */
const unknownIds = (id: string, subject: string): Place => ({
  folder: 'openapi/rules.yaml',
  at: () => new RegExp(`(?<=id: unknown-${subject}-is-404, level: \\w+, on: \\[)`),
  stub: () => `${id}, `,
  what: 'the rule of ids that nothing has, which holds for it as well',
  inLine: true,
});

const kebab = (id: string): string => id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

async function mustBeNew(root: string, file: string): Promise<void> {
  const isThere = await access(join(root, file)).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${file} is there already; choose another id.`);
}
