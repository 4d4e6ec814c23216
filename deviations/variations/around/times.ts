/** Unusual clocks, and unusual forms of times. */

import type { Way } from '../../change.js';
import { behaving, type Variation } from '../../variation.js';
import { times } from '../everywhere.js';

const shifted = (time: string, hours: number) => new Date(Date.parse(time) + hours * 3_600_000).toISOString();

/** A clock that moves in steps. */
const stepping = (ms: number) => times((time) => new Date(Math.floor(Date.parse(time) / ms) * ms).toISOString());

/** Which of two instances wrote a time: pseudo-random, but constant for the same time. */
const isEven = (time: string): boolean => (Date.parse(time) * 7919) % 1000 < 500;

/** Two seconds after the proof begins. */
const setAt = Date.UTC(2026, 0, 1) + 2000;

/** A clock that is adjusted by so many seconds in the middle of a run. */
const set = (seconds: number) => times((time) => (Date.parse(time) < setAt ? time : shifted(time, seconds / 3600)));

const clocksDiffer = [/^The clock of the service was changed .* 30 s apart/];

/** Times in rare forms of ISO 8601, including the expiry of cookies. */
const written =
  (write: (time: string) => string): Way =>
  (base) => ({
    ...times(write)(base),
    presentProfile: (...args) => {
      const shown = base.presentProfile(...args);
      return {
        ...shown,
        cookies: shown.cookies.map(({ expiry, ...one }) => ({
          ...one,
          ...(expiry !== undefined && { expiry: write(new Date(expiry).toISOString()) }),
        })),
      };
    },
  });

export const timeVariations: readonly Variation[] = behaving({
  'times-without-offset': times((time) => time.replace('Z', '')),
  'whole-seconds': times((time) => time.replace(/\.\d+/, '')),
  microseconds: times((time) => time.replace(/Z$/, '678+00:00')),
  'whole-hours': written((time) => `${time.slice(0, 13)}Z`),
  'local-time': times((time) => shifted(time, 2).replace('Z', '+02:00')),
  'clock-behind': times((time) => shifted(time, -1)),
  'clock-of-seconds': stepping(1000),
  'hours-of-offset': (base) => {
    let even = false;
    const coarse = times((time) => shifted(time, 5).replace(/\.\d+Z/, '+05'))(base);
    const fine = times((time) => shifted(time, 5).replace('Z', '+05'))(base);
    return {
      answer: (call, answer) => {
        even = !even;
        return ((even ? coarse.answer : fine.answer) ?? base.answer)(call, answer);
      },
    };
  },
  'clock-is-set': [set(30), { notes: clocksDiffer }],
  'clocks-far-apart': [times((time) => (isEven(time) ? time : shifted(time, 30 / 3600))), { notes: clocksDiffer }],
});
