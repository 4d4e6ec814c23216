import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { changesBetween } from '../../../scripts/diff/changes.js';
import { contractAt } from '../../../scripts/diff/contract.js';
import { diffText } from '../../../scripts/diff/report.js';
import type { Document } from '../../../scripts/generate/document.js';
import { document } from '../../contract/document.js';
import { temporaryFolder } from '../../support/folder.js';

afterEach(() => vi.unstubAllEnvs());

test('changes that break only callers of generated clients have a section and a count of their own', () => {
  const before = structuredClone(document) as unknown as { components: { schemas: Record<string, unknown> } };
  before.components.schemas.Gone = { type: 'object' };
  const changes = changesBetween(
    { document: before as unknown as Document, register: undefined },
    { document, register: undefined },
  );
  expect(diffText(changes, [], 'main')).toBe(`Breaking for callers of generated clients alone
  schemas/Gone
      No schema is called Gone any more, nor is a type of the client.

Since main: 0 breaking, 1 for generated clients alone, 0 not breaking.
`);
});

test('a file is found relative to the folder where npm was called', async () => {
  const project = fileURLToPath(new URL('../../..', import.meta.url));
  vi.stubEnv('INIT_CWD', join(project, 'generated'));
  const contract = await contractAt('openapi.json', project, temporaryFolder());
  expect(Object.keys(contract.document.paths)).toEqual(Object.keys(document.paths));
});
