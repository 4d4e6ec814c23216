import type { Response } from '../../../../conformance/engine/vocabulary.js';
import { callerJudges } from '../../../../conformance/suite/judges.js';
import { operations } from '../../../../generated/operations.js';
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

const shown = operations.getExecution.keyHeader;
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
  'caller-looks-up-after-gateway-timeout': {
    'satisfied: looked up': [sync(504), reading],
    'satisfied: looked up, and only then started again': [sync(504), reading, sync(202)],
    'violated: sent again': { given: [sync(504), sync(202)], says: ['to be looked up', 'the same start again'] },
    'violated: sent again after something else': [sync(504), start({}), sync(202)],
    'violated: sent again asynchronously': [sync(504), start({ version: 1 })],
    'violated: sent again with another wait': [sync(504), sync(202, { version: 1, timeoutSeconds: 5 })],
    'violated: sent again after a reading of another execution': [start({}), sync(504), reading, sync(202)],
    'satisfied: its files looked up': [sync(504), listing, sync(202)],
    'violated: sent again after the files of another execution': [start({}), sync(504), listing, sync(202)],
    'inconclusive: another start': [sync(504), sync(202, { version: 2 })],
    'inconclusive: another workflow': [sync(504), { ...sync(202), resource: ids.pool }],
    'inconclusive: nothing afterwards': [sync(504)],
    'ignored: no gateway timeout': [sync(500), sync(202)],
    'violated: sent again after a look-up that failed': [sync(504), { ...reading, status: 503 }, sync(202)],
    'satisfied: sent again after a look-up that found nothing': [sync(504), { ...reading, status: 404 }, sync(202)],
    'satisfied: looked up at the second try': [sync(504), { ...reading, status: 429 }, reading],
    'violated: sent again though it was found': { given: [sync(504), read('running'), sync(202)], oneJob: true },
    'violated: and found twice': { given: [sync(504), read('queued'), read('paused'), sync(202)], oneJob: true },
    'violated: and completed': { given: [sync(504), read('completed'), sync(202)], oneJob: true },
    'satisfied: sent again when it had failed': {
      given: [sync(504), read('running'), read('failed'), sync(202)],
      oneJob: true,
    },
    'satisfied: sent again of who knows which caller': [sync(504), read('running'), sync(202)],
    'inconclusive: another looked up than it was told of': {
      given: [sync(504), { ...reading, resource: ids.pool }],
      oneJob: true,
    },
  },
  'caller-respects-exclusivity': {
    'satisfied: one of two': [start({ version: 1, profileId: ids.profile })],
    'violated: head with version': { given: [start({ version: 1, head: true })], says: 'version with head' },
    'satisfied: null for the other': [start({ version: 1, head: null })],
    'violated: a profile with a group': [start({ profileId: ids.profile, profileGroupId: ids.pool })],
    'ignored: no body': [taken],
    'ignored: an operation that starts nothing': [
      { operation: 'updateProfile', status: 200, sent: { version: 1, head: true } },
    ],
  },
  'caller-does-not-queue-temp-files': {
    'satisfied: temp files, not to be queued': [start({ tempFiles: [{}] })],
    'violated: temp files to be queued': [start({ tempFiles: [{}], onCapacityLimit: 'queue' })],
    'ignored: no temp files': [start({ tempFiles: [], onCapacityLimit: 'queue' })],
  },
  'caller-stays-within-limits': {
    'satisfied: a valid request': [sync(200, { timeoutSeconds: 25 })],
    'satisfied: null for what may be left out': [start({ version: null, executionOptions: { softTimeoutMins: null } })],
    'violated: null for what may not': {
      given: [start({ tempFiles: [{ id: null, name: 'a' }] })],
      says: '/tempFiles/0/id is null',
    },
    'satisfied: a field of tomorrow': [start({ priority: 1 })],
    'ignored: a body that is null, where none is needed': [copy(null)],
    'violated: a body that is null, where one is needed': [start(null)],
    'violated: a wait that is too long': {
      given: [sync(400, { timeoutSeconds: 26 })],
      says: '/timeoutSeconds is 26, above 25',
    },
    'violated: a name that is too short': {
      given: [{ operation: 'updateProfile', status: 400, sent: { name: '' } }],
      says: '/name is "", shorter than 1',
    },
    'violated: malformed JSON': { given: [malformed], says: 'a body that is no JSON' },
    'ignored: no body': [taken],
    'violated: a duplicate into no organization': [{ operation: 'duplicateProfile', sent: { organizationId: 5 } }],
    'ignored: an operation without a body': [{ operation: 'getExecution', sent: { a: 5 } }],
  },
  'caller-follows-202': {
    'satisfied: read by its id': [sync(202), reading],
    'violated: never read': { given: [sync(202), { ...reading, resource: ids.pool }], says: 'no reading of it' },
    'ignored: a 200': [sync(200), start({})],
    'ignored: an asynchronous start': [start({}), sync(500)],
  },
  'caller-avoids-deprecated-fields': {
    'satisfied: none': [start({ profileId: ids.profile })],
    'satisfied: null for one': [start({ dynamicData: null })],
    'violated: two': {
      given: [start({ agentProfileId: ids.profile, dynamicData: {} })],
      says: 'agentProfileId; dynamicData',
    },
    'ignored: no body': [taken],
  },
  'caller-sends-shown-header': {
    'satisfied: the header that is shown': [keyIn(shown.toLowerCase())],
    'satisfied: both': [keyIn('X-Api-Key', 'X-Service-Agents-Api-Key')],
    'violated: the other': {
      given: [{ ...keyIn('X-Service-Agents-Api-Key'), operation: 'execute' }],
      says: ['the key in X-Api-Key', 'the key in X-Service-Agents-Api-Key'],
    },
    'ignored: none, or one that was taken out of the recording': [keyIn()],
    'ignored: what is no operation': [{ operation: null, status: 404 }],
  },
  'caller-follows-by-polling': {
    'satisfied: read by its id': [taken, reading],
    'satisfied: read by its id in capitals': [taken, { ...reading, resource: ids.execution.toUpperCase() }],
    'violated: never read': { given: [taken, { ...reading, resource: ids.pool }], says: 'no reading of it' },
    'violated: never read, and nothing else sent': { given: [taken], oneJob: true },
    'inconclusive: not read before it was stopped': { given: [taken], oneJob: 'stopped' },
    'violated: never read, though created': { given: [{ ...taken, status: 201 }], oneJob: true },
    'ignored: a synchronous start': [sync(202), reading],
  },
  'caller-polls-to-the-end': {
    'satisfied: read until it completed': { given: [taken, read('running'), read('completed')], oneJob: true },
    'satisfied: read until it paused': { given: [read('paused')], oneJob: true },
    'violated: left while it runs': { given: [taken, read('running')], oneJob: true, says: 'nothing after running' },
    'violated: left while it is queued': { given: [taken, read('queued')], oneJob: true },
    'violated: left after a reading that failed': { given: [read('running'), lostReading], oneJob: true },
    'violated: never read well': { given: [lostReading], oneJob: true, says: 'no reading that succeeded' },
    'violated: left when told to come later': { given: [read('running'), { ...reading, status: 429 }], oneJob: true },
    'ignored: left when told that it may not': { given: [read('running'), { ...reading, status: 401 }], oneJob: true },
    'inconclusive: a status of tomorrow': { given: [read('archived')], oneJob: true },
    'inconclusive: stopped while it runs': { given: [taken, read('running')], oneJob: 'stopped' },
    'satisfied: stopped when it had completed': { given: [taken, read('completed')], oneJob: 'stopped' },
    'ignored: what a recording shows': [taken, read('running')],
  },
  'caller-does-not-repeat-a-lost-start': {
    'satisfied: looked up': [lost, reading],
    'satisfied: looked up, and then started again': [lost, reading, taken],
    'satisfied: its files looked for, and none there': {
      given: [lost, { ...listing, status: 404 }, taken],
      oneJob: true,
    },
    'violated: started again though its files are listed': { given: [lost, listing, taken], oneJob: true },
    'satisfied: and it failed': { given: [lost, read('failed'), listing, taken], oneJob: true },
    'violated: sent again': [lost, { ...taken, sent: {} }],
    'violated: with another body': { given: [lost, start({ inputs: { turn: 2 } })], oneJob: true },
    'inconclusive: with another body, of who knows which caller': [lost, start({ inputs: { turn: 2 } })],
    'violated: an asynchronous start that a gateway gave up on': [{ ...taken, status: 504, body: {} }, taken],
    'violated: sent again at the very moment': [lostAt(0, 900.7), at(900)],
    'violated: again and again': [lostAt(0), lostAt(100), at(200)],
    'violated: after one that was refused': [{ ...at(0), status: 409 }, lostAt(100), at(200)],
    'inconclusive: one that was under way already': [lostAt(0, 500), at(100)],
    'inconclusive: one of many at the same time, the next of which follows': [lostAt(0, 500), at(100), at(600)],
    'inconclusive: two of many that were lost': [lostAt(0, 500), lostAt(100, 500), at(700)],
    'inconclusive: one of many, the first of which was taken': [at(0), lostAt(100), at(200)],
    'satisfied: one of many that is looked up': [at(0), lostAt(100), at(200), lookUp(300)],
    'inconclusive: one of many, the others of which follow': [lostAt(0), at(100), at(200)],
    'satisfied: one of many that is looked up among those that follow': [lostAt(0), at(100), lookUp(150), at(200)],
    'ignored: one of which nobody knows whether it was sent': [failed(start({}), 'unknown'), taken],
    'inconclusive: another execution, read before it was lost': [lostAt(0, 500), lookUp(100)],
    'violated: one of many, for one job': {
      given: [at(0), lostAt(100), at(200)],
      oneJob: true,
      says: 'the same start again',
    },
    'inconclusive: nothing afterwards': { given: [lost], oneJob: true },
    'ignored: a connection that never was': [unreachable, taken],
  },
  'caller-gives-variant-key': {
    'satisfied: a key': { given: [start({ executionOptions: { variantKey: 'a' } })], ...variantMode },
    'violated: none': { given: [start({})], ...variantMode },
    'violated: null': { given: [start({ executionOptions: { variantKey: null } })], ...variantMode },
    'ignored: null where there is no such mode': {
      given: [start({ executionOptions: { variantKey: null } })],
      facts: { workflows: { completes: ids.workflow } },
    },
    'violated: no body': { given: [taken], ...variantMode },
    'violated: a key where there is no such mode': {
      given: [start({ executionOptions: { variantKey: 'a' } })],
      facts: { workflows: { completes: ids.workflow } },
    },
    'ignored: no key where there is no such mode': {
      given: [start({})],
      facts: { workflows: { completes: ids.workflow } },
    },
    'ignored: a workflow that nobody declared': [start({ executionOptions: { variantKey: 'a' } })],
  },
  'caller-sends-uuids': {
    'satisfied: a uuid': [reading],
    'satisfied: in capitals': [{ ...reading, resource: ids.pool.toUpperCase() }],
    'violated: what was never set': { given: [{ ...reading, resource: 'undefined' }], says: 'undefined' },
    'violated: a uuid with something behind it': [{ ...reading, resource: `${ids.pool}0` }],
    'ignored: what is no operation': [{ operation: null, status: 404 }],
  },
  'caller-sends-a-key': {
    'satisfied: a key': [keyIn(shown.toLowerCase())],
    'ignored: a key that was refused': [{ ...keyIn('x-api-key'), response: refusedBy(401) }],
    'violated: none, and refused': {
      given: [{ ...keyIn(), response: refusedBy(401) }],
      says: [`a key in ${shown}`, 'no key'],
    },
    'violated: one in a header of another kind': {
      given: [{ ...keyIn('authorization'), response: refusedBy(401) }],
      says: [`a key in ${shown}`, 'no key but in Authorization'],
    },
    'violated: an empty one, and refused': [{ ...keyIn(), ...emptyKey, response: refusedBy(401) }],
    'ignored: none, and not refused: it was taken out of the recording': [keyIn()],
  },
  'caller-sends-no-nulls': {
    'satisfied: null within inputs': [start({ inputs: { month: null }, metadata: {} })],
    'violated: null for an object': { given: [start({ inputs: {}, metadata: null })], says: 'metadata null' },
    'violated: null within options': {
      given: [start({ executionOptions: { softTimeoutMins: null } })],
      says: 'executionOptions.softTimeoutMins null',
    },
    'violated: null for a text of a profile': [{ operation: 'updateProfile', status: 200, sent: { name: null } }],
    'violated: a body that is null': { given: [copy(null)], says: 'the body null' },
    'ignored: no body': [taken],
    'ignored: an operation without a body': [{ ...reading, sent: { name: null } }],
  },
  'caller-labels-json': {
    'satisfied: JSON': [labelled('application/json')],
    'satisfied: a kind of JSON': [labelled('application/merge-patch+json; charset=utf-8')],
    'violated: text': { given: [labelled('text/plain; a=json')], says: 'text/plain' },
    'violated: nothing': [labelled(undefined)],
    'ignored: no body': [reading],
  },
  'caller-sends-no-body': {
    'satisfied: none': [reading],
    'violated: one': [{ ...reading, sent: {} }],
    'ignored: an operation that has one': [start({})],
  },
};

for (const { id } of callers) judgeTable(id, callerJudges[id], tables[id]);
