import type { Fault, Hooks } from '../hooks.js';
import { type Execution, type Fields, fieldsOf, isFields, isTerminal, type Value } from '../state.js';
import {
  cutAt,
  everyNth,
  faultsOf,
  hook,
  implied,
  mapFields,
  mapLeaves,
  mapNames,
  mapTexts,
  recorded,
} from './make.js';

const inputs = (change: (fields: Fields) => Fields) => recorded('inputs', change);
const metadata = (change: (fields: Fields) => Fields) => recorded('metadata', change);
const leaves = (change: (leaf: Value) => Value) => inputs((f) => fieldsOf(mapLeaves(f, change)));
const texts = (change: (text: string) => string) => inputs((f) => fieldsOf(mapTexts(f, change)));
const metaTexts = (change: (text: string) => string) => metadata((f) => fieldsOf(mapTexts(f, change)));
const when = (which: (e: Execution) => boolean, hooks: Partial<Hooks>): Partial<Hooks> =>
  hook('starts', (e, c) => {
    if (which(e)) hooks.starts?.(e, c);
  });
const lossy = metadata((f) => mapFields(f, (v, n) => (n === Object.keys(f)[0] ? undefined : v)));
const lossyInputs = inputs((f) => mapFields(f, (v, n) => (n === Object.keys(f)[0] ? undefined : v)));
const depthOf = (value: Value): number =>
  Array.isArray(value)
    ? 1 + Math.max(0, ...value.map(depthOf))
    : isFields(value)
      ? 1 + Math.max(0, ...Object.values(value).map((v) => depthOf(v ?? null)))
      : 0;
const cutDepth = (value: Value, left: number): Value => {
  if (left === 0 && typeof value === 'object' && value !== null) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((one) => cutDepth(one, left - 1));
  return isFields(value) ? mapFields(value, (one) => cutDepth(one, left - 1)) : value;
};

