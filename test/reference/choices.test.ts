import { describe, expect, it } from 'vitest';
import { couplings } from '../../generated/flags.js';
import { type Operation, type OperationId, operationIds, operations } from '../../generated/operations.js';
import { gaps } from '../../generated/rules.js';
import { samples } from '../../generated/samples.js';
import { type Choices, choiceSets, choices, chooseFrom, keys } from '../../reference/index.js';
import { createWorld, nobody, statuses, type World } from './world.js';

type ChoiceId = keyof Choices;
type Seen = (world: World) => Promise<unknown>;
type SuccessGapId = NonNullable<(typeof operations)[OperationId]['openSuccess']>;
const cookie = samples.Cookie.minimal;
const other = 'X-Service-Agents-Api-Key';

/** What a caller sees of a choice. Each of its values has to show as something else. */
const seen: Record<ChoiceId, Seen> = {
  ...(Object.fromEntries(
    operationIds.flatMap((id): [string, Seen][] => {
      const { openSuccess, subject }: Operation = operations[id];
      const see: Seen = async ({ call, target }) => {
        const { status, body } = await call(id, target[subject as 'profile' | 'pool']);
        return [status, Object.keys(body ?? {})];
      };
      return openSuccess ? [[openSuccess, see]] : [];
    }),
  ) as Record<SuccessGapId, Seen>),
  'exclusivity-status': async ({ call, target }) => {
    const { status, body } = await call('execute', target.workflows.completes, { body: { head: true, version: 1 } });
    return [status, body.code];
  },
  'over-capacity-status': async ({ call, start, target }) => {
    const body = { profileGroupId: target.capacity.profileGroup };
    await start(target.capacity.workflow, body);
    const answer = await call('execute', target.capacity.workflow, { body });
    return [answer.status, answer.body.code];
  },
  'queue-with-temp-files': async ({ call, target }) =>
    (
      await call('execute', target.workflows.completes, {
        body: { onCapacityLimit: 'queue', tempFiles: [target.tempFile] },
      })
    ).status,
  'variant-key-status': async ({ call, target }) =>
    (await call('execute', target.workflows.variantMode, { body: {} })).body.code,
  'unknown-workflow-status': async ({ call }) => (await call('execute', nobody, { body: {} })).status,
  'malformed-id-status': async ({ call }) => (await call('getExecution', 'x')).status,
  'header-names-interchangeable': async ({ call, target }) =>
    (await call('execute', target.workflows.completes, { body: {}, key: null, headers: { [other]: keys.full } }))
      .status,
  'files-error-body': async ({ call }) => Object.keys((await call('listExecutionFiles', nobody)).body),
  'standard-error-optional-fields': async ({ call }) => Object.keys((await call('execute', 'x', { body: {} })).body),
  'state-after-queued': async (world) => {
    const { profileGroup, workflow } = world.target.capacity;
    const body = { profileGroupId: profileGroup, onCapacityLimit: 'queue' };
    await world.start(workflow, body);
    return statuses(await world.history(await world.start(workflow, body), 2100));
  },
  'other-transitions': async ({ history, start, target }) =>
    statuses(await history(await start(target.workflows.pauses), 1500)),
  'status-read-while-queued': async ({ start, read, target }) => {
    const body = { profileGroupId: target.capacity.profileGroup, onCapacityLimit: 'queue' };
    await start(target.capacity.workflow, body);
    return (await read(await start(target.capacity.workflow, body))).status;
  },
  'sync-returns-on-pause': async ({ callInTime, target }) => {
    const ask = { body: { timeoutSeconds: 1 } };
    const { pauses, pausesByAgent, awaitsConfirmation } = target.workflows;
    return [
      (await callInTime('executeSync', pauses, ask)).ms,
      (await callInTime('executeSync', awaitsConfirmation, ask)).ms,
      (await callInTime('executeSync', pausesByAgent, ask)).ms,
    ];
  },
  'trigger-sources': async ({ read, target }) => (await read(target.execution)).triggerContext?.source,
  'file-created-by': async ({ run, files, target }) => {
    const { id } = await run(target.workflows.writesFiles);
    return (await files(id)).directories.downloads.map(({ createdBy }) => createdBy);
  },
  'unnamed-profile-fields': async ({ update, target }) =>
    Object.entries(await update(target.otherProfile, { description: '' })).filter(([, value]) => value === 'managed'),
  'empty-update': async ({ call, target }) => (await call('updateProfile', target.profile, { body: {} })).status,
  'unknown-request-fields': async ({ call, target }) => [
    (await call('updateProfile', target.profile, { body: { nonesuch: 1 } })).status,
    (await call('execute', target.workflows.completes, { body: { nonesuch: 1 } })).status,
    (await call('duplicateProfile', target.profile, { body: { nonesuch: 1 } })).status,
  ],
  'credential-data-visible': async ({ update, target }) =>
    (await update(target.profile, { description: '' })).credentials.map(({ data }) => data),
  'custom-proxy-request': async ({ call, target }) => {
    const { status, body } = await call('updateProfile', target.profile, { body: { customProxy: { server: 'new' } } });
    return [status, body.customProxy];
  },
  'unsupported-method': async ({ reference, target }) => {
    const ask = (path: string) => reference.fetch(new Request(target.baseUrl + path, { method: 'PUT' }));
    const [read, start] = [`/agents/v2/executions/${nobody}`, `/agents/v2/workflows/${nobody}/execute`];
    return [(await ask(read)).status, (await ask(start)).status];
  },
  'unsupported-media-type': async ({ call, target }) => {
    const ask = { body: { onCapacityLimit: 'wait' }, headers: { 'Content-Type': 'text/plain' } };
    const { status, body } = await call('execute', target.workflows.completes, ask);
    return status === 202 ? status : [status, body.message];
  },
  'auth-before-validation': async ({ call }) => (await call('getExecution', 'x', { key: null })).status,
  'rate-limit-headers': async ({ call }) =>
    [...(await call('getExecution', nobody)).headers.keys()].filter((name) => name.includes('limit')),
  'variant-key-slug': async ({ run, target }) =>
    (await run(target.workflows.variantMode, { executionOptions: { variantKey: 'Nörth Wind/2' } })).executionOptions
      ?.sharedStorageKey,
  'duplicate-inbox-prefix': async ({ update, duplicate, target }) => {
    await update(target.profile, { inboxEmailPrefix: 'p' });
    return (await duplicate(target.profile)).inboxEmailPrefix;
  },
  'tracing-without-admin': async ({ call, target }) => {
    const ask = { body: { tracingEnabled: true } };
    const admin = await call('updateProfile', target.otherProfile, { ...ask, key: keys.admin });
    expect(admin.body.tracingEnabled).toBe(true);
    return (await call('updateProfile', target.profile, ask)).status;
  },
  'managed-proxy-flags': async ({ call, target }) => {
    const { status, body } = await call('updateProfile', target.profile, { body: { captchaSolverActive: true } });
    return [status, body.captchaSolverActive];
  },
  'cookie-id-sent': async ({ update, target }) =>
    (await update(target.profile, { cookiesToAdd: [{ ...cookie, id: nobody }] })).cookies.some(
      ({ id }) => id === nobody,
    ),
  'text-length-unit': async ({ call, target }) =>
    (await call('updateProfile', target.profile, { body: { description: '🦊'.repeat(501) } })).status,
  'stored-normalised': async ({ update, target }) => (await update(target.profile, { description: ' a ' })).description,
  'service-agents-key': async ({ call, target }) =>
    (await call('getExecution', target.execution, { key: null, headers: { [other]: 'reference-service-key-full' } }))
      .status,
  'key-in-both-headers': async ({ call, target }) => {
    const ask = (key: string, second: string) => ({ body: {}, key, headers: { [other]: second } });
    return [
      (await call('execute', target.workflows.completes, ask(keys.full, 'wrong'))).status,
      (await call('execute', target.workflows.completes, ask('wrong', keys.full))).status,
      (await call('execute', target.workflows.completes, ask('wrong', 'wrong'))).status,
    ];
  },
  'unstated-required-fields': async ({ read, target }) =>
    (await read(target.execution)).humanLabels.map((label) => Object.keys(label)),
  'optional-fields': async ({ run, target }) => Object.keys(await run(target.workflows.completes)).includes('duration'),
  'flag-without-another': ({ call, target }) =>
    Promise.all(
      couplings.map(async ({ flag, needs }) => {
        const { status, body } = await call('updateProfile', target.profile, { body: { [needs]: false } });
        return [status, body[flag], body[needs]];
      }),
    ),
};

