import { expect, test } from 'vitest';
import { successOf } from '../../../../conformance/suite/errors/gaps.js';
import { gather } from '../../../../conformance/suite/views.js';
import { facts, inOrder, type Sketch } from '../../../support/evidence.js';

const answered = (status: number, body?: unknown): Sketch => ({ operation: 'execute', status, body });

test.each<[name: string, isBodyOpen: boolean, given: Sketch[], want: string[]]>([
  ['each status', false, [answered(204), answered(200, {}), answered(204)], ['200', '204']],
  ['no body', true, [answered(204)], ['204 without a body']],
  ['the fields of a body', true, [answered(200, { id: '1', deleted: true })], ['200 with a body (deleted, id)']],
  ['another body', true, [answered(200, true)], ['200 with a body']],
  ['no refusal', true, [answered(404, {})], []],
  ['no other operation', true, [{ operation: 'getExecution', status: 201, body: {} }], []],
])('%s', (_, isBodyOpen, given, want) => {
  expect(successOf('execute', isBodyOpen)(gather(inOrder(given)), facts())).toEqual(want);
});
