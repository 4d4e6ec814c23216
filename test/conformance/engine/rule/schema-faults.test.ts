import { expect, test } from 'vitest';
import { schemaFaults } from '../../../../conformance/engine/rule/schema-faults.js';
import { executionStatuses } from '../../../../generated/lifecycle.js';
import { requests, schemas, type Validator } from '../../../../generated/validators.js';
import { example } from '../../../support/sketches.js';

const running = example('getExecution', 'running');

test.each<[string, Validator<unknown>, unknown, string[]]>([
  ['nothing', schemas.SimpleError, { code: 1, message: 'm' }, []],
  ['a missing field', schemas.SimpleError, {}, ['the body lacks code', 'the body lacks message']],
  ['a type', schemas.SimpleError, [], ['the body is [], not of type object']],
  [
    'the place',
    schemas.StandardError,
    { code: 1, message: 'm', errors: [{ parameter: 'p' }] },
    ['/errors/0 lacks detail'],
  ],
  [
    'a format',
    schemas.StartedExecution,
    { executionId: 'e', status: 'queued' },
    ['/executionId is "e", not of format uuid'],
  ],
  [
    'an enumeration',
    schemas.Execution,
    { ...running, status: 'done' },
    [`/status is "done", not one of ${executionStatuses.join(', ')}`],
  ],
  [
    'bounds',
    requests.updateProfile,
    { name: '', description: 'd'.repeat(1001) },
    ['/name is "", shorter than 1', `/description is "${'d'.repeat(78)}…, longer than 1000`],
  ],
  ['bounds of a number', requests.executeSync, { timeoutSeconds: 26 }, ['/timeoutSeconds is 26, above 25']],
  ['an empty list', schemas.Execution, { ...running, scriptFailures: [] }, ['/scriptFailures is [], shorter than 1']],
  ['a forbidden field', schemas.Execution, { ...running, duration: 5 }, ['/duration is 5, and may not be there']],
  [
    'two fields that exclude each other',
    requests.execute,
    { head: true, version: 3 },
    ['/head is true, and may not be there beside /version', '/version is 3, and may not be there beside /head'],
  ],
  ['the fault, not the alternatives', requests.execute, { version: 'x' }, ['/version is "x", not of type integer']],
  [
    'a variant',
    schemas.Execution,
    { ...running, triggerContext: { source: 'api', apiKey: 1 } },
    ['/triggerContext/apiKey is 1, not of type object'],
  ],
  [
    'the first of many in a list',
    requests.execute,
    {
      tempFiles: [
        { id: 5, name: 'a' },
        { id: 'x', name: 5 },
        { id: 6, name: 6 },
      ],
    },
    [
      '/tempFiles/0/id is 5, not of type string',
      '/tempFiles/1/id is "x", not of format uuid',
      '/tempFiles/1/name is 5, not of type string',
    ],
  ],
  [
    'a key with a slash',
    requests.execute,
    { metadata: { 'a/b~c': 1 } },
    ['/metadata/a~1b~0c is 1, not of type string'],
  ],
])('names %s', (_, validator, value, want) => {
  expect(schemaFaults(validator, value).map(({ says }) => says)).toEqual(want);
});

test.each<[string, Validator<unknown>, unknown, string[]]>([
  ['a field', schemas.SimpleError, { code: 1 }, ['/message missing']],
  [
    'a field of items, of any item',
    schemas.StandardError,
    { code: 1, message: 'm', errors: [{ parameter: 'p' }, { parameter: 'q' }] },
    ['/errors/*/detail missing'],
  ],
  ['a key that the schema does not name', requests.execute, { metadata: { 'a/b': 1, c: 2 } }, ['/metadata/* type']],
  ['a value', schemas.Execution, { ...running, status: 'done' }, ['/status enum']],
  ['the whole', schemas.SimpleError, [], [' type']],
])('names the place of %s, without values', (_, validator, value, want) => {
  expect(schemaFaults(validator, value).map(({ where, what }) => `${where} ${what}`)).toEqual(want);
});
