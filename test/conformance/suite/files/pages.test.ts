/** What the suite asks for and finds where the files of an execution are listed in pages. */
import { afterAll, describe, expect, test } from 'vitest';
import { contract, describe as describeContract } from '../../../../conformance/engine/contract.js';
import { quiet } from '../../../../conformance/engine/send/progress.js';
import { Driver } from '../../../../conformance/suite/driver.js';
import { judges } from '../../../../conformance/suite/judges.js';
import { ids, type Sketch } from '../../../support/evidence.js';
import { judgeTable } from '../../../support/judge-table.js';
import { another, reading, start } from '../../../support/runs.js';
import { talkingTo } from '../../../support/session.js';

const usual = contract();
const { operations } = usual;
afterAll(() => describeContract(usual));
const listExecutionFiles = { ...operations.listExecutionFiles, pages: { asks: 'from', says: 'next' } };
describeContract({ ...usual, operations: { ...operations, listExecutionFiles } });

describe('what is read', () => {
  const asked = async (next: (from: string | null) => string | undefined, probe?: object) => {
    const { session, clock, sent } = talkingTo(({ url }) => ({
      json: { directories: {}, next: next(new URL(url).searchParams.get('from')) },
    }));
    const driver = new Driver(session, 'test', quiet);
    const request = { step: 'list', operation: 'listExecutionFiles', id: ids.execution, ...probe } as const;
    await clock.run(driver.send(request));
    return sent.map(({ url }) => new URL(url).searchParams.get('from'));
  };

  test('is all pages', async () => {
    expect(await asked((from) => (from === null ? 'b' : from === 'b' ? 'c' : undefined))).toEqual([null, 'b', 'c']);
  });
  test('is no page twice', async () => expect(await asked(() => 'b')).toEqual([null, 'b']));
  test('is no list without end', async () => expect(await asked((from) => `${from}a`)).toHaveLength(20));
  test('is one page, where it must be refused', async () => {
    const probe = { rule: 'unknown-execution-files-is-404', fault: 'no such execution', twins: [] };
    expect(await asked(() => 'b', { probe })).toEqual([null]);
  });
});

const [a, b] = ['a', 'b'].map((name, place) => ({
  id: [ids.pool, another.profile][place],
  executionId: ids.execution,
  workflowId: ids.workflow,
  fileName: name,
}));
const none = { debug: [], downloads: [], shared: [], tracing: [], uploads: [], workspace: [] };
const page = (at: number, from: string | undefined, next: string | undefined, ...debug: unknown[]): Sketch => ({
  operation: 'listExecutionFiles',
  status: 200,
  query: from === undefined ? {} : { from },
  body: { directories: { ...none, debug }, next },
  at,
});
const ended = [start({}, { at: 0 }), reading('completed', {}, { at: 1000, durationMs: 0 })];

describe('what is found', () => {
  judgeTable('files-stay-listed', judges['files-stay-listed'], {
    'satisfied: two listings of the same pages': [
      ...ended,
      ...[2000, 4000].flatMap((at) => [page(at, undefined, 'b', a), page(at + 1000, 'b', undefined, b)]),
    ],
    'violated: a page that has lost its file': {
      given: [
        ...ended,
        page(2000, undefined, 'b', a),
        page(3000, 'b', undefined, b),
        page(4000, undefined, 'b', a),
        page(5000, 'b', undefined),
      ],
      says: '"b" listed as before',
    },
    'ignored: a listing of which a page was not seen': [
      ...ended,
      page(2000, undefined, 'b', a),
      page(3000, 'b', undefined, b),
      page(4000, undefined, 'b', a),
    ],
  });

  judgeTable('files-are-listed-once', judges['files-are-listed-once'], {
    'satisfied: two pages': [...ended, page(2000, undefined, 'b', a), page(3000, 'b', undefined, b)],
    'satisfied, satisfied, violated: a file on two pages': {
      given: [...ended, page(2000, undefined, 'b', a), page(3000, 'b', 'c', a)],
      says: 'on two pages',
    },
    'satisfied: a file that moved to another page while it ran': [
      page(2000, undefined, 'b', a),
      page(3000, 'b', undefined, a),
    ],
    'ignored: pages without files': [...ended, page(2000, undefined, 'b'), page(3000, 'b', undefined)],
  });

  const writes = { facts: { workflows: { writesFiles: ids.workflow } } };
  judgeTable('files-appear', judges['files-appear'], {
    'satisfied: a file on the second page': {
      given: [...ended, page(2000, undefined, 'b'), page(3000, 'b', undefined, a)],
      ...writes,
    },
    'violated: none on any page, with patience': {
      given: [...ended, page(60_000, undefined, 'b'), page(70_000, 'b', undefined)],
      ...writes,
    },
    'inconclusive: none on a page before others': { given: [...ended, page(70_000, undefined, 'b')], ...writes },
    'ignored: a workflow that writes none': [...ended, page(2000, undefined, undefined)],
  });
});
