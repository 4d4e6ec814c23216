/** Services whose runs take long, whose places others hold, or whose stops last until a person acts. */
import { isStopped, isTerminal } from '../../../generated/lifecycle.js';
import { uuid } from '../../../reference/fixtures.js';
import type { OwnWorkflow } from '../../../reference/own-workflows.js';
import type { Step } from '../../../reference/scenarios.js';
import type { Surroundings, Variation } from '../../variation.js';
import { asking } from './between.js';

const second = 1000;
const minute = 60 * second;

/** The workflow that others in the same organization run. */
export const colleague: OwnWorkflow = { id: uuid('f', 99), statuses: ['starting', 'running'] };

export interface Tempo {
  /** How long each run takes, in milliseconds. */
  readonly runsMs: number;
  /** The concurrency limit, and how many of these places others take before the suite begins. */
  readonly places?: number;
  readonly held?: number;
  /** How long others hold their places, in milliseconds. Default: for ever. */
  readonly heldMs?: number;
  /** Stopped runs continue only if a person acts, which nobody does. */
  readonly stopsForEver?: true;
}

const stops = ({ status }: Step): boolean => isStopped(status);

/** The same steps, stretched to this duration in equal parts. */
function lasting(steps: readonly Step[], ms: number, stopsForEver = false): readonly Step[] {
  const stop = stopsForEver ? steps.findIndex(stops) : -1;
  const all = ms === 0 ? steps.filter((step) => isTerminal(step.status) || (stopsForEver && stops(step))) : steps;
  const timed = all.map((step) => (step.ms === undefined ? step : { ...step, ms: ms / (steps.length - 1) }));
  if (stop < 0) return timed;
  const last = timed.findIndex(stops);
  return timed.slice(0, last + 1).map((step, place) => (place === last ? { status: step.status } : step));
}

/** The surroundings of a service with this tempo. */
export function atTempo({
  runsMs,
  places,
  held = 0,
  heldMs,
  stopsForEver,
}: Tempo): Pick<Surroundings, 'options' | 'gateway'> {
  return {
    options: {
      ...(places !== undefined && { limits: { concurrency: places } }),
      workflows: [
        heldMs === undefined
          ? colleague
          : { ...colleague, statuses: ['starting', 'running', 'completed'], durations: [second, heldMs] },
      ],
      faults: [
        {
          id: 'tempo',
          behaviour: (base) => ({
            stepsOf: (run) =>
              run.workflow.id === colleague.id ? base.stepsOf(run) : lasting(base.stepsOf(run), runsMs, stopsForEver),
          }),
        },
      ],
    },
    gateway: (service) => {
      let theirs: Promise<unknown> | undefined;
      return async (request) => {
        theirs ??= Promise.all(
          Array.from({ length: held }, () =>
            asking(service, request, 'POST', `/workflows/${colleague.id}/execute`, {}),
          ),
        );
        await theirs;
        return service(request);
      };
    },
  };
}
/** A variation in which rules may stay open, but none may be called broken. */
const tempo = (id: string, of: Tempo): Variation => ({ id, ...atTempo(of), open: true, declared });

/** The defaults of a target file without `pace`. */
const declared = { pace: { requestsPerSecond: 50, concurrency: 8 } };

const lengths = [
  ['no-time', 0],
  ['45-seconds', 45 * second],
  ['3-minutes', 3 * minute],
  ['30-minutes', 30 * minute],
] as const;

const held = [
  [1, 0],
  [1, 1],
  [2, 1],
  [5, 0],
  [5, 4],
  [5, 5],
] as const;

export const tempoVariations: readonly Variation[] = [
  ...lengths.map(([id, runsMs]) => tempo(`runs-of-${id}-stop-for-ever`, { runsMs, stopsForEver: true })),
  ...held.map(([places, taken]) =>
    tempo(`runs-of-3-minutes-${taken}-of-${places}-places-held`, {
      runsMs: 3 * minute,
      places,
      held: taken,
      stopsForEver: true,
    }),
  ),
  tempo('runs-of-45-seconds-4-of-5-places-held-for-long', {
    runsMs: 45 * second,
    places: 5,
    held: 4,
    heldMs: 20 * minute,
    stopsForEver: true,
  }),
];
