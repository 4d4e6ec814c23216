import { type FileHandle, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openOutputs } from '../../cli/outputs.js';

const opened = vi.hoisted((): FileHandle[] => []);
vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof import('node:fs/promises')>();
  const open: typeof files.open = async (...args) => {
    const handle = await files.open(...args);
    opened.push(handle);
    return handle;
  };
  return { ...files, open };
});

it('closes what was opened when another output cannot be', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outputs-'));
  try {
    const files = [join(folder, 'report.json'), join(folder, 'none/report.xml')];
    await expect(openOutputs(files, process.stdout)).rejects.toThrow('its folder does not exist');
    expect(opened.map(({ fd }) => fd)).toEqual([-1]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
