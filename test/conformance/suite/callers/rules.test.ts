import type { Response } from '../../../../conformance/engine/vocabulary.js';
import { callerJudges } from '../../../../conformance/suite/judges.js';
import { type CallerRuleId, callers } from '../../../../generated/rules.js';
import { exchange, ids, type Sketch } from '../../../support/evidence.js';
import { judgeTable, type Table } from '../../../support/judge-table.js';
import { started, taken } from '../../../support/sketches.js';

const start = (sent: unknown): Sketch => ({ ...taken, sent });
const sync = (status: number, sent: unknown = { version: 1 }): Sketch => ({
  operation: 'executeSync',
  status,
  body: started,
  sent,
});
const copy = (sent: unknown): Sketch => ({ operation: 'duplicateProfile', status: 200, sent });
const reading: Sketch = { operation: 'getExecution', status: 200, body: {} };

const listing: Sketch = { ...reading, operation: 'listExecutionFiles' };

const keyIn = (...headers: string[]) => {
  const one = exchange(reading);
  return {
    ...one,
    request: { ...one.request, headers: Object.fromEntries(headers.map((name) => [name, '[redacted]'])) },
  };
};
const emptyKey = { request: { ...keyIn().request, headers: { 'x-api-key': '' } } };
const malformed = (() => {
  const one = exchange(taken);
  return {
    ...one,
    request: { ...one.request, body: { kind: 'not-json', text: '{', error: 'Unexpected end', bytes: 1 } as const },
  };
})();

const read = (status: string): Sketch => ({ ...reading, body: { status } });
const failed = (sketch: Sketch, kind: 'broken' | 'unreachable' | 'unknown') => {
  const { response: _, ...one } = exchange(sketch);
  return { ...one, failure: { kind, message: 'No answer.' } };
};
const lost = failed(start({}), 'broken');
const at = (ms: number) => ({ ...start({}), at: ms });
const lostAt = (ms: number, durationMs = 5) => ({ ...lost, at: ms, durationMs });
const lookUp = (ms: number) => ({ ...reading, resource: ids.pool, at: ms });
const unreachable = failed(start({}), 'unreachable');
const lostReading = failed(reading, 'broken');
const variantMode = { facts: { workflows: { variantMode: ids.workflow } } };
const refusedBy = (status: number) => exchange({ ...reading, status }).response as Response;
const labelled = (type: string | undefined) => {
  const one = exchange(start({}));
  return { ...one, request: { ...one.request, headers: { accept: '*/*', ...(type && { 'Content-Type': type }) } } };
};

