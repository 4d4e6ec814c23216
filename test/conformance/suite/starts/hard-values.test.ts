import { expect, test } from 'vitest';
import { isFields } from '../../../../conformance/engine/outcome/read.js';
import { pairsField } from '../../../../deviations/change.js';
import { oneWorkflow, runFor } from '../../../support/usual-run.js';

/** The statuses with which a service answers starts with hard values, if it refuses longer metadata and inputs. */
async function statusesWith(longest: { readonly metadata: number; readonly inputs: number }) {
  const isLong = (value: unknown, length: number) => isFields(value) && JSON.stringify(value).length > length;
  const { evidence, rules } = await runFor('inputs-are-recorded', oneWorkflow, {
    gateway: (service) => async (request) => {
      const body: unknown = request.method === 'POST' ? await request.clone().json() : {};
      return isFields(body) && (isLong(body[pairsField], longest.metadata) || isLong(body.inputs, longest.inputs))
        ? Response.json({ code: 400, message: 'It is too long.' }, { status: 400 })
        : service(request);
    },
  });
  expect(rules.filter(({ verdict }) => verdict === 'violated' || verdict === 'inconclusive')).toEqual([]);
  return evidence.exchanges.flatMap(({ mark, response }) => (mark?.step === 'hard-values' ? response?.status : []));
}

test('a service that refuses long metadata or inputs gets as many hard values as it accepts', async () => {
  expect(await statusesWith({ metadata: 1e5, inputs: 1e5 })).toEqual([202]);
  expect(await statusesWith({ metadata: 5000, inputs: 1e5 })).toEqual([400, 202]);
  expect(await statusesWith({ metadata: 5000, inputs: 5e4 })).toEqual([400, 400, 202]);
});
