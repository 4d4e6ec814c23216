import { type Fields, isWaitingStart } from '../../engine/outcome/read.js';
import { allOrThrow, type ControlSteps, type Driver, type Scenario } from '../driver.js';
import { sendMissingBodies } from '../errors/invalid.js';
import { ifFull, roomField } from '../executions/view.js';
import { leastSoftTimeoutMins, startsAtOnce } from '../operations.js';
import { briefly, marked, softTimeout, startOperations } from './requests.js';
import { startCombined } from './start.js';

/**
 * Keys that are no file names, so that the server must normalise them: the parent folder, of which nothing is left and
 * which a service may refuse; and one with other characters, which no other run has. Short: no length is stated.
 */
const keysOf = (unique: string) => ({
  execute: '..',
  executeSync: `Suite/..\\Äpfel 1.5 (A/Ä): +50% & #1!, b? ${unique}`,
});

type PerStart<T> = Readonly<Record<(typeof startOperations)[number], T>>;

const groupOf = ({ facts: { profileGroup } }: Driver): Fields =>
  profileGroup === undefined ? {} : { profileGroupId: profileGroup };
const profileOf = (driver: Driver): Fields =>
  driver.isDeclared(driver.facts.profile) ? { profileId: driver.id(driver.facts.profile) } : {};
const fileOf = ({ facts: { tempFile } }: Driver): Fields => (tempFile ? { tempFiles: [tempFile] } : {});

/** What else each start asks for. None of it excludes another part. */
const more = (driver: Driver): PerStart<Fields> => ({
  execute: { ...groupOf(driver), ...ifFull('queue') },
  executeSync: { head: true, ...fileOf(driver) },
});

/** Controls: every accepted start of the workflow had a key. */
const withKey: ControlSteps = {
  except: [
    'executionOptions',
    'timeoutSeconds',
    'head',
    'version',
    roomField,
    'profileId',
    'profileGroupId',
    'tempFiles',
  ],
};

/** A key is required on every execution, whichever version, option or wait it has. */
const without = (driver: Driver): PerStart<Readonly<Record<string, Fields>>> => ({
  execute: {
    'no-variant-key': { head: true, ...groupOf(driver) },
    'no-variant-key-version': { version: driver.facts.publishedVersion ?? 1, ...fileOf(driver) },
  },
  executeSync: {
    'no-variant-key': { executionOptions: { softTimeoutMins: leastSoftTimeoutMins }, ...profileOf(driver) },
    'no-variant-key-queue': { ...ifFull('queue'), ...groupOf(driver) },
  },
});

/** What is refused for every workflow must be refused with a variantKey too. */
const beside = {
  execute: {
    rule: 'soft-timeout-minimum',
    fault: `softTimeoutMins ${leastSoftTimeoutMins - 1} beside a variantKey`,
    both: {},
    minutes: leastSoftTimeoutMins - 1,
  },
  executeSync: {
    rule: 'head-excludes-version',
    fault: 'head together with version, in variant mode',
    both: { head: true, version: 1 },
    minutes: undefined,
  },
} as const;

export const variant = {
  id: 'variant',
  sends: ['execute', 'executeSync', 'getExecution'],
  requests: 15,
  effect: 'execute',
  needs: ['workflows.variantMode'],
  steps: {
    'refuse-*-no-variant-key*': ['variant-key-is-required'],
    'refuse-*-beside-variant-key': ['head-excludes-version', 'soft-timeout-minimum'],
    'refuse-*-variant-key-number': ['execute-body-is-typed'],
  },
  async run(driver): Promise<void> {
    const id = driver.id(driver.facts.workflows.variantMode);
    const keys = keysOf(driver.uniqueText('variant'));
    // Needed for a soft timeout that no run reaches.
    await driver.waitForDurations();
    await allOrThrow(
      startOperations.map(async (operation) => {
        const wait = briefly(operation);
        const step = startsAtOnce({ operation }) ? 'variant' : 'variant-sync';
        if (!driver.mayStart(`variant/${step}`)) return;
        const started = await startCombined(driver, {
          step,
          operation,
          id,
          body: {
            ...more(driver)[operation],
            ...marked(driver, step),
            ...wait,
            executionOptions: {
              variantKey: keys[operation],
              ...(isWaitingStart({ operation }) && softTimeout(driver, id)),
            },
          },
        });
        for (const [slug, fields] of Object.entries(without(driver)[operation]))
          await driver.probe('variant-key-is-required', 'no variantKey on a workflow in variant mode', withKey, {
            step: `refuse-${operation}-${slug}`,
            operation,
            id,
            body: { ...marked(driver, `${slug}-${step}`), ...wait, ...fields },
            observes: ['variant-key-status'],
          });
        const { rule, fault, both: excluding, minutes: softTimeoutMins } = beside[operation];
        await driver.probe(rule, fault, withKey, {
          step: `refuse-${operation}-beside-variant-key`,
          operation,
          id,
          body: {
            ...marked(driver, `beside-${step}`),
            ...wait,
            ...excluding,
            executionOptions: {
              variantKey: keys[operation],
              ...(softTimeoutMins !== undefined && { softTimeoutMins }),
            },
          },
        });
        await driver.probe('execute-body-is-typed', 'a variantKey that is a number', withKey, {
          step: `refuse-${operation}-variant-key-number`,
          operation,
          id,
          body: { ...marked(driver, `number-${step}`), ...wait, executionOptions: { variantKey: 5 } },
        });
        // Without a variantKey these are refused, whatever else the service makes of them.
        await allOrThrow([
          ...sendMissingBodies(driver, operation, id),
          driver.startOnce({
            step: `unknown-field-${operation}`,
            operation,
            id,
            body: { ...wait, conformanceSuite: true },
            unjudged: true,
            startsNothing: true,
          }),
        ]);
        await driver.followStarted(started);
      }),
    );
  },
} as const satisfies Scenario;
