import { describe, expect, test } from 'vitest';
import { assembleRecording } from '../../../../conformance/engine/recording/report.js';
import { conclude } from '../../../../conformance/engine/rule/verdicts.js';
import { toTarget } from '../../../../conformance/suite/target/target.js';
import { entry, harOf, judged } from '../../../support/recordings.js';

describe('if no rule was judged, the report has a reason:', () => {
  test.each([
    ['no entry', harOf(), '', ['No request was seen.']],
    [
      'another API',
      harOf(entry({ url: 'https://api.example.com/v1/users' })),
      '',
      ['None of the requests has a path of the contract, such as /agents/v2/executions/{executionId}.'],
    ],
    [
      'another base URL',
      harOf(entry()),
      'https://other.example.com',
      ['The requests went to https://api.example.com: give that as the base URL, or none.'],
    ],
    ['and no reason if one was judged', harOf(entry()), '', []],
  ])('%s', async (_, har, baseUrl, remarks) => {
    const run = await judged(har, { facts: toTarget({ baseUrl }).facts });
    expect(assembleRecording(run, conclude(run, { today: '2026-11-20' })).remarks).toEqual(remarks);
  });
});
