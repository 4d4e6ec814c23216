import type { OperationId } from '../../../generated/operations.js';
import type { GapId, RuleId } from '../../../generated/rules.js';
import type { Fields } from '../../evidence/read.js';
import type { Ask } from '../ask.js';
import { type Driver, type Journey, together } from '../driver.js';
import { hardStarts, oddBodies } from './odd-bodies.js';
import { both, richBody } from './requests.js';

interface Refusal {
  rule: RuleId;
  slug: string;
  fault: string;
  /** Replaces fields of the accepted request; `undefined` leaves one out. */
  change?: Fields;
  raw?: string;
  asks?: GapId[];
  /** Accepted requests that come closer than the rich one. */
  twins?: string[];
}

/** Requests with one fault each, made from the start that was accepted. */
export const refusals: Journey = {
  id: 'refusals',
  effect: 'execute',
  needs: ['workflows.completes'],
  after: ['start', 'start-sync'],
  stateless: true,
  async run(driver) {
    const id = driver.id(driver.facts.workflows.completes);
    await together([
      ...both.flatMap((operation) => oddBodies(driver, operation, id)),
      ...both.flatMap((operation) =>
        faults(driver, operation).map(({ rule, slug, fault, change, raw, asks, twins = [] }) =>
          driver.probe(rule, fault, [operation === 'execute' ? 'start/rich' : 'start-sync/sync-rich', ...twins], {
            step: `refuse-${operation}-${slug}`,
            operation,
            id,
            ...(raw === undefined
              ? { body: { ...richBody(driver, `refuse-${operation}-${slug}`), ...wait(operation), ...change } }
              : asJson(raw)),
            ...(asks && { asks }),
          }),
        ),
      ),
    ]);
    // What is taken though it should be refused may have taken the room of others.
    await hardStarts(driver, id);
  },
};

const wait = (operation: OperationId): Fields => (operation === 'executeSync' ? { timeoutSeconds: 1 } : {});
const asJson = (text: string): Pick<Ask, 'raw'> => ({ raw: { text, type: 'application/json' } });

