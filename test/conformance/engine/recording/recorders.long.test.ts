/** What recorders and anonymisers make of traffic violates no rule, and most faults still show. */
import { beforeAll, describe, expect, test } from 'vitest';
import { writeReport } from '../../../../conformance/engine/report/index.js';
import { reported } from '../../../../conformance/engine/report/json.js';
import type { Report } from '../../../../conformance/engine/vocabulary/report.js';
import { findFault } from '../../../../deviations/index.js';
import type { RuleId } from '../../../../generated/rules.js';
import { checkInProcess } from '../../../../proof/in-process.js';
import { profileAlone } from '../../../support/interrupted.js';
import { anonymisers, type Har, recorders } from '../../../support/recorders.js';
import { judged } from '../../../support/recordings.js';
import { usualFile, usualRun, usualTarget } from '../../../support/usual-run.js';

const { completes, slow } = usualFile.workflows;
const starting = { allow: 'execute', profile: undefined, capacity: undefined, workflows: { completes, slow } } as const;

/** Each with a rule that it violates, and what a run needs for that. */
const faults: readonly (readonly [id: string, rule: RuleId, declared: object])[] = [
  ['code-of-401-is-its-own', 'simple-error-code', { allow: 'read' }],
  ['what-may-wait-takes-head-with-version', 'head-excludes-version', starting],
  ['completed-runs-run-again', 'terminal-is-final', starting],
  ['sync-answers-200-always', 'sync-200-means-terminal', starting],
  ['terminal-at-in-another-zone', 'terminal-at-only-when-terminal', starting],
  ['inputs-lose-accents', 'inputs-are-recorded', starting],
  ['metadata-is-empty-at-the-end', 'metadata-is-recorded', starting],
  ['created-at-is-now', 'identity-is-constant', starting],
  ['execute-answers-200', 'execute-is-accepted', starting],
  ['updates-change-the-id', 'update-keeps-identity', profileAlone],
];

/** How many of the ten faults show in the traffic as each makes it. */
const shown: Readonly<Record<string, number>> = {
  'Chrome, with its memory cache': 10,
  'Firefox, with its cache and long bodies cut': 9,
  'mitmproxy, bodies as Latin-1': 9,
  'Charles, status and sizes as texts': 10,
  'Fiddler, base64 without a mark': 10,
  'Postman, pretty-printed': 10,
  'a log that escapes HTML': 9,
  'a log that cuts texts': 9,
  'a log that keeps two items of a list': 10,
  'a log that leaves out nulls, empty texts and lists': 8,
  'entities by name: <DATE_TIME>, <EMAIL>': 3,
  'ids by number, in bodies: <0>': 4,
  'ids by number, everywhere: {{id3}}': 1,
  'one id for all': 1,
  'one id for all, in bodies': 2,
  'texts by hash, in answers': 9,
  'names by invented ones, each time another': 10,
  'letters and digits by x and 0': 9,
};

const har = (exchanges: Parameters<typeof reported>[0][]): string =>
  writeReport('har', { exchanges: exchanges.map((one) => reported(one)) } as unknown as Report);

let conformant: string;
const faulty: (readonly [rule: RuleId, har: string])[] = [];
beforeAll(async () => {
  conformant = har([...(await usualRun()).evidence.exchanges]);
  for (const [id, rule, declared] of faults) {
    const [target, fault] = [usualTarget(declared), findFault(id)];
    const selected = (one: { id: RuleId }) => fault.breaks.includes(one.id);
    const { evidence } = await checkInProcess({ faults: [fault] }, { target, selected });
    faulty.push([rule, har([...evidence.exchanges])]);
  }
}, 300_000);

const all = [
  ...Object.entries(recorders).map(([name, one]) => [name, () => one] as const),
  ...Object.entries(anonymisers),
];

describe.each(all)('%s', (name, make) => {
  const broken = async (recording: string) => {
    const { rules } = await judged(make()(JSON.parse(recording) as Har));
    return rules.filter(({ verdict }) => verdict === 'violated');
  };

  test('violates no rule of a conformant service', async () => {
    expect((await broken(conformant)).map(({ id, why }) => [id, why])).toEqual([]);
  });

  test('does not hide the faults of a service', async () => {
    const found: string[] = [];
    for (const [place, [rule, recording]] of faulty.entries())
      if ((await broken(recording)).some(({ id }) => id === rule)) found.push(faults[place]?.[0] ?? '');
    expect(found.length).toBe(shown[name]);
  });
});
