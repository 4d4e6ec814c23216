import { expect, test } from 'vitest';
import { check } from '../../conformance/check.js';
import { noKnownCopies } from '../../conformance/engine/send/known-copies.js';
import { toTarget } from '../../conformance/suite/target/target.js';
import { startReference } from '../../reference/index.js';
import { startHostileGateway } from '../support/hostile-gateway.js';
import { startOddGateway } from '../support/odd-gateway.js';

test.concurrent('no rule is broken or inconclusive behind a gateway that loses, cuts and replaces answers', async () => {
  // On a busy machine a request that is lost twice takes longer than a run at full speed.
  const reference = await startReference({ speed: 0.3 });
  const gateway = await startHostileGateway(reference.url, 2, 11);
  try {
    // What is lost takes executions of its own.
    const target = toTarget({ ...reference.fixtures, baseUrl: gateway.url, budget: { executions: 60 } });
    const { preflight, rules, evidence } = await check({ target, seed: 1, knownCopies: noKnownCopies });
    expect(preflight).toEqual({ usable: true });
    expect(Object.keys(gateway.did).length).toBeGreaterThan(2);
    const wrong = rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive');
    const strays = evidence.exchanges.filter(
      ({ mark, failure, response }) => !mark?.excluded && (failure || response?.body.kind === 'not-json'),
    );
    expect(strays.map(({ mark, failure, response }) => [mark?.step, failure ?? response?.status])).toEqual([]);
    expect(wrong.map(({ id, verdict, why }) => `${id} ${verdict}: ${why}`)).toEqual([]);
  } finally {
    gateway.close();
    await reference.close();
  }
});

test.concurrent('no rule is broken or inconclusive behind a gateway that encodes, sends hints and trailers, closes connections and limits', async () => {
  const reference = await startReference();
  const gateway = await startOddGateway(reference.url);
  try {
    const target = toTarget({ ...reference.fixtures, baseUrl: gateway.url });
    const { preflight, rules } = await check({ target, seed: 1, knownCopies: noKnownCopies });
    expect(preflight).toEqual({ usable: true });
    const wrong = rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive');
    expect(wrong.map(({ id, verdict, why }) => `${id} ${verdict}: ${why}`)).toEqual([]);
  } finally {
    gateway.close();
    await reference.close();
  }
});
