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
    'violated: sent again': { given: [sync(504), sync(202)], says: ['to be looked up', 'the same start again'] },
    'violated: sent again after a reading of another execution': [start({}), sync(504), reading, sync(202)],
    'satisfied: its files looked up': [sync(504), listing, sync(202)],
    'ignored: no gateway timeout': [sync(500), sync(202)],
    'violated: sent again after a look-up that failed': [sync(504), { ...reading, status: 503 }, sync(202)],
    'violated: and completed': { given: [sync(504), read('completed'), sync(202)], oneJob: true },
    'satisfied: sent again when it had failed': {
      given: [sync(504), read('running'), read('failed'), sync(202)],
      oneJob: true,
    },
    'inconclusive: another looked up than it was told of': {
      given: [sync(504), { ...reading, resource: ids.pool }],
      oneJob: true,
    },
  },
  'caller-respects-exclusivity': {
    'violated: head with version': { given: [start({ version: 1, head: true })], says: 'version with head' },
    'satisfied: null for the other': [start({ version: 1, head: null })],
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
    'satisfied: null for what may be left out': [start({ version: null, executionOptions: { softTimeoutMins: null } })],
    'violated: null for what may not': {
      given: [start({ tempFiles: [{ id: null, name: 'a' }] })],
      says: '/tempFiles/0/id is null',
    },
    'violated: a body that is null, where one is needed': [start(null)],
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
    'satisfied: the header that is shown': [keyIn(shown.toLowerCase())],
    'violated: the other': {
      given: [{ ...keyIn('X-Service-Agents-Api-Key'), operation: 'execute' }],
      says: ['the key in X-Api-Key', 'the key in X-Service-Agents-Api-Key'],
    },
    'ignored: what is no operation': [{ operation: null, status: 404 }],
  },
  'caller-follows-by-polling': {
    'satisfied: read by its id': [taken, reading],
    'violated: never read': { given: [taken, { ...reading, resource: ids.pool }], says: 'no reading of it' },
    'inconclusive: not read before it was stopped': { given: [taken], oneJob: 'stopped' },
    'ignored: a synchronous start': [sync(202), reading],
  },
  'caller-polls-to-the-end': {
    'satisfied: read until it completed': { given: [taken, read('running'), read('completed')], oneJob: true },
    'violated: left while it runs': { given: [taken, read('running')], oneJob: true, says: 'nothing after running' },
    'violated: never read well': { given: [lostReading], oneJob: true, says: 'no reading that succeeded' },
    'violated: left when told to come later': { given: [read('running'), { ...reading, status: 429 }], oneJob: true },
    'ignored: left when told that it may not': { given: [read('running'), { ...reading, status: 401 }], oneJob: true },
    'inconclusive: a status of tomorrow': { given: [read('archived')], oneJob: true },
    'inconclusive: stopped while it runs': { given: [taken, read('running')], oneJob: 'stopped' },
    'satisfied: read by several parts of a caller': {
      given: [taken, ...Array.from({ length: 6 }, () => read('completed'))],
      oneJob: true,
    },
    'violated: read again and again after its end': {
      given: [taken, ...Array.from({ length: 7 }, () => read('failed'))],
      oneJob: true,
      says: ['no reading again and again after its end', '6 more readings'],
    },
    'violated: stopped, since it reads on after the end': {
      given: [taken, ...Array.from({ length: 4 }, () => read('cancelled'))],
      oneJob: 'stopped',
    },
    'ignored: what a recording shows': [taken, ...Array.from({ length: 7 }, () => read('completed'))],
    'ignored: what a recording shows of one that goes on': [taken, read('running')],
  },
  'caller-does-not-repeat-a-lost-start': {
    'violated: started again though its files are listed': { given: [lost, listing, taken], oneJob: true },
    'satisfied: given up': { given: [lost], oneJob: true },
    'inconclusive: stopped': { given: [lost], oneJob: 'stopped' },
    'violated: with another body': { given: [lost, start({ inputs: { turn: 2 } })], oneJob: true },
    'violated: an asynchronous start that a gateway gave up on': [{ ...taken, status: 504, body: {} }, taken],
    'violated: sent again at the very moment': [lostAt(0, 900.7), at(900)],
    'violated: again and again': [lostAt(0), lostAt(100), at(200)],
    'inconclusive: two of many that were lost': [lostAt(0, 500), lostAt(100, 500), at(700)],
    'satisfied: one of many that is looked up among those that follow': [lostAt(0), at(100), lookUp(150), at(200)],
    'ignored: one of which nobody knows whether it was sent': [failed(start({}), 'unknown'), taken],
    'inconclusive: another execution, read before it was lost': [lostAt(0, 500), lookUp(100)],
  },
  'caller-gives-variant-key': {
    'satisfied: a key': { given: [start({ executionOptions: { variantKey: 'a' } })], ...variantMode },
    'violated: none': { given: [start({})], ...variantMode },
    'violated: a key where there is no such mode': {
      given: [start({ executionOptions: { variantKey: 'a' } })],
      facts: { workflows: { completes: ids.workflow } },
    },
    'ignored: a workflow that nobody declared': [start({ executionOptions: { variantKey: 'a' } })],
  },
  'caller-sends-uuids': {
    'satisfied: a uuid': [reading],
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
  },
  'caller-sends-no-nulls': {
    'satisfied: null within inputs': [start({ inputs: { month: null }, metadata: {} })],
    'violated: null within options': {
      given: [start({ executionOptions: { softTimeoutMins: null } })],
      says: 'executionOptions.softTimeoutMins null',
    },
    'violated: a body that is null': { given: [copy(null)], says: 'the body null' },
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
    'ignored: an operation that has one': [start({})],
  },
};

for (const { id } of callers) judgeTable(id, callerJudges[id], tables[id]);
