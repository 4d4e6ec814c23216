// Compares the generated validators with the same schemas compiled at the start of the process, by ajv and
// openapi-backend.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { responseValidator } from '../generated/validators.js';
import { checkInProcess } from '../proof/in-process.js';
import { Unavailable, withPackages } from './install.js';
import { alternating, mustRunNode, ratios, root, type Scale, type Section, show, spread } from './measure.js';

const openapiBackend = '5.21.2';

interface Measured {
  readonly startMs: number;
  readonly eachUs: number;
  /** How many answers of a conformant service were refused. */
  readonly refused: number;
}

export async function bench(scale: Scale): Promise<Section> {
  try {
    if (scale.quick) throw new Unavailable('openapi-backend is left out of a quick run');
    return await withPackages([`openapi-backend@${openapiBackend}`], (folder) => measure(scale, folder));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { ...(await measure(scale)), notes: [`${error.message}.`] };
  }
}

async function measure({ quick }: Scale, folder?: string): Promise<Section> {
  const rounds = quick ? 1 : 9;
  const scratch = await mkdtemp(join(tmpdir(), 'bench-validators-'));
  try {
    const file = join(scratch, 'samples.json');
    const samples = await answers();
    await writeFile(file, JSON.stringify(samples));
    const side = (name: string) => async (): Promise<Measured> => {
      const worker = join(root, 'bench/validators.worker.mjs');
      return JSON.parse((await mustRunNode([worker, name, file, folder ?? '', quick ? '1' : '50'])).stdout);
    };
    const measured = await alternating(rounds, {
      generated: side('generated'),
      ajv: side('ajv'),
      'openapi-backend': folder === undefined ? undefined : side('openapi-backend'),
    });
    const values = (name: keyof typeof measured, key: keyof Measured) => measured[name].map((one) => one[key]);
    const names = (Object.keys(measured) as (keyof typeof measured)[]).filter((name) => measured[name].length > 0);
    const refused = (name: keyof typeof measured) => String(values(name, 'refused')[0]);
    return {
      title: 'The generated validators beside validators compiled at run time',
      how:
        `${samples.length} answers of a conformant reference service, validated in processes of their own, ` +
        `${rounds} times each, in turns. The start is from import to the first verdict, with the validators of every ` +
        'response compiled. All report every error. openapi-backend does not know the format `uuid` and others, which ' +
        'ajv and the generated validators check.',
      columns: ['', 'start, ms', 'start / generated', 'each, µs', 'each / generated', 'valid answers refused'],
      rows: names.map((name) => [
        name === 'ajv' ? 'ajv at run time' : name,
        show(spread(values(name, 'startMs')), 1),
        show(ratios(values(name, 'startMs'), values('generated', 'startMs')), 1),
        show(spread(values(name, 'eachUs'))),
        show(ratios(values(name, 'eachUs'), values('generated', 'eachUs')), 1),
        refused(name),
      ]),
      ...(folder && { versions: { 'openapi-backend': openapiBackend } }),
    };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** The answers of a conformant service in a run of the suite. */
async function answers() {
  const { evidence } = await checkInProcess({});
  return evidence.exchanges.flatMap(({ operation, response }) =>
    operation && response?.body.kind === 'json' && responseValidator(operation, response.status)
      ? [{ operation, status: response.status, body: response.body.value }]
      : [],
  );
}
