import type { Variation } from '../variation.js';
import { times } from './everywhere.js';

const shifted = (time: string, hours: number) => new Date(Date.parse(time) + hours * 3_600_000).toISOString();

export const timeVariations: readonly Variation[] = [
  {
    id: 'whole-seconds',
    says: 'Times are cut to whole seconds.',
    behaviour: times((time) => time.replace(/\.\d+/, '')),
  },
  {
    id: 'microseconds',
    says: 'Times have six digits after the second, and a numeric offset.',
    behaviour: times((time) => time.replace(/Z$/, '678+00:00')),
  },
  {
    id: 'local-time',
    says: 'Times are those of another time zone.',
    behaviour: times((time) => shifted(time, 2).replace('Z', '+02:00')),
  },
  {
    id: 'clock-ahead',
    says: 'The clock of the service is an hour ahead.',
    behaviour: times((time) => shifted(time, 1)),
  },
  {
    id: 'clock-behind',
    says: 'The clock of the service is an hour behind.',
    behaviour: times((time) => shifted(time, -1)),
  },
  {
    id: 'coarse-updates',
    says: 'updatedAt is in whole seconds, and may be that of the last update.',
    behaviour: () => ({ touch: (profile, now) => ({ ...profile, updatedAt: Math.floor(now / 1000) * 1000 }) }),
  },
];
