import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { freshModules } from '../support/fresh-modules.js';

vi.mock('node:child_process', () => ({
  spawn: () => {
    const child = new EventEmitter();
    setImmediate(() => child.emit('error', new Error('spawn EAGAIN')));
    return child;
  },
}));

freshModules();
const { keepPrism } = await import('../../mock/prism.js');

it('reports that no process can be started for Prism, tries again on the next request, and still ends', async () => {
  const prism = keepPrism({ document: 'openapi.json', dynamic: false, notice: () => {} });
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(prism.origin()).rejects.toMatchObject({
      exitCode: 2,
      message: 'Prism cannot be started: spawn EAGAIN.',
    });
  await prism.stop();
});
