import { expect, it } from 'vitest';
import type { Run } from '../../../../../conformance/check.js';
import { requestBody } from '../../../../../conformance/engine/outcome/read.js';
import { checkInProcess } from '../../../../../proof/in-process.js';
import { unjudged } from '../../../../support/interrupted.js';
import { usualRun } from '../../../../support/usual-run.js';

const uuids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

it('the same seed sends the same requests, however slow the answers are', async () => {
  const bodies = ({ evidence }: Run) => {
    // Ids that the service gave are its own.
    const given = new Set(evidence.exchanges.flatMap(({ response }) => JSON.stringify(response).match(uuids) ?? []));
    const own = (body: string) => body.replaceAll(uuids, (id) => (given.has(id) ? 'an id of the service' : id));
    return new Map(
      evidence.exchanges.flatMap((one) =>
        one.mark && requestBody(one)
          ? [[`${one.mark.scenario}/${one.mark.step}`, own(JSON.stringify(requestBody(one)))]]
          : [],
      ),
    );
  };
  const first = bodies(await usualRun());
  const second = bodies(await checkInProcess({ latencyMs: 60 }));
  const other = bodies(await checkInProcess({}, { ...unjudged, seed: 6 }));
  const differing = [...first].filter(([step, body]) => second.get(step) !== body).map(([step]) => step);
  expect(differing).toEqual([]);
  expect([...first].filter(([step, body]) => other.get(step) !== body).length).toBeGreaterThan(50);
});
