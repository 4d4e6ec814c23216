import { expect, test } from 'vitest';
import { isMeantToPass, requestBody } from '../../conformance/engine/outcome/read.js';
import { stage } from '../support/interrupted.js';
import { broken } from '../support/slowly.js';

/** What must be unique in the organization, or keeps the files of a variant apart. */
const unique = ['name', 'inboxEmailPrefix', 'variantKey'];

test('a run with the seed of an earlier one on the same service sends other names, and gets the same verdicts', async () => {
  const { run, close } = stage({}, { allow: 'write', budget: { copies: 20 } });
  const night = async () => {
    const ended = await run(undefined, { seed: 7 });
    const sent = ended?.evidence.exchanges.filter(isMeantToPass) ?? [];
    const updates = sent.filter(({ operation }) => operation === 'updateProfile');
    const names = sent.flatMap((one) => {
      const { executionOptions, ...body } = requestBody(one) ?? {};
      const fields = Object.entries({ ...body, ...(executionOptions as object) });
      return fields.flatMap(([field, value]) => (unique.includes(field) ? String(value) : []));
    });
    return {
      violated: ended && broken(ended),
      inconclusive: ended?.rules.filter(({ verdict }) => verdict === 'inconclusive'),
      statuses: Object.fromEntries(updates.map(({ mark, response }) => [mark?.step, response?.status])),
      names: new Set(names),
    };
  };
  const [first, second] = [await night(), await night()];
  // The first run makes the copy that the second one finds.
  const { baseline: _, ...statuses } = first.statuses;
  expect(second).toMatchObject({ violated: [], inconclusive: [], statuses });
  // The parent folder has this name only.
  expect([...second.names].filter((name) => first.names.has(name))).toEqual(['..']);
  await close();
});