const tables: Readonly<Record<CallerRuleId, Table>> = {
  'caller-looks-up-after-gateway-timeout': [
    ['kept', 'looked up', [sync(504), reading]],
    ['kept', 'looked up, and only then started again', [sync(504), reading, sync(202)]],
    ['broken', 'sent again', [sync(504), sync(202)], { says: ['to be looked up', 'the same start again'] }],
    ['broken', 'sent again after something else', [sync(504), start({}), sync(202)]],
    ['broken', 'sent again asynchronously', [sync(504), start({ version: 1 })]],
    ['broken', 'sent again with another wait', [sync(504), sync(202, { version: 1, timeoutSeconds: 5 })]],
    ['broken', 'sent again after a reading of another execution', [start({}), sync(504), reading, sync(202)]],
    ['kept', 'its files looked up', [sync(504), listing, sync(202)]],
    ['broken', 'sent again after the files of another execution', [start({}), sync(504), listing, sync(202)]],
    ['unclear', 'another start', [sync(504), sync(202, { version: 2 })]],
    ['unclear', 'another workflow', [sync(504), { ...sync(202), resource: ids.pool }]],
    ['unclear', 'nothing afterwards', [sync(504)]],
    ['untouched', 'no gateway timeout', [sync(500), sync(202)]],
    ['broken', 'sent again after a look-up that failed', [sync(504), { ...reading, status: 503 }, sync(202)]],
    ['kept', 'sent again after a look-up that found nothing', [sync(504), { ...reading, status: 404 }, sync(202)]],
    ['kept', 'looked up at the second try', [sync(504), { ...reading, status: 429 }, reading]],
    ['broken', 'sent again though it was found', [sync(504), read('running'), sync(202)], { oneJob: true }],
    ['broken', 'and found twice', [sync(504), read('queued'), read('paused'), sync(202)], { oneJob: true }],
    ['broken', 'and completed', [sync(504), read('completed'), sync(202)], { oneJob: true }],
    [
      'kept',
      'sent again when it had failed',
      [sync(504), read('running'), read('failed'), sync(202)],
      { oneJob: true },
    ],
    ['kept', 'sent again of who knows which caller', [sync(504), read('running'), sync(202)]],
    [
      'unclear',
      'another looked up than it was told of',
      [sync(504), { ...reading, resource: ids.pool }],
      { oneJob: true },
    ],
  ],
  'caller-respects-exclusivity': [
    ['kept', 'one of two', [start({ version: 1, profileId: ids.profile })]],
    ['broken', 'head with version', [start({ version: 1, head: true })], { says: 'version with head' }],
    ['kept', 'null for the other', [start({ version: 1, head: null })]],
    ['broken', 'a profile with a group', [start({ profileId: ids.profile, profileGroupId: ids.pool })]],
    ['untouched', 'no body', [taken]],
    [
      'untouched',
      'an operation that starts nothing',
      [{ operation: 'updateProfile', status: 200, sent: { version: 1, head: true } }],
    ],
  ],
  'caller-does-not-queue-temp-files': [
    ['kept', 'temp files, not to be queued', [start({ tempFiles: [{}] })]],
    ['broken', 'temp files to be queued', [start({ tempFiles: [{}], onCapacityLimit: 'queue' })]],
    ['untouched', 'no temp files', [start({ tempFiles: [], onCapacityLimit: 'queue' })]],
  ],
  'caller-stays-within-limits': [
    ['kept', 'a valid request', [sync(200, { timeoutSeconds: 25 })]],
    ['kept', 'null for what may be left out', [start({ version: null, executionOptions: { softTimeoutMins: null } })]],
    [
      'broken',
      'null for what may not',
      [start({ tempFiles: [{ id: null, name: 'a' }] })],
      { says: '/tempFiles/0/id is null' },
    ],
    ['kept', 'a field of tomorrow', [start({ priority: 1 })]],
    ['untouched', 'a body that is null, where none is needed', [copy(null)]],
    ['broken', 'a body that is null, where one is needed', [start(null)]],
    [
      'broken',
      'a wait that is too long',
      [sync(400, { timeoutSeconds: 26 })],
      { says: '/timeoutSeconds is 26, above 25' },
    ],
    [
      'broken',
      'a name that is too short',
      [{ operation: 'updateProfile', status: 400, sent: { name: '' } }],
      { says: '/name is "", shorter than 1' },
    ],
    ['broken', 'malformed JSON', [malformed], { says: 'a body that is no JSON' }],
    ['untouched', 'no body', [taken]],
    ['broken', 'a duplicate into no organization', [{ operation: 'duplicateProfile', sent: { organizationId: 5 } }]],
    ['untouched', 'an operation without a body', [{ operation: 'getExecution', sent: { a: 5 } }]],
  ],
  'caller-follows-202': [
    ['kept', 'read by its id', [sync(202), reading]],
    ['broken', 'never read', [sync(202), { ...reading, resource: ids.pool }], { says: 'no reading of it' }],
    ['untouched', 'a 200', [sync(200), start({})]],
    ['untouched', 'an asynchronous start', [start({}), sync(500)]],
  ],
  'caller-avoids-deprecated-fields': [
    ['kept', 'none', [start({ profileId: ids.profile })]],
    ['kept', 'null for one', [start({ dynamicData: null })]],
    [
      'broken',
      'two',
      [start({ agentProfileId: ids.profile, dynamicData: {} })],
      { says: 'agentProfileId; dynamicData' },
    ],
    ['untouched', 'no body', [taken]],
  ],
  'caller-sends-shown-header': [
    ['kept', 'the header that is shown', [keyIn('x-service-agents-api-key')]],
    ['kept', 'both', [keyIn('X-Api-Key', 'X-Service-Agents-Api-Key')]],
    [
      'broken',
      'the other',
      [keyIn('X-Api-Key')],
      { says: ['the key in X-Service-Agents-Api-Key', 'the key in X-Api-Key'] },
    ],
    ['untouched', 'none, or one that was taken out of the recording', [keyIn()]],
    ['untouched', 'what is no operation', [{ operation: null, status: 404 }]],
  ],
  'caller-follows-by-polling': [
    ['kept', 'read by its id', [taken, reading]],
    ['kept', 'read by its id in capitals', [taken, { ...reading, resource: ids.execution.toUpperCase() }]],
    ['broken', 'never read', [taken, { ...reading, resource: ids.pool }], { says: 'no reading of it' }],
    ['broken', 'never read, and nothing else sent', [taken], { oneJob: true }],
    ['unclear', 'not read before it was stopped', [taken], { oneJob: 'stopped' }],
    ['untouched', 'a synchronous start', [sync(202), reading]],
  ],
  'caller-polls-to-the-end': [
    ['kept', 'read until it completed', [taken, read('running'), read('completed')], { oneJob: true }],
    ['kept', 'read until it paused', [read('paused')], { oneJob: true }],
    ['broken', 'left while it runs', [taken, read('running')], { oneJob: true, says: 'nothing after running' }],
    ['broken', 'left while it is queued', [taken, read('queued')], { oneJob: true }],
    ['broken', 'left after a reading that failed', [read('running'), lostReading], { oneJob: true }],
    ['broken', 'never read well', [lostReading], { oneJob: true, says: 'no reading that succeeded' }],
    ['broken', 'left when told to come later', [read('running'), { ...reading, status: 429 }], { oneJob: true }],
    ['untouched', 'left when told that it may not', [read('running'), { ...reading, status: 401 }], { oneJob: true }],
    ['unclear', 'a status of tomorrow', [read('archived')], { oneJob: true }],
    ['unclear', 'stopped while it runs', [taken, read('running')], { oneJob: 'stopped' }],
    ['kept', 'stopped when it had completed', [taken, read('completed')], { oneJob: 'stopped' }],
    ['untouched', 'what a recording shows', [taken, read('running')]],
  ],
  'caller-does-not-repeat-a-lost-start': [
    ['kept', 'looked up', [lost, reading]],
    ['kept', 'looked up, and then started again', [lost, reading, taken]],
    ['kept', 'its files looked for, and none there', [lost, { ...listing, status: 404 }, taken], { oneJob: true }],
    ['broken', 'started again though its files are listed', [lost, listing, taken], { oneJob: true }],
    ['kept', 'and it failed', [lost, read('failed'), listing, taken], { oneJob: true }],
    ['broken', 'sent again', [lost, { ...taken, sent: {} }]],
    ['broken', 'with another body', [lost, start({ inputs: { turn: 2 } })], { oneJob: true }],
    ['unclear', 'with another body, of who knows which caller', [lost, start({ inputs: { turn: 2 } })]],
    ['broken', 'an asynchronous start that a gateway gave up on', [{ ...taken, status: 504, body: {} }, taken]],
    ['broken', 'sent again at the very moment', [lostAt(0, 900.7), at(900)]],
    ['broken', 'again and again', [lostAt(0), lostAt(100), at(200)]],
    ['broken', 'after one that was refused', [{ ...at(0), status: 409 }, lostAt(100), at(200)]],
    ['unclear', 'one that was under way already', [lostAt(0, 500), at(100)]],
    ['unclear', 'one of many at the same time, the next of which follows', [lostAt(0, 500), at(100), at(600)]],
    ['unclear', 'two of many that were lost', [lostAt(0, 500), lostAt(100, 500), at(700)]],
    ['unclear', 'one of many, the first of which was taken', [at(0), lostAt(100), at(200)]],
    ['kept', 'one of many that is looked up', [at(0), lostAt(100), at(200), lookUp(300)]],
    ['unclear', 'one of many, the others of which follow', [lostAt(0), at(100), at(200)]],
    ['kept', 'one of many that is looked up among those that follow', [lostAt(0), at(100), lookUp(150), at(200)]],
    ['untouched', 'one of which nobody knows whether it was sent', [failed(start({}), 'unknown'), taken]],
    ['unclear', 'another execution, read before it was lost', [lostAt(0, 500), lookUp(100)]],
    [
      'broken',
      'one of many, for one job',
      [at(0), lostAt(100), at(200)],
      { oneJob: true, says: 'the same start again' },
    ],
    ['unclear', 'nothing afterwards', [lost], { oneJob: true }],
    ['untouched', 'a connection that never was', [unreachable, taken]],
  ],
  'caller-gives-variant-key': [
    ['kept', 'a key', [start({ executionOptions: { variantKey: 'a' } })], variantMode],
    ['broken', 'none', [start({})], variantMode],
    ['broken', 'null', [start({ executionOptions: { variantKey: null } })], variantMode],
    [
      'untouched',
      'null where there is no such mode',
      [start({ executionOptions: { variantKey: null } })],
      { facts: { workflows: { completes: ids.workflow } } },
    ],
    ['broken', 'no body', [taken], variantMode],
    [
      'broken',
      'a key where there is no such mode',
      [start({ executionOptions: { variantKey: 'a' } })],
      { facts: { workflows: { completes: ids.workflow } } },
    ],
    [
      'untouched',
      'no key where there is no such mode',
      [start({})],
      { facts: { workflows: { completes: ids.workflow } } },
    ],
    ['untouched', 'a workflow that nobody declared', [start({ executionOptions: { variantKey: 'a' } })]],
  ],
  'caller-sends-uuids': [
    ['kept', 'a uuid', [reading]],
    ['kept', 'in capitals', [{ ...reading, resource: ids.pool.toUpperCase() }]],
    ['broken', 'what was never set', [{ ...reading, resource: 'undefined' }], { says: 'undefined' }],
    ['broken', 'a uuid with something behind it', [{ ...reading, resource: `${ids.pool}0` }]],
    ['untouched', 'what is no operation', [{ operation: null, status: 404 }]],
  ],
  'caller-sends-a-key': [
    ['kept', 'a key', [keyIn('x-service-agents-api-key')]],
    ['untouched', 'a key that was refused', [{ ...keyIn('x-api-key'), response: refusedBy(401) }]],
    [
      'broken',
      'none, and refused',
      [{ ...keyIn(), response: refusedBy(401) }],
      { says: ['a key in X-Service-Agents-Api-Key', 'no key'] },
    ],
    [
      'broken',
      'one in a header of another kind',
      [{ ...keyIn('authorization'), response: refusedBy(401) }],
      { says: ['a key in X-Service-Agents-Api-Key', 'no key but in Authorization'] },
    ],
    ['broken', 'an empty one, and refused', [{ ...keyIn(), ...emptyKey, response: refusedBy(401) }]],
    ['untouched', 'none, and not refused: it was taken out of the recording', [keyIn()]],
  ],
  'caller-sends-no-nulls': [
    ['kept', 'null within inputs', [start({ inputs: { month: null }, metadata: {} })]],
    ['broken', 'null for an object', [start({ inputs: {}, metadata: null })], { says: 'metadata null' }],
    [
      'broken',
      'null within options',
      [start({ executionOptions: { softTimeoutMins: null } })],
      { says: 'executionOptions.softTimeoutMins null' },
    ],
    ['broken', 'null for a text of a profile', [{ operation: 'updateProfile', status: 200, sent: { name: null } }]],
    ['broken', 'a body that is null', [copy(null)], { says: 'the body null' }],
    ['untouched', 'no body', [taken]],
    ['untouched', 'an operation without a body', [{ ...reading, sent: { name: null } }]],
  ],
  'caller-labels-json': [
    ['kept', 'JSON', [labelled('application/json')]],
    ['kept', 'a kind of JSON', [labelled('application/merge-patch+json; charset=utf-8')]],
    ['broken', 'text', [labelled('text/plain; a=json')], { says: 'text/plain' }],
    ['broken', 'nothing', [labelled(undefined)]],
    ['untouched', 'no body', [reading]],
  ],
  'caller-sends-no-body': [
    ['kept', 'none', [reading]],
    ['broken', 'one', [{ ...reading, sent: {} }]],
    ['broken', 'one on a deletion', [{ operation: 'deletePool', sent: {} }]],
    ['untouched', 'an operation that has one', [start({})]],
  ],
};

for (const { id } of callers) judgeTable(id, callerJudges[id], tables[id]);
