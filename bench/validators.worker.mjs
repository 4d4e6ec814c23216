// Plain JavaScript, so that no loader is measured: how long one way to validate takes to start, and then for each body.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [side, samplesFile, folder, repeats] = process.argv.slice(2);
const samples = JSON.parse(readFileSync(samplesFile, 'utf8'));
const contract = () => JSON.parse(readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8'));

const starts = {
  async generated() {
    const { responseValidator } = await import('../generated/validators.js');
    return ({ operation, status, body }) => responseValidator(operation, status)(body);
  },
  async ajv() {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const { default: formats } = await import('ajv-formats');
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    const document = contract();
    ajv.addSchema(document, 'contract');
    const pointed = (part) =>
      part.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const byOperation = {};
    for (const [path, item] of Object.entries(document.paths))
      for (const [method, { operationId, responses }] of Object.entries(item))
        if (operationId)
          byOperation[operationId] = Object.fromEntries(
            Object.entries(responses).map(([status, { $ref }]) => {
              const place = $ref ?? `#/paths/${pointed(path)}/${method}/responses/${status}`;
              return [status, ajv.compile({ $ref: `contract${place}/content/application~1json/schema` })];
            }),
          );
    return ({ operation, status, body }) => {
      const byStatus = byOperation[operation];
      return (byStatus[status] ?? byStatus[`${Math.floor(status / 100)}XX`])(body);
    };
  },
  async 'openapi-backend'() {
    const { OpenAPIBackend } = createRequire(join(folder, 'package.json'))('openapi-backend');
    const api = new OpenAPIBackend({
      definition: contract(),
      quick: true,
      ajvOpts: { strict: false, allErrors: true },
    });
    await api.init();
    return ({ operation, status, body }) => !api.validator.validateResponse(body, operation, status).errors?.length;
  },
};

const begun = performance.now();
const validate = await starts[side]();
validate(samples[0]);
const startMs = performance.now() - begun;
const known = samples.find(({ operation, status }) => operation === 'getExecution' && status === 200);
if (validate({ ...known, body: { ...known.body, status: 'unheard-of' } })) throw new Error(`${side} refuses nothing`);
const refused = samples.filter((sample) => !validate(sample)).length;
const round = () => {
  const from = performance.now();
  for (const sample of samples) validate(sample);
  return ((performance.now() - from) * 1000) / samples.length;
};
const rounds = Array.from({ length: Number(repeats) * 2 }, round).slice(Number(repeats));
rounds.sort((a, b) => a - b);
console.log(JSON.stringify({ startMs, eachUs: rounds[Math.floor(rounds.length / 2)], refused }));
