// The cost of generating everything, compared with generating the types only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternating, mustRunNode, ratios, type Scale, type Section, show, spread } from './measure.js';

export async function bench({ quick }: Scale): Promise<Section> {
  const rounds = quick ? 1 : 5;
  const scratch = await mkdtemp(join(tmpdir(), 'bench-generate-'));
  const seconds = async (...args: string[]) => (await mustRunNode(args)).ms / 1000;
  const types = join(scratch, 'types.ts');
  try {
    const { all, bare } = await alternating(rounds, {
      all: () => seconds('scripts/run.js', 'generate', '--to', join(scratch, 'generated')),
      bare: () => seconds('node_modules/openapi-typescript/bin/cli.js', 'openapi/openapi.yaml', '--output', types),
    });
    return {
      title: '`generate` beside bare openapi-typescript',
      how:
        `Each as a process from start to exit, ${rounds} times, in turns, from the same sources. openapi-typescript ` +
        'writes the types alone; `generate` also bundles the document, compiles the validators, reads the register and ' +
        'writes and formats nine files.',
      columns: ['', 'generate, seconds', 'openapi-typescript, seconds', 'ratio'],
      rows: [['all / types alone', show(spread(all)), show(spread(bare)), show(ratios(all, bare))]],
      aims: [
        {
          says: 'at most 1.3 times bare openapi-typescript',
          was: ratios(all, bare).median.toFixed(2),
          met: ratios(all, bare).median <= 1.3,
        },
      ],
    };
  } finally {
    await rm(scratch, { recursive: true });
  }
}
