import type { OperationId } from '../../../generated/operations.js';
import type { GapId, RuleId } from '../../../generated/rules.js';
import { accepted, type Fields, isFields } from '../../evidence/read.js';
import { isUuid } from '../../evidence/values.js';
import { oneOfEach } from '../../explore/wrong.js';
import type { Ask } from '../ask.js';
import { type Driver, type Journey, together } from '../driver.js';
import { besideGroup, besideProfile } from './combined.js';
import { hardStarts, oddBodies } from './odd-bodies.js';
import { both, marked, richBody } from './requests.js';

interface Refusal {
  rule: RuleId;
  slug: string;
  fault: string;
  /** Replaces fields of the accepted request; `undefined` leaves one out. */
  change?: Fields;
  raw?: string;
  /** Asks for nothing else: beside other fields it may be refused for one of them. */
  alone?: boolean;
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
        faults(driver, operation).map(({ rule, slug, fault, change, raw, alone: isAlone, asks, twins = [] }) => {
          const { twin, body } = baseOf(driver, operation, slug, change);
          return driver.probe(rule, fault, [twin, ...twins], {
            step: `refuse-${operation}-${slug}`,
            operation,
            id,
            ...(raw === undefined ? { body: { ...(!isAlone && body), ...wait(operation), ...change } } : asJson(raw)),
            ...(asks && { asks }),
          });
        }),
      ),
    ]);
    // What is taken though it should be refused may have taken the room of others.
    await hardStarts(driver, id);
  },
};

/** The accepted start that a refused one is made from, and what it asks for. */
interface Base {
  readonly twin: string;
  readonly body: Fields;
}

/**
 * What is refused beside some fields may be taken beside others: an asynchronous start has now these, now those, as the seed
 * tells, and a synchronous one others yet, where they were accepted; but for those that exclude one which is changed.
 */
function baseOf(driver: Driver, operation: OperationId, slug: string, change: Fields = {}): Base {
  const { profile, profileGroup } = driver.facts;
  const step = `refuse-${operation}-${slug}`;
  const isTaken = (journey: string, twin: string) => {
    const heard = driver.heard(journey, twin);
    return heard !== undefined && accepted(heard);
  };
  const marks = marked(driver, step);
  if (operation === 'executeSync' && isTaken('start-sync', 'sync-combined')) {
    const { head, tempFiles, ...rest } = besideProfile(driver);
    const body = {
      profileId: driver.id(profile),
      ...rest,
      ...(change.version === undefined && { head }),
      ...(change.onCapacityLimit !== 'queue' && tempFiles !== undefined && { tempFiles }),
      ...marks,
    };
    return { twin: 'start-sync/sync-combined', body };
  }
  const isOfProfiles = Object.keys(change).some((field) => /profile/i.test(field));
  if (
    operation === 'execute' &&
    !isOfProfiles &&
    isTaken('start', 'combined') &&
    driver.material(`base of ${slug}`).pick([true, false])
  ) {
    // To be queued excludes temp files.
    const { onCapacityLimit: _, version, ...rest } = besideGroup(driver);
    const isOfVersion = 'head' in change || 'version' in change;
    const body = { profileGroupId: driver.id(profileGroup), ...rest, ...(!isOfVersion && { version }), ...marks };
    return { twin: 'start/combined', body };
  }
  return { twin: operation === 'execute' ? 'start/rich' : 'start-sync/sync-rich', body: richBody(driver, step) };
}

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
      // Beside one that is there, for the one operation; under its name, for the other: the id is what counts.
      change: {
        tempFiles: [
          ...(sync && tempFile ? [tempFile] : []),
          { id: unknownId, name: (!sync && tempFile?.name) || 'missing.txt' },
        ],
      },
      asks: ['unknown-workflow-status'],
    },
    {
      rule: 'variant-key-needs-variant-mode',
      slug: 'unwanted-variant-key',
      fault: 'variantKey on a workflow without variant mode',
      change: { executionOptions: { variantKey: 'conformance', ...(sync && { softTimeoutMins: 1 }) } },
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
      tempFiles: [...(tempFile ? [tempFile] : []), wrong({ id: tempFile?.id ?? unknownId }, { name: 'missing.txt' })],
    }),
    ...oneMoreOfEach(driver, operation),
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
              change: { timeoutSeconds: seconds, ...(seconds > 26 && queue) },
              alone: seconds < 0,
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

/** For each field one wrong value more, asked of one of the operations: which, the seed tells. */
function oneMoreOfEach(driver: Driver, operation: OperationId): Refusal[] {
  const isAsync = new Set(oneOfEach('execute', driver.material('one more')).map(({ field }) => field));
  return oneOfEach('executeSync', driver.material('one more')).flatMap(({ field, rule, fault, body }): Refusal[] => {
    const on = isAsync.has(field) ? driver.material(`one more ${field}`).pick(both) : 'executeSync';
    const [name = ''] = field.split('.');
    const without = standsFor[name];
    const change: Fields = { ...(without !== undefined && { [without]: undefined }), ...alone(body, driver) };
    // Without variant mode it is refused whatever it is.
    if (field === 'executionOptions.variantKey') return [];
    return on === operation ? [{ rule, slug: `wrong-${field}`, fault, change }] : [];
  });
}

/** Without what a body has beside the wrong value that would be refused as well. */
function alone({ executionOptions, tempFiles, ...body }: Fields, { facts: { tempFile } }: Driver): Fields {
  const { variantKey: _, ...options } = isFields(executionOptions) ? executionOptions : {};
  const [file] = Array.isArray(tempFiles) ? tempFiles : [];
  return {
    ...body,
    ...(executionOptions !== undefined && {
      executionOptions: isFields(executionOptions) ? options : executionOptions,
    }),
    ...(tempFiles !== undefined && {
      tempFiles: isFields(file) && isUuid(file.id) && tempFile ? [{ ...file, id: tempFile.id }] : tempFiles,
    }),
  };
}

/** What is left out beside a field: it excludes it, or is its other name. */
const standsFor: Readonly<Record<string, string>> = {
  head: 'version',
  profileGroupId: 'profileId',
  agentProfileId: 'profileId',
  agentProfilePoolId: 'profileId',
  dynamicData: 'inputs',
};
