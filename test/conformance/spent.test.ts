import { expect, test } from 'vitest';
import { parseBody } from '../../conformance/engine/http/body.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { asksToStart } from '../../deviations/change.js';
import { createReference } from '../../deviations/index.js';
import type { Service } from '../../deviations/variation.js';
import { checkInProcess } from '../../proof/in-process.js';
import { broken } from '../support/slowly.js';

/** Falls over a start that is no JSON, in the words of its framework. */
const failing = (service: Service) => async (request: Request) => {
  const { kind } = parseBody(await request.clone().text());
  return asksToStart(request) && kind === 'not-json'
    ? Response.json({ message: 'Internal Server Error' }, { status: 500 })
    : service(request);
};

test('a repeated failure of an optional request counts against the service when the budget allows no more starts', async () => {
  const target = toTarget({ ...createReference().fixtures, allow: 'execute', budget: { executions: 12 } });
  const { rules: judged } = await checkInProcess({ gateway: failing }, { target });
  expect(broken({ rules: judged })).toContain('no-server-errors');
});