export const recordFaults: readonly Fault[] = [
  ...faultsOf({
    // Values of inputs.
    // inputs: Input variables used.
    'inputs-null-becomes-text': leaves((v) => (v === null ? '' : v)),
    'inputs-null-dropped': implied(inputs((f) => mapFields(f, (v) => v ?? undefined))),
    'inputs-zero-becomes-null': leaves((v) => (v === 0 ? null : v)),
    'inputs-false-becomes-null': leaves((v) => (v === false ? null : v)),
    'inputs-falsy-dropped': implied(inputs((f) => mapFields(f, (v) => v || undefined))),
    'inputs-empty-text-becomes-null': leaves((v) => (v === '' ? null : v)),
    'inputs-numbers-become-texts': leaves((v) => (typeof v === 'number' ? String(v) : v)),
    'inputs-booleans-become-texts': leaves((v) => (typeof v === 'boolean' ? String(v) : v)),
    'inputs-fractions-cut': leaves((v) => (typeof v === 'number' ? Math.trunc(v) : v)),
    'inputs-big-numbers-32-bit': leaves((v) => (typeof v === 'number' && Number.isInteger(v) ? v | 0 : v)),
    'inputs-negative-made-positive': leaves((v) => (typeof v === 'number' ? Math.abs(v) : v)),
    'inputs-single-precision': leaves((v) => (typeof v === 'number' ? Math.fround(v) : v)),
    'inputs-numeric-texts-become-numbers': leaves((v) => (typeof v === 'string' && /^\d+$/.test(v) ? Number(v) : v)),
    'inputs-boolean-texts-become-booleans': leaves((v) => (v === 'true' ? true : v === 'false' ? false : v)),
    'inputs-null-text-becomes-null': leaves((v) => (v === 'null' ? null : v)),
    'inputs-dates-normalised': leaves((v) =>
      typeof v === 'string' && /^\d{4}-\d\d-\d\d/.test(v) && !Number.isNaN(Date.parse(v))
        ? new Date(v).toISOString()
        : v,
    ),
    'inputs-trimmed': texts((t) => t.trim()),
    'inputs-blanks-joined': texts((t) => t.replaceAll(/\s+/g, ' ')),
    'inputs-line-ends-changed': texts((t) => t.replaceAll(/\r\n?/g, '\n')),
    'inputs-tabs-become-blanks': texts((t) => t.replaceAll('\t', ' ')),
    'inputs-ascii-only': texts((t) => t.replaceAll(/[^\u0009-\u007e]/g, '?')),
    'inputs-latin-1-only': texts((t) => t.replaceAll(/[^\u0000-\u00ff]/g, '?')),
    'inputs-basic-plane-only': texts((t) => t.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
    'inputs-normalised': texts((t) => t.normalize('NFC')),
    'inputs-decomposed': texts((t) => t.normalize('NFD')),
    'inputs-compatibility-form': texts((t) => t.normalize('NFKC')),
    'inputs-invisible-dropped': texts((t) => t.replaceAll(/[\u200b-\u200f\ufeff]/g, '')),
    'inputs-html-escaped': texts((t) => t.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    'inputs-tags-stripped': texts((t) => t.replaceAll(/<[^>]*>/g, '')),
    'inputs-entities-decoded': texts((t) => t.replaceAll('&amp;', '&').replaceAll('&lt;', '<')),
    'inputs-percent-decoded': texts((t) =>
      t.replaceAll(/%([0-9a-f]{2})/gi, (_, h: string) => String.fromCharCode(Number.parseInt(h, 16))),
    ),
    'inputs-plus-becomes-blank': texts((t) => t.replaceAll('+', ' ')),
    'inputs-quotes-escaped': texts((t) => t.replaceAll('"', '\\"')),
    'inputs-single-quotes-doubled': texts((t) => t.replaceAll("'", "''")),
    'inputs-backslashes-lost': texts((t) => t.replaceAll('\\', '')),
    'inputs-placeholders-filled': texts((t) => t.replaceAll(/\{\{[^}]*\}\}/g, '')),
    'inputs-dollars-filled': texts((t) => t.replaceAll(/\$\{[^}]*\}|\$\w+/g, '')),
    'inputs-lower-case': texts((t) => t.toLowerCase()),
    'inputs-cut-at-100': texts(cutAt(100)),
    'inputs-cut-at-255': texts(cutAt(255)),
    'inputs-cut-at-1000': texts(cutAt(1000)),
    'inputs-cut-at-4000': texts(cutAt(4000)),
    'inputs-nul-ends-text': texts((t) => t.split('\0')[0] ?? ''),
    'inputs-depth-3': inputs((f) => fieldsOf(cutDepth(f, 3))),
    'inputs-depth-5': inputs((f) => fieldsOf(cutDepth(f, 5))),
    'inputs-lists-cut-at-3': inputs((f) => mapFields(f, (v) => (Array.isArray(v) ? v.slice(0, 3) : v))),
    'inputs-lists-sorted': inputs((f) => mapFields(f, (v) => (Array.isArray(v) ? v.toSorted() : v))),
    'inputs-lists-unique': inputs((f) =>
      mapFields(f, (v) => (Array.isArray(v) ? [...new Map(v.map((x) => [JSON.stringify(x), x])).values()] : v)),
    ),
    'inputs-lists-flat': inputs((f) => mapFields(f, (v) => (Array.isArray(v) ? v.flat() : v))),
    'inputs-lists-become-objects': inputs((f) =>
      mapFields(f, (v) => (Array.isArray(v) ? Object.fromEntries(v.map((one, i) => [i, one])) : v)),
    ),
    'inputs-empty-lists-become-objects': inputs((f) =>
      mapFields(f, (v) => (Array.isArray(v) && v.length === 0 ? {} : v)),
    ),
    'inputs-lists-lose-null': inputs((f) => mapFields(f, (v) => (Array.isArray(v) ? v.filter((x) => x !== null) : v))),
    'inputs-empty-objects-dropped': implied(
      inputs((f) => mapFields(f, (v) => (isFields(v) && Object.keys(v).length === 0 ? undefined : v))),
    ),
    'inputs-empty-lists-dropped': implied(
      inputs((f) => mapFields(f, (v) => (Array.isArray(v) && v.length === 0 ? undefined : v))),
    ),
    'inputs-one-item-lists-unpacked': inputs((f) =>
      mapFields(f, (v) => (Array.isArray(v) && v.length === 1 ? (v[0] ?? null) : v)),
    ),
    'inputs-objects-become-texts': inputs((f) => mapFields(f, (v) => (isFields(v) ? JSON.stringify(v) : v))),
    'inputs-nested-null-dropped': implied(
      inputs((f) => mapFields(f, (v) => (isFields(v) ? mapFields(v, (x) => x ?? undefined) : v))),
    ),
    // Names of inputs.
    'inputs-dotted-names-nest': implied(inputs((f) => mapNames(f, (n) => n.replaceAll('.', '_')))),
    'inputs-names-lower-case': implied(inputs((f) => mapNames(f, (n) => n.toLowerCase()))),
    'inputs-names-snake-case': implied(
      inputs((f) => mapNames(f, (n) => n.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())),
    ),
    'inputs-names-with-blanks-dropped': implied(inputs((f) => mapNames(f, (n) => (n.includes(' ') ? undefined : n)))),
    'inputs-names-with-dollar-dropped': implied(inputs((f) => mapNames(f, (n) => (n.startsWith('$') ? undefined : n)))),
    'inputs-names-with-underscore-dropped': implied(
      inputs((f) => mapNames(f, (n) => (n.startsWith('_') ? undefined : n))),
    ),
    'inputs-names-unicode-dropped': implied(
      inputs((f) => mapNames(f, (n) => (/[^\u0020-\u007e]/.test(n) ? undefined : n))),
    ),
    'inputs-empty-name-dropped': implied(inputs((f) => mapNames(f, (n) => n || undefined))),
    'inputs-constructor-dropped': implied(inputs((f) => mapNames(f, (n) => (n in {} ? undefined : n)))),
    'inputs-id-dropped': implied(
      inputs((f) => mapNames(f, (n) => (['id', 'type', 'status'].includes(n) ? undefined : n))),
    ),
    'inputs-hyphens-become-underscores': implied(inputs((f) => mapNames(f, (n) => n.replaceAll('-', '_')))),
    'inputs-numeric-names-dropped': implied(inputs((f) => mapNames(f, (n) => (/^\d+$/.test(n) ? undefined : n)))),
    'inputs-names-cut-at-30': implied(inputs((f) => mapNames(f, cutAt(30)))),
    'inputs-names-cut-at-64': implied(inputs((f) => mapNames(f, cutAt(64)))),
    'inputs-slashes-in-names': implied(inputs((f) => mapNames(f, (n) => n.replaceAll('/', '')))),
    'inputs-brackets-in-names': implied(inputs((f) => mapNames(f, (n) => n.replaceAll(/[[\]]/g, '')))),
    'inputs-at-most-5': implied(inputs((f) => Object.fromEntries(Object.entries(f).slice(0, 5)))),
    'inputs-at-most-10': implied(inputs((f) => Object.fromEntries(Object.entries(f).slice(0, 10)))),
    'inputs-at-most-20': implied(inputs((f) => Object.fromEntries(Object.entries(f).slice(0, 20)))),
    'inputs-of-deep-dropped': implied(inputs((f) => mapFields(f, (v) => (depthOf(v) > 3 ? undefined : v)))),
    // Which runs lose inputs.
    'inputs-lost-when-sync': implied(when((e) => e.sync, { starts: (e) => delete e.inputs })),
    'inputs-lost-when-queued': implied(when((e) => e.waited, { starts: (e) => delete e.inputs })),
    'inputs-one-lost-when-queued': implied(when((e) => e.waited, lossyInputs)),
    'inputs-lost-on-group': implied(when((e) => e.groupId !== undefined, { starts: (e) => delete e.inputs })),
    'inputs-lost-on-profile': implied(
      when((e) => e.groupId === undefined && e.profileId !== undefined, {
        starts: (e) => delete e.inputs,
      }),
    ),
    'inputs-lost-on-version': implied(when((e) => e.asked.version !== undefined, { starts: (e) => delete e.inputs })),
    'inputs-lost-on-head': implied(when((e) => e.asked.head === true, { starts: (e) => delete e.inputs })),
    'inputs-lost-on-failure': implied({ shows: (v) => v.status === 'failed' && delete v.inputs }),
    'inputs-lost-on-cancel': implied({ shows: (v) => v.status === 'cancelled' && delete v.inputs }),
    'inputs-lost-while-running': implied({ shows: (v) => v.status === 'running' && delete v.inputs }),
    'inputs-lost-when-paused': implied({ shows: (v) => String(v.status).startsWith('paused') && delete v.inputs }),
    'inputs-lost-at-the-end': implied({ shows: (v, e) => isTerminal(e.status) && delete v.inputs }),
    // inputs: Input variables used.
    'inputs-differ-when-sync': when(
      (e) => e.sync,
      texts((t) => t.trim().toLowerCase()),
    ),
    'inputs-of-old-name-as-texts': when(
      (e) => e.asked.dynamicData !== undefined,
      leaves((v) => String(v)),
    ),
    'inputs-of-the-start-before': () => {
      let before: Fields | undefined;
      return hook('starts', (e) => {
        const own = e.inputs;
        if (own && before) e.inputs = before;
        if (own) before = own;
      });
    },
    'inputs-of-another-at-times': () => {
      let before: Fields | undefined;
      const now = everyNth(4);
      return hook('starts', (e) => {
        const own = e.inputs;
        if (own && before && now()) e.inputs = before;
        if (own) before = own;
      });
    },
    'inputs-lost-at-times': implied(() => {
      const now = everyNth(4);
      return { starts: (e) => e.inputs && now() && delete e.inputs };
    }),
    'inputs-change-on-second-read': {
      shows: (v, e) => e.reads > 1 && isFields(v.inputs) && (v.inputs = fieldsOf(mapTexts(v.inputs, (t) => `${t}!`))),
    },
    // Metadata.
    // metadata: String-to-string pairs attached at start.
    'metadata-not-shown': implied({ starts: (e) => delete e.metadata }),
    'metadata-values-lower-case': metaTexts((t) => t.toLowerCase()),
    'metadata-names-lower-case': implied(metadata((f) => mapNames(f, (n) => n.toLowerCase()))),
    'metadata-trimmed': metaTexts((t) => t.trim()),
    'metadata-empty-dropped': implied(metadata((f) => mapFields(f, (v) => v || undefined))),
    'metadata-numeric-become-numbers': metadata((f) => mapFields(f, (v) => (/^\d+$/.test(String(v)) ? Number(v) : v))),
    'metadata-booleans': metadata((f) => mapFields(f, (v) => (v === 'true' ? true : v))),
    'metadata-leading-zeros-lost': metaTexts((t) => (/^0\d+$/.test(t) ? String(Number(t)) : t)),
    'metadata-ascii-only': metaTexts((t) => t.replaceAll(/[^\u0009-\u007e]/g, '')),
    'metadata-basic-plane-only': metaTexts((t) => t.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
    'metadata-cut-at-64': metaTexts(cutAt(64)),
    'metadata-cut-at-255': metaTexts(cutAt(255)),
    'metadata-cut-at-500': metaTexts(cutAt(500)),
    'metadata-normalised': metaTexts((t) => t.normalize('NFC')),
    'metadata-line-ends': metaTexts((t) => t.replaceAll(/[\r\n]+/g, ' ')),
    'metadata-html-escaped': metaTexts((t) => t.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    'metadata-dotted-names': implied(metadata((f) => mapNames(f, (n) => n.replaceAll('.', '_')))),
    'metadata-hyphened-names': implied(metadata((f) => mapNames(f, (n) => n.replaceAll('-', '_')))),
    'metadata-blank-names-dropped': implied(metadata((f) => mapNames(f, (n) => (n.includes(' ') ? undefined : n)))),
    'metadata-unicode-names-dropped': implied(
      metadata((f) => mapNames(f, (n) => (/[^\u0020-\u007e]/.test(n) ? undefined : n))),
    ),
    'metadata-names-cut-at-40': implied(metadata((f) => mapNames(f, cutAt(40)))),
    'metadata-at-most-3': implied(metadata((f) => Object.fromEntries(Object.entries(f).slice(0, 3)))),
    'metadata-at-most-10': implied(metadata((f) => Object.fromEntries(Object.entries(f).slice(0, 10)))),
    'metadata-first-lost': implied(lossy),
    'metadata-lost-when-sync': implied(when((e) => e.sync, { starts: (e) => delete e.metadata })),
    'metadata-lost-when-queued': implied(when((e) => e.waited, { starts: (e) => delete e.metadata })),
    'metadata-lost-on-group': implied(when((e) => e.groupId !== undefined, { starts: (e) => delete e.metadata })),
    'metadata-lost-on-failure': implied({ shows: (v) => v.status === 'failed' && delete v.metadata }),
    'metadata-lost-at-the-end': implied({ shows: (v, e) => isTerminal(e.status) && delete v.metadata }),
    'metadata-lost-on-variant': implied(
      when((e) => e.workflow.variantMode === true, { starts: (e) => delete e.metadata }),
    ),
    'metadata-gets-inputs': { starts: (e) => e.metadata && (e.metadata = { ...e.metadata, workflow: 'x' }) },
    'metadata-of-the-start-before': () => {
      let before: Fields | undefined;
      return hook('starts', (e) => {
        const own = e.metadata;
        if (own && before) e.metadata = before;
        if (own) before = own;
      });
    },
    // Options.
    // executionOptions: softTimeoutMins.
    'soft-timeout-not-shown': implied({ starts: (e) => delete e.options }),
    // softTimeoutMins: integer.
    'soft-timeout-in-seconds': recorded('options', (o) => mapFields(o, (v) => (typeof v === 'number' ? v * 60 : v))),
    'soft-timeout-as-text': recorded('options', (o) => mapFields(o, (v) => String(v))),
    // softTimeoutMins of the start.
    'soft-timeout-capped': implied(
      recorded('options', (o) => mapFields(o, (v) => (typeof v === 'number' ? Math.min(v, 30) : v))),
    ),
    'soft-timeout-lost-when-sync': implied(when((e) => e.sync, { starts: (e) => delete e.options })),
    'soft-timeout-lost-when-queued': implied(when((e) => e.waited, { starts: (e) => delete e.options })),
    // The server normalises it to a filesystem-safe slug.
    'storage-key-raw': implied({
      starts: (e) =>
        e.options?.sharedStorageKey && (e.options.sharedStorageKey = fieldsOf(e.asked.executionOptions).variantKey),
    }),
  }),
];
