import type { Fault, Hooks } from '../hooks.js';
import { type Execution, type Fields, fieldsOf, isFields, isTerminal, type Value } from '../state.js';
import { cutAt, everyNth, mapFields, mapLeaves, mapNames, mapTexts, must, recorded, should } from './make.js';

const used = 'inputs: Input variables used.';
const attached = 'metadata: String-to-string pairs attached at start.';
const inputs = (change: (fields: Fields) => Fields) => recorded('inputs', change);
const metadata = (change: (fields: Fields) => Fields) => recorded('metadata', change);
const leaves = (change: (leaf: Value) => Value) => inputs((f) => fieldsOf(mapLeaves(f, change)));
const texts = (change: (text: string) => string) => inputs((f) => fieldsOf(mapTexts(f, change)));
const metaTexts = (change: (text: string) => string) => metadata((f) => fieldsOf(mapTexts(f, change)));
const when = (which: (e: Execution) => boolean, hooks: Partial<Hooks>): Partial<Hooks> => ({
  starts: (e, c) => {
    if (which(e)) hooks.starts?.(e, c);
  },
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
  // Values of inputs.
  must(
    'inputs-null-becomes-text',
    used,
    leaves((v) => (v === null ? '' : v)),
  ),
  should(
    'inputs-null-dropped',
    used,
    inputs((f) => mapFields(f, (v) => v ?? undefined)),
  ),
  must(
    'inputs-zero-becomes-null',
    used,
    leaves((v) => (v === 0 ? null : v)),
  ),
  must(
    'inputs-false-becomes-null',
    used,
    leaves((v) => (v === false ? null : v)),
  ),
  should(
    'inputs-falsy-dropped',
    used,
    inputs((f) => mapFields(f, (v) => v || undefined)),
  ),
  must(
    'inputs-empty-text-becomes-null',
    used,
    leaves((v) => (v === '' ? null : v)),
  ),
  must(
    'inputs-numbers-become-texts',
    used,
    leaves((v) => (typeof v === 'number' ? String(v) : v)),
  ),
  must(
    'inputs-booleans-become-texts',
    used,
    leaves((v) => (typeof v === 'boolean' ? String(v) : v)),
  ),
  must(
    'inputs-fractions-cut',
    used,
    leaves((v) => (typeof v === 'number' ? Math.trunc(v) : v)),
  ),
  must(
    'inputs-big-numbers-32-bit',
    used,
    leaves((v) => (typeof v === 'number' && Number.isInteger(v) ? v | 0 : v)),
  ),
  must(
    'inputs-negative-made-positive',
    used,
    leaves((v) => (typeof v === 'number' ? Math.abs(v) : v)),
  ),
  must(
    'inputs-single-precision',
    used,
    leaves((v) => (typeof v === 'number' ? Math.fround(v) : v)),
  ),
  must(
    'inputs-numeric-texts-become-numbers',
    used,
    leaves((v) => (typeof v === 'string' && /^\d+$/.test(v) ? Number(v) : v)),
  ),
  must(
    'inputs-boolean-texts-become-booleans',
    used,
    leaves((v) => (v === 'true' ? true : v === 'false' ? false : v)),
  ),
  must(
    'inputs-null-text-becomes-null',
    used,
    leaves((v) => (v === 'null' ? null : v)),
  ),
  must(
    'inputs-dates-normalised',
    used,
    leaves((v) =>
      typeof v === 'string' && /^\d{4}-\d\d-\d\d/.test(v) && !Number.isNaN(Date.parse(v))
        ? new Date(v).toISOString()
        : v,
    ),
  ),
  must(
    'inputs-trimmed',
    used,
    texts((t) => t.trim()),
  ),
  must(
    'inputs-blanks-joined',
    used,
    texts((t) => t.replaceAll(/\s+/g, ' ')),
  ),
  must(
    'inputs-line-ends-changed',
    used,
    texts((t) => t.replaceAll(/\r\n?/g, '\n')),
  ),
  must(
    'inputs-tabs-become-blanks',
    used,
    texts((t) => t.replaceAll('\t', ' ')),
  ),
  must(
    'inputs-ascii-only',
    used,
    texts((t) => t.replaceAll(/[^\u0009-\u007e]/g, '?')),
  ),
  must(
    'inputs-latin-1-only',
    used,
    texts((t) => t.replaceAll(/[^\u0000-\u00ff]/g, '?')),
  ),
  must(
    'inputs-basic-plane-only',
    used,
    texts((t) => t.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd')),
  ),
  must(
    'inputs-normalised',
    used,
    texts((t) => t.normalize('NFC')),
  ),
  must(
    'inputs-decomposed',
    used,
    texts((t) => t.normalize('NFD')),
  ),
  must(
    'inputs-compatibility-form',
    used,
    texts((t) => t.normalize('NFKC')),
  ),
  must(
    'inputs-invisible-dropped',
    used,
    texts((t) => t.replaceAll(/[\u200b-\u200f\ufeff]/g, '')),
  ),
  must(
    'inputs-html-escaped',
    used,
    texts((t) => t.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  ),
  must(
    'inputs-tags-stripped',
    used,
    texts((t) => t.replaceAll(/<[^>]*>/g, '')),
  ),
  must(
    'inputs-entities-decoded',
    used,
    texts((t) => t.replaceAll('&amp;', '&').replaceAll('&lt;', '<')),
  ),
  must(
    'inputs-percent-decoded',
    used,
    texts((t) => t.replaceAll(/%([0-9a-f]{2})/gi, (_, h: string) => String.fromCharCode(Number.parseInt(h, 16)))),
  ),
  must(
    'inputs-plus-becomes-blank',
    used,
    texts((t) => t.replaceAll('+', ' ')),
  ),
  must(
    'inputs-quotes-escaped',
    used,
    texts((t) => t.replaceAll('"', '\\"')),
  ),
  must(
    'inputs-single-quotes-doubled',
    used,
    texts((t) => t.replaceAll("'", "''")),
  ),
  must(
    'inputs-backslashes-lost',
    used,
    texts((t) => t.replaceAll('\\', '')),
  ),
  must(
    'inputs-placeholders-filled',
    used,
    texts((t) => t.replaceAll(/\{\{[^}]*\}\}/g, '')),
  ),
  must(
    'inputs-dollars-filled',
    used,
    texts((t) => t.replaceAll(/\$\{[^}]*\}|\$\w+/g, '')),
  ),
  must(
    'inputs-lower-case',
    used,
    texts((t) => t.toLowerCase()),
  ),
  must('inputs-cut-at-100', used, texts(cutAt(100))),
  must('inputs-cut-at-255', used, texts(cutAt(255))),
  must('inputs-cut-at-1000', used, texts(cutAt(1000))),
  must('inputs-cut-at-4000', used, texts(cutAt(4000))),
  must(
    'inputs-nul-ends-text',
    used,
    texts((t) => t.split('\0')[0] ?? ''),
  ),
  must(
    'inputs-depth-3',
    used,
    inputs((f) => fieldsOf(cutDepth(f, 3))),
  ),
  must(
    'inputs-depth-5',
    used,
    inputs((f) => fieldsOf(cutDepth(f, 5))),
  ),
  must(
    'inputs-lists-cut-at-3',
    used,
    inputs((f) => mapFields(f, (v) => (Array.isArray(v) ? v.slice(0, 3) : v))),
  ),
  must(
    'inputs-lists-sorted',
    used,
    inputs((f) => mapFields(f, (v) => (Array.isArray(v) ? v.toSorted() : v))),
  ),
  must(
    'inputs-lists-unique',
    used,
    inputs((f) =>
      mapFields(f, (v) => (Array.isArray(v) ? [...new Map(v.map((x) => [JSON.stringify(x), x])).values()] : v)),
    ),
  ),
  must(
    'inputs-lists-flat',
    used,
    inputs((f) => mapFields(f, (v) => (Array.isArray(v) ? v.flat() : v))),
  ),
  must(
    'inputs-lists-become-objects',
    used,
    inputs((f) => mapFields(f, (v) => (Array.isArray(v) ? Object.fromEntries(v.map((one, i) => [i, one])) : v))),
  ),
  must(
    'inputs-empty-lists-become-objects',
    used,
    inputs((f) => mapFields(f, (v) => (Array.isArray(v) && v.length === 0 ? {} : v))),
  ),
  must(
    'inputs-lists-lose-null',
    used,
    inputs((f) => mapFields(f, (v) => (Array.isArray(v) ? v.filter((x) => x !== null) : v))),
  ),
  should(
    'inputs-empty-objects-dropped',
    used,
    inputs((f) => mapFields(f, (v) => (isFields(v) && Object.keys(v).length === 0 ? undefined : v))),
  ),
  should(
    'inputs-empty-lists-dropped',
    used,
    inputs((f) => mapFields(f, (v) => (Array.isArray(v) && v.length === 0 ? undefined : v))),
  ),
  must(
    'inputs-one-item-lists-unpacked',
    used,
    inputs((f) => mapFields(f, (v) => (Array.isArray(v) && v.length === 1 ? (v[0] ?? null) : v))),
  ),
  must(
    'inputs-objects-become-texts',
    used,
    inputs((f) => mapFields(f, (v) => (isFields(v) ? JSON.stringify(v) : v))),
  ),
  should(
    'inputs-nested-null-dropped',
    used,
    inputs((f) => mapFields(f, (v) => (isFields(v) ? mapFields(v, (x) => x ?? undefined) : v))),
  ),
  // Names of inputs.
  should(
    'inputs-dotted-names-nest',
    used,
    inputs((f) => mapNames(f, (n) => n.replaceAll('.', '_'))),
  ),
  should(
    'inputs-names-lower-case',
    used,
    inputs((f) => mapNames(f, (n) => n.toLowerCase())),
  ),
  should(
    'inputs-names-snake-case',
    used,
    inputs((f) => mapNames(f, (n) => n.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())),
  ),
  should(
    'inputs-names-with-blanks-dropped',
    used,
    inputs((f) => mapNames(f, (n) => (n.includes(' ') ? undefined : n))),
  ),
  should(
    'inputs-names-with-dollar-dropped',
    used,
    inputs((f) => mapNames(f, (n) => (n.startsWith('$') ? undefined : n))),
  ),
  should(
    'inputs-names-with-underscore-dropped',
    used,
    inputs((f) => mapNames(f, (n) => (n.startsWith('_') ? undefined : n))),
  ),
  should(
    'inputs-names-unicode-dropped',
    used,
    inputs((f) => mapNames(f, (n) => (/[^\u0020-\u007e]/.test(n) ? undefined : n))),
  ),
  should(
    'inputs-empty-name-dropped',
    used,
    inputs((f) => mapNames(f, (n) => n || undefined)),
  ),
  should(
    'inputs-constructor-dropped',
    used,
    inputs((f) => mapNames(f, (n) => (n in {} ? undefined : n))),
  ),
  should(
    'inputs-id-dropped',
    used,
    inputs((f) => mapNames(f, (n) => (['id', 'type', 'status'].includes(n) ? undefined : n))),
  ),
  should(
    'inputs-hyphens-become-underscores',
    used,
    inputs((f) => mapNames(f, (n) => n.replaceAll('-', '_'))),
  ),
  should(
    'inputs-numeric-names-dropped',
    used,
    inputs((f) => mapNames(f, (n) => (/^\d+$/.test(n) ? undefined : n))),
  ),
  should(
    'inputs-names-cut-at-30',
    used,
    inputs((f) => mapNames(f, cutAt(30))),
  ),
  should(
    'inputs-names-cut-at-64',
    used,
    inputs((f) => mapNames(f, cutAt(64))),
  ),
  should(
    'inputs-slashes-in-names',
    used,
    inputs((f) => mapNames(f, (n) => n.replaceAll('/', ''))),
  ),
  should(
    'inputs-brackets-in-names',
    used,
    inputs((f) => mapNames(f, (n) => n.replaceAll(/[[\]]/g, ''))),
  ),
  should(
    'inputs-at-most-5',
    used,
    inputs((f) => Object.fromEntries(Object.entries(f).slice(0, 5))),
  ),
  should(
    'inputs-at-most-10',
    used,
    inputs((f) => Object.fromEntries(Object.entries(f).slice(0, 10))),
  ),
  should(
    'inputs-at-most-20',
    used,
    inputs((f) => Object.fromEntries(Object.entries(f).slice(0, 20))),
  ),
  should(
    'inputs-of-deep-dropped',
    used,
    inputs((f) => mapFields(f, (v) => (depthOf(v) > 3 ? undefined : v))),
  ),
  // Which runs lose inputs.
  should(
    'inputs-lost-when-sync',
    used,
    when((e) => e.sync, { starts: (e) => delete e.inputs }),
  ),
  should(
    'inputs-lost-when-queued',
    used,
    when((e) => e.waited, { starts: (e) => delete e.inputs }),
  ),
  should(
    'inputs-one-lost-when-queued',
    used,
    when((e) => e.waited, lossyInputs),
  ),
  should(
    'inputs-lost-on-group',
    used,
    when((e) => e.groupId !== undefined, { starts: (e) => delete e.inputs }),
  ),
  should(
    'inputs-lost-on-profile',
    used,
    when((e) => e.groupId === undefined && e.profileId !== undefined, { starts: (e) => delete e.inputs }),
  ),
  should(
    'inputs-lost-on-version',
    used,
    when((e) => e.asked.version !== undefined, { starts: (e) => delete e.inputs }),
  ),
  should(
    'inputs-lost-on-head',
    used,
    when((e) => e.asked.head === true, { starts: (e) => delete e.inputs }),
  ),
  should('inputs-lost-on-failure', used, { shows: (v) => void (v.status === 'failed' && delete v.inputs) }),
  should('inputs-lost-on-cancel', used, { shows: (v) => void (v.status === 'cancelled' && delete v.inputs) }),
  should('inputs-lost-while-running', used, { shows: (v) => void (v.status === 'running' && delete v.inputs) }),
  should('inputs-lost-when-paused', used, {
    shows: (v) => void (String(v.status).startsWith('paused') && delete v.inputs),
  }),
  should('inputs-lost-at-the-end', used, { shows: (v, e) => void (isTerminal(e.status) && delete v.inputs) }),
  must(
    'inputs-differ-when-sync',
    used,
    when(
      (e) => e.sync,
      texts((t) => t.trim().toLowerCase()),
    ),
  ),
  must(
    'inputs-of-old-name-as-texts',
    used,
    when(
      (e) => e.asked.dynamicData !== undefined,
      leaves((v) => String(v)),
    ),
  ),
  must('inputs-of-the-start-before', used, () => {
    let before: Fields | undefined;
    return {
      starts: (e) => {
        const own = e.inputs;
        if (own && before) e.inputs = before;
        if (own) before = own;
      },
    };
  }),
  must('inputs-of-another-at-times', used, () => {
    let before: Fields | undefined;
    const now = everyNth(4);
    return {
      starts: (e) => {
        const own = e.inputs;
        if (own && before && now()) e.inputs = before;
        if (own) before = own;
      },
    };
  }),
  should('inputs-lost-at-times', used, () => {
    const now = everyNth(4);
    return { starts: (e) => void (e.inputs && now() && delete e.inputs) };
  }),
  must('inputs-change-on-second-read', used, {
    shows: (v, e) =>
      void (e.reads > 1 && isFields(v.inputs) && (v.inputs = fieldsOf(mapTexts(v.inputs, (t) => `${t}!`)))),
  }),
  // Metadata.
  should('metadata-not-shown', attached, { starts: (e) => delete e.metadata }),
  must(
    'metadata-values-lower-case',
    attached,
    metaTexts((t) => t.toLowerCase()),
  ),
  should(
    'metadata-names-lower-case',
    attached,
    metadata((f) => mapNames(f, (n) => n.toLowerCase())),
  ),
  must(
    'metadata-trimmed',
    attached,
    metaTexts((t) => t.trim()),
  ),
  should(
    'metadata-empty-dropped',
    attached,
    metadata((f) => mapFields(f, (v) => v || undefined)),
  ),
  must(
    'metadata-numeric-become-numbers',
    attached,
    metadata((f) => mapFields(f, (v) => (/^\d+$/.test(String(v)) ? Number(v) : v))),
  ),
  must(
    'metadata-booleans',
    attached,
    metadata((f) => mapFields(f, (v) => (v === 'true' ? true : v))),
  ),
  must(
    'metadata-leading-zeros-lost',
    attached,
    metaTexts((t) => (/^0\d+$/.test(t) ? String(Number(t)) : t)),
  ),
  must(
    'metadata-ascii-only',
    attached,
    metaTexts((t) => t.replaceAll(/[^\u0009-\u007e]/g, '')),
  ),
  must(
    'metadata-basic-plane-only',
    attached,
    metaTexts((t) => t.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')),
  ),
  must('metadata-cut-at-64', attached, metaTexts(cutAt(64))),
  must('metadata-cut-at-255', attached, metaTexts(cutAt(255))),
  must('metadata-cut-at-500', attached, metaTexts(cutAt(500))),
  must(
    'metadata-normalised',
    attached,
    metaTexts((t) => t.normalize('NFC')),
  ),
  must(
    'metadata-line-ends',
    attached,
    metaTexts((t) => t.replaceAll(/[\r\n]+/g, ' ')),
  ),
  must(
    'metadata-html-escaped',
    attached,
    metaTexts((t) => t.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  ),
  should(
    'metadata-dotted-names',
    attached,
    metadata((f) => mapNames(f, (n) => n.replaceAll('.', '_'))),
  ),
  should(
    'metadata-hyphened-names',
    attached,
    metadata((f) => mapNames(f, (n) => n.replaceAll('-', '_'))),
  ),
  should(
    'metadata-blank-names-dropped',
    attached,
    metadata((f) => mapNames(f, (n) => (n.includes(' ') ? undefined : n))),
  ),
  should(
    'metadata-unicode-names-dropped',
    attached,
    metadata((f) => mapNames(f, (n) => (/[^\u0020-\u007e]/.test(n) ? undefined : n))),
  ),
  should(
    'metadata-names-cut-at-40',
    attached,
    metadata((f) => mapNames(f, cutAt(40))),
  ),
  should(
    'metadata-at-most-3',
    attached,
    metadata((f) => Object.fromEntries(Object.entries(f).slice(0, 3))),
  ),
  should(
    'metadata-at-most-10',
    attached,
    metadata((f) => Object.fromEntries(Object.entries(f).slice(0, 10))),
  ),
  should('metadata-first-lost', attached, lossy),
  should(
    'metadata-lost-when-sync',
    attached,
    when((e) => e.sync, { starts: (e) => delete e.metadata }),
  ),
  should(
    'metadata-lost-when-queued',
    attached,
    when((e) => e.waited, { starts: (e) => delete e.metadata }),
  ),
  should(
    'metadata-lost-on-group',
    attached,
    when((e) => e.groupId !== undefined, { starts: (e) => delete e.metadata }),
  ),
  should('metadata-lost-on-failure', attached, {
    shows: (v) => void (v.status === 'failed' && delete v.metadata),
  }),
  should('metadata-lost-at-the-end', attached, {
    shows: (v, e) => void (isTerminal(e.status) && delete v.metadata),
  }),
  should(
    'metadata-lost-on-variant',
    attached,
    when((e) => e.workflow.variantMode === true, { starts: (e) => delete e.metadata }),
  ),
  must('metadata-gets-inputs', attached, {
    starts: (e) => void (e.metadata && (e.metadata = { ...e.metadata, workflow: 'x' })),
  }),
  must('metadata-of-the-start-before', attached, () => {
    let before: Fields | undefined;
    return {
      starts: (e) => {
        const own = e.metadata;
        if (own && before) e.metadata = before;
        if (own) before = own;
      },
    };
  }),
  // Options.
  should('soft-timeout-not-shown', 'executionOptions: softTimeoutMins.', { starts: (e) => delete e.options }),
  must(
    'soft-timeout-in-seconds',
    'softTimeoutMins: integer.',
    recorded('options', (o) => mapFields(o, (v) => (typeof v === 'number' ? v * 60 : v))),
  ),
  must(
    'soft-timeout-as-text',
    'softTimeoutMins: integer.',
    recorded('options', (o) => mapFields(o, (v) => String(v))),
  ),
  should(
    'soft-timeout-capped',
    'softTimeoutMins of the start.',
    recorded('options', (o) => mapFields(o, (v) => (typeof v === 'number' ? Math.min(v, 30) : v))),
  ),
  should(
    'soft-timeout-lost-when-sync',
    'softTimeoutMins of the start.',
    when((e) => e.sync, { starts: (e) => delete e.options }),
  ),
  should(
    'soft-timeout-lost-when-queued',
    'softTimeoutMins of the start.',
    when((e) => e.waited, { starts: (e) => delete e.options }),
  ),
  should('storage-key-raw', 'The server normalises it to a filesystem-safe slug.', {
    starts: (e) =>
      void (
        e.options?.sharedStorageKey && (e.options.sharedStorageKey = fieldsOf(e.asked.executionOptions).variantKey)
      ),
  }),
];
