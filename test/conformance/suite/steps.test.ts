import { expect, test } from 'vitest';
import { accepted, isFields, requestBody, startedId } from '../../../conformance/engine/outcome/read.js';
import { findings } from '../../../conformance/engine/rule/verdicts.js';
import { isStarting } from '../../../conformance/suite/executions/steps.js';
import { judges } from '../../../conformance/suite/judges.js';
import { declaredFor, isOfAnyAnswer, steps, stepsFor } from '../../../conformance/suite/scenarios.js';
import { gather } from '../../../conformance/suite/views.js';
import { operations } from '../../../generated/operations.js';
import { type RuleId, rules } from '../../../generated/rules.js';
import { usualRun, usualTarget } from '../../support/usual-run.js';

const { facts } = usualTarget();

/** What was sent with so many executions, and what it shows. */
async function seenWith(budget?: { executions: number }) {
  const { evidence } = await usualRun(budget && { budget });
  const sent = evidence.exchanges.flatMap(({ mark, ...one }) => (mark ? [{ ...one, mark }] : []));
  const nameOf = ({ mark }: (typeof sent)[number]) => declaredFor(mark)?.step ?? '';
  // What was started at a step is shown by whoever reads it.
  const starts = new Map(sent.map((one) => [startedId(one), nameOf(one)]));
  const groups = new Map<string, Set<number>>();
  for (const one of sent)
    for (const name of [nameOf(one), starts.get(one.resource ?? '')])
      if (name !== undefined) groups.set(name, (groups.get(name) ?? new Set()).add(one.id));
  const told = (rule: RuleId, seen = evidence) =>
    findings(judges[rule], seen, facts).filter(({ kind }) => kind !== 'inconclusive');
  return {
    sent,
    nameOf,
    groups,
    all: new Map(rules.map(({ id }) => [id as string, told(id)])),
    /** How much is seen of a rule without some steps. */
    without(rule: RuleId, names: readonly string[]): number {
      const gone = new Set(names.flatMap((name) => [...(groups.get(name) ?? [])]));
      return told(rule, gather(evidence.exchanges.filter(({ id }) => !gone.has(id)))).length;
    },
  };
}

/** What is refused is made of those that ask for most: of a larger run these are others. */
const runs = [await seenWith(), await seenWith({ executions: 60 })];
const sent = runs.flatMap((run) => run.sent.map((one) => ({ ...one, name: run.nameOf(one) })));

const operationsOf = (which: (one: (typeof sent)[number]) => boolean) => [
  ...new Set(
    sent
      .filter((one) => which(one) && (one.operation === 'execute' || one.operation === 'executeSync'))
      .map(({ operation }) => operation),
  ),
];

/** Ends are compared with each other, and two of them are shown: whichever were seen last. */
const isShownByAll = (rule: string) => isOfAnyAnswer(rule) || rule === 'ends-are-recorded-alike';

const placeOf = (step: string): string =>
  isStarting(step) ? '`starting` in executions/steps.ts' : `\`steps\` of the scenario ${step.split('/')[0]}`;

/** The steps whose requests, or whose executions, the findings on a rule name: undeclared ones first, six at most. */
function exercising(rule: RuleId): string {
  const declared = stepsFor(rule);
  const found = runs.flatMap(({ all, groups }) => {
    const shown = new Set(all.get(rule)?.flatMap(({ exchanges }) => exchanges));
    return [...groups].flatMap(([step, ids]) => (step !== '' && [...ids].some((id) => shown.has(id)) ? [step] : []));
  });
  const unique = [...new Set(found)];
  const undeclared = unique.filter((step) => !declared.includes(step));
  const texts = [
    ...undeclared.map((step) => `${step} (undeclared)`),
    ...declared.filter((step) => unique.includes(step)),
  ];
  return `${texts.slice(0, 6).join(', ')}${texts.length > 6 ? ` and ${texts.length - 6} others` : ''}`;
}

test('every request has a declared step', () => {
  const unnamed = sent.flatMap(({ name, mark: { scenario, step } }) => (name === '' ? [`${scenario}/${step}`] : []));
  const says = unnamed.map((step) => `${step} is in no declaration: add it to ${placeOf(step)}`);
  expect([...new Set(says)]).toEqual([]);
});

/** Of each only one may be asked for. */
const excluding = [
  ['head', 'version'],
  ['inputs', 'dynamicData'],
  ['profileId', 'agentProfileId', 'profileGroupId', 'agentProfilePoolId'],
];

