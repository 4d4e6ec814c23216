import { expect, test, vi } from 'vitest';
import type * as generated from '../../generated/operations.js';
import type { Behaviour } from '../../reference/behaviour/index.js';
import type { Call } from '../../reference/call.js';
import type { Choices } from '../../reference/choices.js';
import { freshModules } from '../support/fresh-modules.js';

const header = (name: string, isList: boolean) => ({ name, required: false, type: 'string', isList, sample: '' });

vi.mock('../../generated/operations.js', async (original) => {
  const module = await original<typeof generated>();
  const headerParameters = [header('If-Modified-Since', false), header('Tags', true), header('If-Match', false)];
  const getExecution = { ...module.operations.getExecution, headerParameters };
  return { ...module, operations: { ...module.operations, getExecution } };
});
vi.mock('../../generated/validators.js', () => {
  const takesAll = () => true;
  return { parameters: { getExecution: { 'If-Modified-Since': takesAll, Tags: takesAll, 'If-Match': takesAll } } };
});

freshModules();
const { readParameters } = await import('../../reference/http/parameters.js');

test('a header that is no list is read whole, with its commas', () => {
  const headers = new Headers({ 'If-Modified-Since': 'Wed, 21 Oct 2026 07:28:00 GMT', Tags: 'a, b' });
  const call = { operation: 'getExecution', id: 'e', inPath: {}, query: new URLSearchParams(), headers };
  const behaviour = { takesInPath: () => true } as unknown as Behaviour;
  expect(readParameters(call as unknown as Call, behaviour, {} as Choices).header).toEqual({
    'If-Modified-Since': 'Wed, 21 Oct 2026 07:28:00 GMT',
    Tags: ['a', 'b'],
  });
});
