import { accepted, answer, type Fields, isFields } from '../../evidence/read.js';
import type { Exchange } from '../../vocabulary.js';
import type { Journey, Talk } from '../journey.js';
import { type Ask, Halt } from '../session.js';
import { duplicates } from './duplicates.js';
import { refusedUpdates } from './refused-updates.js';

/** Flags that no other setting touches and no plan or role restricts. */
const plainFlags = [
  'allow3rdCookies',
  'cachePersistence',
  'extraStealth',
  'forcePopupsAsTabsActive',
  'mediaBlockerActive',
  'pdfViewerActive',
] as const;

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
const noops: readonly Fields[] = [{}, { cookiesToAdd: [] }];

/** Updates and duplicates the profile, and puts it back. */
export const profile: Journey = {
  id: 'profile',
  effect: 'write',
  needs: ['profile'],
  after: ['start', 'start-sync', 'refusals'],
  stateless: true,
  async run(talk) {
    const editor = new Editor(talk, talk.id(talk.facts.profile));
    if (!(await editor.open()))
      throw new Halt('The profile cannot be read: an update that changes nothing is refused.');
    try {
      await settings(editor);
      await cookiesAndCredentials(editor);
      await refusedUpdates(editor);
      await duplicates(editor);
    } finally {
      await editor.restore();
    }
  },
};

/** One profile under change: what it was, and what it was last seen to be. */
export class Editor {
  readonly talk: Talk;
  readonly id: string;
  noop: Fields = {};
  original: Fields = {};
  now: Fields = {};

  constructor(talk: Talk, id: string) {
    this.talk = talk;
    this.id = id;
  }

  /** Reads the profile as it is. False where the target takes no update that changes nothing. */
  async open(step = 'baseline'): Promise<boolean> {
    for (const noop of noops) {
      const exchange = await this.update(step, noop, { asks: ['empty-update'] });
      if (!accepted(exchange)) continue;
      this.noop = noop;
      this.original = answer(exchange) ?? {};
      return true;
    }
    return false;
  }

  async update(step: string, body: Fields, more: Partial<Ask> = {}): Promise<Exchange> {
    const exchange = await this.talk.send({ step, operation: 'updateProfile', id: this.id, body, ...more });
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
    if (left.length > 0 && this.talk.facts.stateful)
      this.talk.leaves({ kind: 'profile settings', id: this.id, note: `could not be put back: ${left.join(', ')}` });
  }
}

async function settings(editor: Editor): Promise<void> {
  const { talk } = editor;
  const name = `conformance-${talk.unique()}`;
  await editor.update('description', { description: `Changed by the conformance suite (${name}).` });
  await editor.update('flags', Object.fromEntries(plainFlags.map((flag) => [flag, editor.now[flag] !== true])));
  await editor.update('flags-kept', { description: '' });
  await editor.update('name', { name });
  await editor.update('name-255', { name: name.padEnd(255, 'x') });
  // A name of one character may be taken by another profile.
  for (const letter of [0, 1, 2].map(() =>
    String.fromCharCode(97 + (Number.parseInt(talk.unique().slice(0, 2), 16) % 26)),
  ))
    if (accepted(await editor.update('name-1', { name: letter }))) break;
  await editor.update('description-1000', { name, description: 'd'.repeat(1000) });
  await editor.update('extensions', { extensionIds: [] });
  // Back again: the duplicate has to show that it copies them.
  await editor.update('extensions-back', { extensionIds: editor.original.extensionIds ?? [] });
  await editor.update('popup-off', { popupBlockerActive: false });
  await editor.update('adblock-off', { adblockActive: false });
  await editor.update('popup-without-adblock', { popupBlockerActive: true });
  await editor.update('popup-with-adblock', { adblockActive: true, popupBlockerActive: true });
  await editor.update('adblock-off-under-popup', { adblockActive: false });
  await editor.update(
    'tracing',
    { tracingEnabled: editor.now.tracingEnabled !== true },
    { asks: ['tracing-without-admin'] },
  );
  await editor.update(
    'captcha',
    { captchaSolverActive: editor.now.captchaSolverActive !== true },
    { asks: ['managed-proxy-flags'] },
  );
  await editor.update('unknown-field', { conformanceSuite: true }, { asks: ['unknown-request-fields'] });
}

async function cookiesAndCredentials(editor: Editor): Promise<void> {
  const { talk } = editor;
  const mine = `conformance-${talk.unique()}`;
  const cookie = (name: string, more: Fields = {}): Fields => ({
    domain: 'conformance.example',
    httpOnly: true,
    key: name,
    name,
    secure: true,
    value: 'crumbs',
    ...more,
  });
  await editor.update(
    'cookies-added',
    {
      cookiesToAdd: [
        cookie(`${mine}-1`, { id: talk.unknownId(), expiry: '2040-01-01T00:00:00Z' }),
        cookie(`${mine}-2`, { httpOnly: false, secure: false }),
      ],
    },
    { asks: ['cookie-id-sent'] },
  );
  await editor.update('cookie-deleted', {
    cookiesToDelete: editor.idsOf('cookies', ({ name }) => name === `${mine}-2`),
  });
  await editor.update(
    'credentials-added',
    {
      credentialsToAdd: [
        { name: `${mine}-One`, data: 'first secret' },
        { name: `${mine}-two`, data: 'second secret' },
      ],
    },
    { asks: ['credential-data-visible'] },
  );
  await editor.update('credential-updated', {
    credentialsToUpdate: [{ name: `${mine}-ONE`.toUpperCase(), data: 'changed secret' }],
  });
  await editor.update('credential-deleted', {
    credentialsToDelete: editor.idsOf('credentials', ({ name }) => name === `${mine}-two`),
  });
}