test('only requests that must be refused have fields that exclude each other', async () => {
  // Without a group the start that asks for most, of which refusals are made, is one by the old names.
  const { evidence } = await usualRun({ profileGroup: undefined, allow: 'execute' });
  const both = [...sent, ...evidence.exchanges].filter(({ mark, request: { body } }) => {
    const fields = body.kind === 'json' && isFields(body.value) ? body.value : {};
    return !mark?.unjudged && excluding.some((names) => names.filter((name) => fields[name] !== undefined).length > 1);
  });
  const rulesOf = both.map(({ mark }) => mark?.probe?.rule ?? `${mark?.scenario}/${mark?.step}`);
  expect([...new Set(rulesOf)].sort()).toEqual([
    'deprecated-fields-still-work',
    'head-excludes-version',
    'profile-excludes-group',
  ]);
});

test('each step is declared for the rules of its negative tests', () => {
  const others = sent.filter(
    ({ name, mark }) => name !== '' && mark.probe && !declaredFor(mark)?.serves.includes(mark.probe.rule),
  );
  const says = others.map(
    ({ name, mark }) =>
      `${mark.scenario}/${mark.step} is a negative test for ${mark.probe?.rule}: add the rule to ${name} in ${placeOf(name)}`,
  );
  expect([...new Set(says)]).toEqual([]);
});

const unexercised = [
  // The runs of the reference are not that long.
  'sync-waits/sync-default: sync-default-timeout',
  'sync-waits/sync-two-seconds: sync-202-when-time-is-up',
  // Any update that is accepted will do.
  'profile/*: unknown-profile-is-404',
];

test('each step exercises each rule that it is declared for, or could violate it', () => {
  const probes = new Set(sent.map(({ name, mark }) => `${name}: ${mark.probe?.rule}`));
  const unseen = steps
    .flatMap(({ step, serves }) =>
      serves.filter((rule) => !isShownByAll(rule)).map((rule) => ({ step, rule, both: `${step}: ${rule}` })),
    )
    .filter(({ step, both }) => runs.some(({ groups }) => groups.has(step)) && !probes.has(both))
    .filter(
      ({ step, rule }) =>
        !runs.some(({ groups, all }) =>
          all.get(rule)?.some(({ exchanges }) => exchanges.some((id) => groups.get(step)?.has(id))),
        ),
    )
    // What others are held against need not be named beside them.
    .filter(({ step, rule }) => !runs.some((run) => run.without(rule, [step]) < (run.all.get(rule)?.length ?? 0)))
    // A refusal counts beside a start that was accepted, whichever of them it was made of.
    .filter(
      ({ step, rule }) =>
        !operationsOf(({ mark }) => mark.probe?.rule === rule).some((one) =>
          operationsOf(({ name }) => name === step).includes(one),
        ),
    );
  const says = unseen.flatMap(({ step, rule, both }) => {
    if (unexercised.includes(both)) return [];
    const by = exercising(rule);
    // All its steps would be named, and none of them is to blame.
    if (by === '') return [`${rule}: its judge finds nothing in any request of the run`];
    return [`${step} does not exercise ${rule}, though ${placeOf(step)} declares it; these steps do: ${by}`];
  });
  expect([...new Set(says)]).toEqual([]);
  expect(unexercised.filter((one) => !unseen.some(({ both }) => both === one))).toEqual([]);
});

test('without the steps that are declared for a rule, it has less evidence', () => {
  const [run] = runs;
  const same = rules.filter(({ id }) => {
    const names = steps.filter(({ serves }) => serves.some((one) => one === id)).map(({ step }) => step);
    const seen = run?.all.get(id)?.length ?? 0;
    return !isShownByAll(id) && seen > 0 && (run?.without(id, names) ?? 0) >= seen;
  });
  expect(
    same.map(
      ({ id }) =>
        `${id} has as much evidence without the steps that are declared for it; these steps exercise it: ${exercising(id)}`,
    ),
  ).toEqual([]);
});

test('without a budget each field of a start is accepted asynchronously', () => {
  const taken = runs[0]?.sent.filter((one) => one.operation === 'execute' && accepted(one)) ?? [];
  const fields = new Set(taken.flatMap((one) => Object.keys(requestBody(one) ?? {})));
  expect(operations.execute.requestFields.filter((name) => !fields.has(name))).toEqual([]);
});
