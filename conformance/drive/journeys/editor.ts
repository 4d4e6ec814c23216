import { accepted, answer, type Fields, isFields } from '../../evidence/read.js';
import { plainFlags } from '../../evidence/settings.js';
import type { Exchange } from '../../vocabulary.js';
import type { Driver } from '../driver.js';
import type { Ask } from '../session.js';

/** What the suite changes and can put back; an optional setting that was unset could not be unset again. */
export const restorable = [
  ...plainFlags,
  'adblockActive',
  'popupBlockerActive',
  'captchaSolverActive',
  'tracingEnabled',
  'name',
  'description',
  'extensionIds',
];

/** Updates that should change nothing: the interface has no other way to read a profile. The first one that is taken. */
const noops = (driver: Driver): Fields[] => [{}, { cookiesToAdd: [] }, { cookiesToDelete: [driver.unknownId()] }];

/** One profile under change: what it was, and what it was last seen to be. */
export class Editor {
  readonly driver: Driver;
  readonly id: string;
  noop: Fields = {};
  original: Fields = {};
  now: Fields = {};

  constructor(driver: Driver, id: string) {
    this.driver = driver;
    this.id = id;
  }

  /** Reads the profile as it is. False where the target takes no update that changes nothing. */
  async open(step = 'baseline'): Promise<boolean> {
    for (const noop of noops(this.driver)) {
      const exchange = await this.update(step, noop, { asks: ['empty-update'] });
      if (!accepted(exchange)) continue;
      this.noop = noop;
      this.original = answer(exchange) ?? {};
      return true;
    }
    return false;
  }

  async update(step: string, body: Fields, more: Partial<Ask> = {}): Promise<Exchange> {
    const exchange = await this.driver.send({ step, operation: 'updateProfile', id: this.id, body, ...more });
    if (accepted(exchange)) this.now = answer(exchange) ?? this.now;
    return exchange;
  }

  /** Ids in a list of the profile, by what `pick` says of its items. */
  idsOf(list: 'cookies' | 'credentials', pick: (item: Fields) => boolean): string[] {
    const items = this.now[list];
    if (!Array.isArray(items)) return [];
    return items
      .filter(isFields)
      .filter(pick)
      .flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  }

  /** Puts back every setting that differs, and takes away what was added. Also while the run is being stopped. */
  async restore(): Promise<void> {
    const added = (list: 'cookies' | 'credentials') => {
      const before = this.original[list];
      const known = Array.isArray(before) ? before.filter(isFields).map(({ id }) => id) : [];
      return this.idsOf(list, ({ id }) => !known.includes(id));
    };
    const differing = () =>
      restorable.filter((field) => JSON.stringify(this.now[field]) !== JSON.stringify(this.original[field]));
    const cookies = added('cookies');
    const credentials = added('credentials');
    const body = {
      ...Object.fromEntries(differing().map((field) => [field, this.original[field]])),
      ...(cookies.length > 0 && { cookiesToDelete: cookies }),
      ...(credentials.length > 0 && { credentialsToDelete: credentials }),
    };
    if (Object.keys(body).length > 0) await this.update('restore', body, { always: true });
    const left = [
      ...differing(),
      ...(added('cookies').length > 0 ? ['cookies'] : []),
      ...(added('credentials').length > 0 ? ['credentials'] : []),
    ];
    if (left.length > 0 && this.driver.facts.stateful)
      this.driver.leaves({ kind: 'profile settings', id: this.id, note: `could not be put back: ${left.join(', ')}` });
  }
}
