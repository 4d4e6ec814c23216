import type { Fault } from './fault.js';

/** How profiles change and multiply, and pools go. */
export const profileFaults: readonly Fault[] = [
  {
    id: 'update-clears-description',
    breaks: ['update-is-partial'],
    says: 'An update that does not send a description clears it.',
    behaviour: (base) => ({
      changeSettings: (profile, update) => base.changeSettings({ ...profile, description: '' }, update),
    }),
  },
  {
    id: 'copy-has-no-cookies',
    breaks: ['duplicate-copies-cookies'],
    says: 'A duplicate has none of the cookies.',
    behaviour: (base) => ({ copyProfile: (...args) => ({ ...base.copyProfile(...args), cookies: [] }) }),
  },
  {
    id: 'pools-stay',
    breaks: ['deleted-pool-is-gone', 'deleted-pool-cannot-run'],
    says: 'Deleting a pool is answered, and not done.',
    behaviour: () => ({ deletePool: () => {} }),
  },
];