/** The defaults, as the documentation tells them. */
const defaults: Partial<Record<ChoiceId, unknown>> = {
  'exclusivity-status': [400, 400],
  'over-capacity-status': [429, 429],
  'unsupported-method': [405, 405],
  'sync-returns-on-pause': [300, 300, 1000],
  'header-names-interchangeable': 401,
  'key-in-both-headers': [202, 401, 401],
  'variant-key-slug': 'north-wind-2',
  'tracing-without-admin': 403,
  'files-error-body': ['code', 'message'],
};

describe('choices', () => {
  /** Of what the contract has none nothing shows. */
  const unseen: readonly string[] = couplings.length > 0 ? [] : ['flag-without-another'];

  it.each((Object.keys(seen) as ChoiceId[]).filter((id) => !unseen.includes(id)))(
    '%s behaves as each of its values states',
    async (id) => {
      const values = Object.keys(choices[id].values);
      const observed = [];
      for (const value of values)
        observed.push(JSON.stringify(await seen[id](createWorld({ choices: { [id]: value } }))));
      expect(values.length).toBeGreaterThanOrEqual(2);
      expect(new Set(observed).size, observed.join('\n')).toBe(values.length);
    },
  );

  it.each(Object.entries(defaults))('%s is by default %j', async (id, want) => {
    expect(await seen[id as ChoiceId](createWorld())).toEqual(want);
  });

  it('have a value for every gap that callers can observe', () => {
    const observable = gaps.filter(({ observable: seenByCallers }) => seenByCallers).map(({ id }) => id);
    expect(Object.keys(choices)).toEqual(expect.arrayContaining(observable));
  });

  it('have a default among their values, and a set that differs from it everywhere', () => {
    for (const [id, { values, default: usual }] of Object.entries(choices)) {
      expect(Object.keys(values)).toContain(usual);
      expect(choiceSets.default?.[id as ChoiceId]).toBe(usual);
      expect(choiceSets.other?.[id as ChoiceId]).not.toBe(usual);
    }
  });
});

describe('chooseFrom', () => {
  it.each([
    ['default', {}],
    ['empty-update=refused', { 'empty-update': 'refused' }],
    [' strict , empty-update=taken', { 'empty-update': 'taken', 'exclusivity-status': '422' }],
    ['exclusivity-status=409/1003,service-agents-key=own', { 'exclusivity-status': '409/1003' }],
    ['', {}],
  ])('reads %j', (text, want) => {
    expect(chooseFrom(text)).toMatchObject(want);
  });

  it.each([
    ['strct', 'the set of choices strct is unknown; did you mean strict?'],
    ['empty-updates=taken', 'the gap empty-updates is unknown; did you mean empty-update?'],
    ['empty-update=take', 'empty-update: the value take is unknown; did you mean taken?'],
    ['empty-update=', 'empty-update: the value  is unknown; use one of taken, refused.'],
    ['__proto__', /^the set of choices __proto__ is unknown/],
    ['constructor=1', /^the gap constructor is unknown/],
  ])('names the error in %j', (text, message) => {
    expect(() => chooseFrom(text)).toThrow(message);
  });
});