function faults(driver: Driver, operation: OperationId): Refusal[] {
  const { publishedVersion = 1, profile, profileGroup, tempFile, agentHardTimeoutMins: hard } = driver.facts;
  const sync = operation === 'executeSync';
  /** What is refused is refused to whoever would wait as well: one operation says so. */
  const queue = sync ? { onCapacityLimit: 'queue' } : {};
  /** Whoever takes one wrong value may refuse another: each operation is sent one of its own. */
  const wrong = (one: unknown, other: unknown) => (sync ? other : one);
  const unknownId = driver.unknownId();
  const softTimeout = (softTimeoutMins: number) => ({ executionOptions: { softTimeoutMins } });
  const typed = (slug: string, fault: string, change: Fields): Refusal => ({
    rule: 'execute-body-is-typed',
    slug,
    fault,
    change,
  });
  return [
    {
      rule: 'head-excludes-version',
      slug: 'head-with-version',
      fault: 'head together with version',
      change: { head: true, version: publishedVersion, ...queue },
      asks: ['exclusivity-status'],
      twins: ['start/head'],
    },
    ...(driver.has(profile) && driver.has(profileGroup)
      ? [
          {
            rule: 'profile-excludes-group',
            slug: 'profile-with-group',
            fault: 'profileId together with profileGroupId',
            change: { profileId: driver.id(profile), profileGroupId: driver.id(profileGroup), ...queue },
            asks: ['exclusivity-status'],
          } satisfies Refusal,
        ]
      : []),
    {
      rule: 'temp-files-must-exist',
      slug: 'unknown-temp-file',
      fault: 'a temp file that was not uploaded',
      // Beside one that is there, for the one operation.
      change: {
        tempFiles: [...(sync && tempFile ? [tempFile] : []), { id: unknownId, name: 'missing.txt' }],
      },
      asks: ['unknown-workflow-status'],
    },
    {
      rule: 'variant-key-needs-variant-mode',
      slug: 'unwanted-variant-key',
      fault: 'variantKey on a workflow without variant mode',
      change: { executionOptions: { variantKey: 'conformance' } },
      asks: ['variant-key-status'],
    },
    { rule: 'soft-timeout-minimum', slug: 'soft-timeout-0', fault: 'softTimeoutMins 0', change: softTimeout(0) },
    {
      rule: 'soft-timeout-minimum',
      slug: 'soft-timeout-below-0',
      fault: 'softTimeoutMins -1',
      change: { ...softTimeout(-1), ...queue },
    },
    ...(hard === undefined
      ? []
      : [hard, hard + 1].map(
          (minutes): Refusal => ({
            rule: 'soft-timeout-below-hard-timeout',
            slug: `soft-timeout-${minutes}`,
            fault: `softTimeoutMins ${minutes} with a hard timeout of ${hard}`,
            change: softTimeout(minutes),
          }),
        )),
    {
      rule: 'version-must-exist',
      slug: 'unknown-version',
      fault: 'a version that does not exist',
      change: { version: 2_000_000_000 },
      asks: ['unknown-workflow-status'],
    },
    {
      rule: 'execute-profile-must-exist',
      slug: 'unknown-profile',
      fault: 'a profile that does not exist',
      change: { profileId: unknownId },
      asks: ['unknown-workflow-status'],
    },
    {
      rule: 'execute-profile-must-exist',
      slug: 'unknown-profile-group',
      fault: 'a profile group that does not exist',
      change: { profileId: undefined, profileGroupId: unknownId, ...queue },
      asks: ['unknown-workflow-status'],
    },
    // Behind one that is right: of some only the first is looked at.
    typed('metadata-value', 'a metadata value that is no text', { metadata: { first: 'one', count: wrong(1, true) } }),
    typed('metadata-list', 'metadata that is a list', { metadata: ['a'] }),
    typed('inputs', 'inputs that are no object', { inputs: wrong('text', ['text']) }),
    typed('head', 'head that is no boolean', { version: undefined, head: wrong('yes', 1) }),
    typed('version-text', 'version that is a text', { version: wrong('three', `${publishedVersion}`) }),
    typed('profile-no-uuid', 'a profileId that is no uuid', { profileId: 'not-a-uuid' }),
    typed('profile-group-no-uuid', 'a profileGroupId that is no uuid', {
      profileId: undefined,
      profileGroupId: 'not-a-uuid',
    }),
    typed('capacity-word', 'an onCapacityLimit that is neither reject nor queue', { onCapacityLimit: 'wait' }),
    typed('options', 'executionOptions that are no object', { executionOptions: wrong('text', ['text']) }),
    typed('soft-timeout-text', 'softTimeoutMins that is a text', {
      executionOptions: { softTimeoutMins: wrong('ten', '2') },
    }),
    typed('soft-timeout-fraction', 'softTimeoutMins that is no integer', softTimeout(1.5)),
    typed('version-fraction', 'version that is no integer', { version: 1.5 }),
    typed('temp-files-object', 'tempFiles that are no list', { tempFiles: { id: unknownId, name: 'missing.txt' } }),
    typed('deprecated-inputs', 'dynamicData that is no object', {
      inputs: undefined,
      dynamicData: wrong('text', ['text']),
    }),
    typed('deprecated-profile-no-uuid', 'an agentProfileId that is no uuid', {
      profileId: undefined,
      agentProfileId: 'not-a-uuid',
    }),
    typed('deprecated-group-no-uuid', 'an agentProfilePoolId that is no uuid', {
      profileId: undefined,
      agentProfilePoolId: 'not-a-uuid',
    }),
    typed('temp-file', `a temp file without its ${sync ? 'id' : 'name'}`, {
      tempFiles: [...(tempFile ? [tempFile] : []), wrong({ id: unknownId }, { name: 'missing.txt' })],
    }),
    { rule: 'execute-body-is-typed', slug: 'malformed-json', fault: 'malformed JSON', raw: '{"inputs": ' },
    {
      rule: 'execute-body-is-typed',
      slug: 'not-a-number',
      fault: 'NaN, which JSON has not',
      raw: '{"inputs": {"number": NaN}}',
    },
    { rule: 'execute-body-is-typed', slug: 'no-object', fault: 'a body that is no object', raw: '["inputs"]' },
    ...(sync
      ? [
          ...[0, -1, 26, 3600].map(
            (seconds): Refusal => ({
              rule: 'sync-timeout-range',
              slug: `timeout-${seconds}`,
              fault: `timeoutSeconds ${seconds}`,
              change: { timeoutSeconds: seconds },
            }),
          ),
          ...[1.5, '10', true].map(
            (value): Refusal => ({
              rule: 'sync-timeout-is-integer',
              slug: `timeout-${JSON.stringify(value).replaceAll(/\W/g, '-')}`,
              fault: `timeoutSeconds ${JSON.stringify(value)}`,
              change: { timeoutSeconds: value },
            }),
          ),
        ]
      : []),
  ];
}
