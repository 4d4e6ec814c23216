import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';

const folder = inject('installation');

/** Where the package is, as soon as it is installed. Throws what kept it from being. */
export async function installed() {
  while (!existsSync(join(folder, 'made'))) {
    if (existsSync(join(folder, 'failed'))) throw new Error(readFileSync(join(folder, 'failed'), 'utf8'));
    await sleep(100);
  }
  return { tarball: inject('tarball'), consumer: inject('consumer'), workshop: inject('workshop') };
}
