/** How the body of a failure is judged where the contract lists one of its own for a status. */
import { afterAll, beforeAll } from 'vitest';
import type { SchemaError } from '../../../../conformance/engine/contract.js';
import { judges } from '../../../../conformance/suite/judges.js';
import { operations } from '../../../../generated/operations.js';
import { responses, type Validator } from '../../../../generated/validators.js';
import type { Sketch } from '../../../support/evidence.js';
import { judgeTable } from '../../../support/judge-table.js';

/** Its code is 409, and it names what is in the way. */
const conflict: Validator<unknown> = (value): value is unknown => {
  const { code, other } = value as Record<string, unknown>;
  const errors: SchemaError[] = [];
  const at = { instancePath: '', schemaPath: '' };
  if (code !== 409) errors.push({ ...at, keyword: 'enum', instancePath: '/code', params: { allowedValues: [409] } });
  if (other === undefined) errors.push({ ...at, keyword: 'required', params: { missingProperty: 'other' } });
  conflict.errors = errors;
  return errors.length === 0;
};
const listed = [operations.updateProfile.responses, responses.updateProfile] as Record<string, unknown>[];
beforeAll(() => {
  for (const [index, statuses] of listed.entries()) statuses['409'] = ['error', conflict][index];
});
afterAll(() => {
  for (const statuses of listed) delete statuses['409'];
});

const refused = (body: unknown, status = 409): Sketch[] => [{ operation: 'updateProfile', status, body, mark: {} }];
const message = 'm';

judgeTable('simple-error-shape', judges['simple-error-shape'], {
  'satisfied: all required fields': refused({ code: 409, message, other: 'o' }),
  'satisfied: another code, which has a rule of its own': refused({ code: 1, message, other: 'o' }),
  'violated: without a field listed for this status': { given: refused({ code: 409, message }), says: 'lacks other' },
  'violated: without a common field': { given: refused({ code: 409, other: 'o' }), says: 'lacks message' },
  'satisfied: another status, whose body has no fields of its own': refused({ code: 404, message }, 404),
  'ignored: a status that is not listed': refused({ code: 410, message }, 410),
});

judgeTable('simple-error-code', judges['simple-error-code'], {
  'satisfied: the status': refused({ code: 409, message }),
  'violated: another code': { given: refused({ code: 1, message, other: 'o' }), says: 'code 409' },
  'ignored: a status that is not listed': refused({ code: 1, message }, 410),
});
