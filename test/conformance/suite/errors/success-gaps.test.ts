import { expect, test } from 'vitest';
import { successOf } from '../../../../conformance/suite/errors/success-gaps.js';
import { gather } from '../../../../conformance/suite/views.js';
import { facts, inOrder, type Sketch } from '../../../support/evidence.js';

const deleted = (status: number, body?: unknown): Sketch => ({ operation: 'deletePool', status, body });

test.each<[name: string, isBodyOpen: boolean, given: Sketch[], want: string[]]>([
  ['each status', false, [deleted(204), deleted(200, {}), deleted(204)], ['200', '204']],
  ['no body', true, [deleted(204)], ['204 without a body']],
  ['the fields of a body', true, [deleted(200, { id: '1', deleted: true })], ['200 with a body (deleted, id)']],
  ['another body', true, [deleted(200, true)], ['200 with a body']],
  ['nothing of a refusal', true, [deleted(404, {})], []],
  ['nothing of another operation', true, [{ operation: 'duplicateProfile', status: 201, body: {} }], []],
])('%s', (_, isBodyOpen, given, want) => {
  expect(successOf('deletePool', isBodyOpen)(gather(inOrder(given)), facts())).toEqual(want);
});
