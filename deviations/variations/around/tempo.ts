/** Services whose runs take long, whose places others hold, or whose stops last until a person acts. */
import { isStopped } from '../../../generated/lifecycle.js';
import { uuid } from '../../../reference/fixtures.js';
import type { OwnWorkflow } from '../../../reference/own-workflows.js';
import type { Step } from '../../../reference/scenarios.js';
import { changing } from '../../change.js';
import type { Variation } from '../../variation.js';
import { asking } from './between.js';

const second = 1000;
const minute = 60 * second;

/** The workflow that others in the same organization run. */
export const colleague: OwnWorkflow = { id: uuid('f', 99), statuses: ['starting', 'running'] };

interface Tempo {
  /** How long each run takes, in milliseconds. */
  readonly runsMs: number;
  /** The concurrency limit, and how many of these places others take for ever, before the suite begins. */
  readonly places?: number;
  readonly held?: number;
}

const stops = ({ status }: Step): boolean => isStopped(status);

/** The same steps up to the first stop, stretched to this duration in equal parts. Nobody ends a stop. */
function lasting(steps: readonly Step[], ms: number): readonly Step[] {
  const timed = steps.map((step) => (step.ms === undefined ? step : { ...step, ms: ms / (steps.length - 1) }));
  const stop = timed.findIndex(stops);
  return stop < 0
    ? timed
    : timed.slice(0, stop + 1).map((step, place) => (place === stop ? { status: step.status } : step));
}

/** A variation in which rules may stay open, but none may be called violated. */
const tempo = (id: string, { runsMs, places, held = 0 }: Tempo): Variation => ({
  id,
  open: true,
  declared,
  options: {
    ...(places !== undefined && { limits: { concurrency: places } }),
    workflows: [colleague],
    faults: [
      {
        id: 'tempo',
        behaviour: changing('stepsOf', (steps, run) =>
          run.workflow.id === colleague.id ? steps : lasting(steps, runsMs),
        ),
      },
    ],
  },
  gateway: (service) => {
    let theirs: Promise<unknown> | undefined;
    return async (request) => {
      theirs ??= Promise.all(
        Array.from({ length: held }, () => asking(service, request, 'POST', `/workflows/${colleague.id}/execute`, {})),
      );
      await theirs;
      return service(request);
    };
  },
});

/** The defaults of a target file without `pace`. */
const declared = { pace: { requestsPerSecond: 50, concurrency: 8 } };

const lengths = [
  ['45-seconds', 45 * second],
  ['30-minutes', 30 * minute],
] as const;

const held = [
  [1, 0],
  [1, 1],
  [5, 0],
  [5, 5],
] as const;

export const tempoVariations: readonly Variation[] = [
  ...lengths.map(([id, runsMs]) => tempo(`runs-of-${id}-stop-for-ever`, { runsMs })),
  ...held.map(([places, taken]) =>
    tempo(`runs-of-3-minutes-${taken}-of-${places}-places-held`, { runsMs: 3 * minute, places, held: taken }),
  ),
];
