import { expect } from 'vitest';
import type { World } from '../world.js';

export const fileRules = {
  'files-are-grouped': async ({ files, target }: World) => {
    const { directories } = await files(target.execution);
    expect(Object.keys(directories).sort()).toEqual([
      'debug',
      'downloads',
      'shared',
      'tracing',
      'uploads',
      'workspace',
    ]);
  },
  'files-belong-to-execution': async (world: World) => {
    const { id, workflowId, agentId } = await world.run(world.target.workflows.writesFiles, {
      tempFiles: [world.target.tempFile],
    });
    const all = Object.values((await world.files(id)).directories).flat();
    expect(all).toHaveLength(6);
    for (const file of all) expect(file).toMatchObject({ executionId: id, workflowId, agentId });
  },
  'files-are-listed-once': async (world: World) => {
    const listings = await Promise.all(
      [1, 2].map(async () => {
        const { id } = await world.run(world.target.workflows.writesFiles);
        return Object.entries((await world.files(id)).directories);
      }),
    );
    const ids = listings.flat().flatMap(([, files]) => files.map((file) => file.id));
    expect([ids.length, new Set(ids).size]).toEqual([10, 10]);
    for (const [name, files] of listings.flat())
      for (const file of files) expect(file.directory.split('/').at(-1)).toBe(name);
  },
  'files-stay-listed': async (world: World) => {
    const { id } = await world.run(world.target.workflows.writesFiles);
    expect((await world.files(id)).directories).toEqual((await world.files(id)).directories);
  },
  'files-appear': async (world: World) => {
    const id = await world.start(world.target.workflows.writesFiles);
    const listed = async () => Object.values((await world.files(id)).directories).flat().length;
    await world.clock.advance(350);
    expect([(await world.read(id)).status, await listed()]).toEqual(['completed', 0]);
    await world.clock.advance(100);
    expect(await listed()).toBe(5);
  },
};
