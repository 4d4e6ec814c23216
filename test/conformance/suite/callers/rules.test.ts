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
const lostReading = failed(reading, 'broken');
const variantMode = { facts: { workflows: { variantMode: ids.workflow } } };
const refusedBy = (status: number) => exchange({ ...reading, status }).response as Response;
const labelled = (type: string | undefined) => {
  const one = exchange(start({}));
  return { ...one, request: { ...one.request, headers: { accept: '*/*', ...(type && { 'Content-Type': type }) } } };
};

const tables: Readonly<Record<CallerRuleId, Table>> = {
  'caller-looks-up-after-gateway-timeout': {
    'violated: repeated': { given: [sync(504), sync(202)], says: ['to be looked up', 'the same start again'] },
    'violated: repeated after a reading of another execution': [start({}), sync(504), reading, sync(202)],
    'satisfied: its files searched': [sync(504), listing, sync(202)],
    'ignored: no gateway timeout': [sync(500), sync(202)],
    'violated: repeated after a failed search': [sync(504), { ...reading, status: 503 }, sync(202)],
    'violated: and completed': { given: [sync(504), read('completed'), sync(202)], oneJob: true },
    'satisfied: repeated after it had failed': {
      given: [sync(504), read('running'), read('failed'), sync(202)],
      oneJob: true,
    },
    'inconclusive: a search for another execution than the answered one': {
      given: [sync(504), { ...reading, resource: ids.pool }],
      oneJob: true,
    },
  },
  'caller-respects-exclusivity': {
    'violated: head with version': { given: [start({ version: 1, head: true })], says: 'version with head' },
    'satisfied: null for the other field': [start({ version: 1, head: null })],
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
    'satisfied: null for optional fields': [start({ version: null, executionOptions: { softTimeoutMins: null } })],
    'violated: null for a required field': {
      given: [start({ tempFiles: [{ id: null, name: 'a' }] })],
      says: '/tempFiles/0/id is null',
    },
    'violated: a null body where one is required': [start(null)],
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
    'violated: two': {
      given: [start({ agentProfileId: ids.profile, dynamicData: {} })],
      says: 'agentProfileId; dynamicData',
    },
    'ignored: no body': [taken],
  },
  'caller-sends-shown-header': {
    'satisfied: the documented header': [keyIn(shown.toLowerCase())],
    'violated: the other header': {
      given: [{ ...keyIn('X-Service-Agents-Api-Key'), operation: 'execute' }],
      says: ['the key in X-Api-Key', 'the key in X-Service-Agents-Api-Key'],
    },
    'ignored: a request of no operation': [{ operation: null, status: 404 }],
  },
  'caller-follows-by-polling': {
    'satisfied: read by its id': [taken, reading],
    'violated: never read': { given: [taken, { ...reading, resource: ids.pool }], says: 'no reading of it' },
    'inconclusive: not read before the caller was stopped': { given: [taken], oneJob: 'stopped' },
    'ignored: a synchronous start': [sync(202), reading],
  },
  'caller-polls-to-the-end': {
    'satisfied: read until it completed': { given: [taken, read('running'), read('completed')], oneJob: true },
    'violated: left while it runs': { given: [taken, read('running')], oneJob: true, says: 'nothing after running' },
    'violated: never read successfully': { given: [lostReading], oneJob: true, says: 'no reading that succeeded' },
    'violated: stopped reading after an answer with Retry-After': {
      given: [read('running'), { ...reading, status: 429 }],
      oneJob: true,
    },
    'ignored: stopped reading after a missing permission': {
      given: [read('running'), { ...reading, status: 401 }],
      oneJob: true,
    },
    'inconclusive: an unknown status': { given: [read('archived')], oneJob: true },
    'inconclusive: stopped while it runs': { given: [taken, read('running')], oneJob: 'stopped' },
    'satisfied: read by several parts of a caller': {
      given: [taken, ...Array.from({ length: 6 }, () => read('completed'))],
      oneJob: true,
    },
    'violated: read repeatedly after its end': {
      given: [taken, ...Array.from({ length: 7 }, () => read('failed'))],
      oneJob: true,
      says: ['no reading again and again after its end', '6 more readings'],
    },
    'violated: stopped, because it kept reading after the end': {
      given: [taken, ...Array.from({ length: 4 }, () => read('cancelled'))],
      oneJob: 'stopped',
    },
    'ignored: a recording': [taken, ...Array.from({ length: 7 }, () => read('completed'))],
    'ignored: a recording of an execution that continues': [taken, read('running')],
  },
  'caller-does-not-repeat-a-lost-start': {
    'violated: started again although its files are listed': { given: [lost, listing, taken], oneJob: true },
    'satisfied: not repeated': { given: [lost], oneJob: true },
    'inconclusive: stopped': { given: [lost], oneJob: 'stopped' },
    'violated: with another body': { given: [lost, start({ inputs: { turn: 2 } })], oneJob: true },
    'violated: an asynchronous start with a gateway timeout': [{ ...taken, status: 504, body: {} }, taken],
    'violated: repeated at the same moment': [lostAt(0, 900.7), at(900)],
    'violated: repeated several times': [lostAt(0), lostAt(100), at(200)],
    'inconclusive: two of many lost starts': [lostAt(0, 500), lostAt(100, 500), at(700)],
    'satisfied: one of many, searched for among those that follow': [lostAt(0), at(100), lookUp(150), at(200)],
    'ignored: a start that may not have been sent': [failed(start({}), 'unknown'), taken],
    'inconclusive: another execution, read before the loss': [lostAt(0, 500), lookUp(100)],
  },
  'caller-gives-variant-key': {
    'satisfied: a key': { given: [start({ executionOptions: { variantKey: 'a' } })], ...variantMode },
    'violated: none': { given: [start({})], ...variantMode },
    'violated: a key without variant mode': {
      given: [start({ executionOptions: { variantKey: 'a' } })],
      facts: { workflows: { completes: ids.workflow } },
    },
    'ignored: an undeclared workflow': [start({ executionOptions: { variantKey: 'a' } })],
  },
  'caller-sends-uuids': {
    'satisfied: a uuid': [reading],
    'violated: a uuid with text after it': [{ ...reading, resource: `${ids.pool}0` }],
    'ignored: a request of no operation': [{ operation: null, status: 404 }],
  },
  'caller-sends-a-key': {
    'satisfied: a key': [keyIn(shown.toLowerCase())],
    'ignored: a key that was refused': [{ ...keyIn('x-api-key'), response: refusedBy(401) }],
    'violated: none, and a refusal': {
      given: [{ ...keyIn(), response: refusedBy(401) }],
      says: [`a key in ${shown}`, 'no key'],
    },
    'violated: one in another kind of header': {
      given: [{ ...keyIn('authorization'), response: refusedBy(401) }],
      says: [`a key in ${shown}`, 'no key but in Authorization'],
    },
  },
  'caller-sends-no-nulls': {
    'satisfied: null within inputs': [start({ inputs: { month: null }, metadata: {} })],
    'violated: null within options': {
      given: [start({ executionOptions: { softTimeoutMins: null } })],
      says: 'executionOptions.softTimeoutMins null',
    },
    'violated: a null body': { given: [copy(null)], says: 'the body null' },
    'ignored: no body': [taken],
    'ignored: an operation without a body': [{ ...reading, sent: { name: null } }],
  },
  'caller-labels-json': {
    'satisfied: JSON': [labelled('application/json')],
    'violated: text': { given: [labelled('text/plain; a=json')], says: 'text/plain' },
    'ignored: no body': [reading],
  },
  'caller-sends-no-body': {
    'satisfied: none': [reading],
    'violated: one': [{ ...reading, sent: {} }],
    'ignored: an operation that has a body': [start({})],
  },
};

for (const { id } of callers) judgeTable(id, callerJudges[id], tables[id]);
