/** Prints the plan of a run for a terminal. */
import { byKey } from '../rule/values.js';
import { mostRepeated } from '../settings/needs.js';
import type { Foreseen, Plan, PlannedScenario } from '../vocabulary/report.js';
import type { Facts } from '../vocabulary.js';
import { costText, ofRules, plural } from './digest.js';
import { visible, wrap } from './text.js';

interface PlanOptions {
  /** Columns of the terminal; 80 if unknown. */
  readonly width?: number | undefined;
  /** The time limit of the run, if there is one. */
  readonly maxTimeMs?: number | undefined;
  /** Whether what is violated or inconclusive is sent once more. */
  readonly secondPass?: boolean | undefined;
  /** How long what starts no execution is sent again. */
  readonly soakMs?: number | undefined;
  /** Lists what is sent for each rule. */
  readonly byRule?: boolean;
}

export function planText(
  plan: Plan,
  facts: Facts,
  { width, maxTimeMs, soakMs, byRule, secondPass = true }: PlanOptions = {},
): string {
  const columns = Math.min(width || 80, 120);
  const say = (text: string, indent = 0, hanging = indent) => wrap(visible(text), columns, indent, hanging);
  const { foreseen, hooks, leavesBehind } = plan;
  const again = plan.executions && Math.max(0, Math.min(mostRepeated, facts.budget.executions - plan.executions));
  const lines = [
    ...say(`A run against ${facts.baseUrl} (allow: ${facts.allow}) would send this. Nothing is sent now.`),
    '',
    ...totals(plan, facts).flatMap((text) => say(text, 2, 4)),
    ...(secondPass
      ? say(
          `What is violated or inconclusive would be sent once more, with at most ${plural(again, 'execution')}.`,
          2,
          4,
        )
      : []),
    ...(soakMs ? say(`For ${about(soakMs)} (--soak), what starts no execution would be sent again.`, 2, 4) : []),
    ...(foreseen ? tooLate(plan, foreseen, maxTimeMs).flatMap((text) => say(text, 2, 4)) : []),
    ...plan.scenarios.flatMap((scenario) => [
      '',
      ...scenarioLines(scenario, plan).flatMap((text, at) => say(text, at && 4, at ? 6 : 4)),
    ]),
    ...(leavesBehind.length > 0 ? ['', 'Left behind:', ...leavesBehind.flatMap((item) => say(item, 2, 4))] : []),
    ...(hooks ? ['', 'Commands of the target file that it would run:'] : []),
    ...(hooks ?? []).flatMap(({ hook, when, command }) => [...say(`hooks.${hook}, ${when}:`, 2), ...say(command, 6)]),
    ...(byRule ? ['', 'Steps that are sent for each rule:'] : []),
    ...(byRule ? plan.rules : []).flatMap(({ rule, steps }) => [
      ...say(rule, 2),
      ...say(steps.includes('*') ? 'every request' : steps.join(', ') || notSent(plan, rule), 6),
    ]),
    ...untested(plan).flatMap(([why, rules]) => [
      '',
      ...say(`${plural(rules.length, 'rule')} untested. ${ofRules(why, rules)}`),
      ...say(rules.join(', '), 2),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** What it takes, one line each. */
function totals({ executions, mostExecutions, requests, copies, foreseen }: Plan, { budget, pace }: Facts): string[] {
  const texts = [`requests: about ${requests} besides polls, at most ${pace.requestsPerSecond} a second`];
  if (copies > 0) texts.push(`copies of the profile: at most ${copies} (budget.copies: ${budget.copies})`);
  if (!foreseen) return [...texts, 'executions: none'];
  const { lastsMs, assumed, places, heldMs, cost } = foreseen;
  const each = foreseen.executions.map(({ workflow, count }) => `${count} of ${workflow}`).join(', ');
  const limit = budget.places === undefined ? '' : ` (budget.places: ${budget.places})`;
  texts.push(
    `executions: ${executions} (${each}); at most ${mostExecutions} if some have to be started again (budget.executions)`,
    `at the same time: at most ${plural(places, 'execution')}${limit}; one after another: ${about(heldMs)}`,
    `time: about ${about(lastsMs)}${assumed ? `, assuming ${about(assumed.ms)} for ${assumed.of.join(', ')} (declare how long they take: workflows.completes: {id: …, takes: 3m})` : ''}`,
  );
  if (cost) texts.push(`cost: ${costText(cost)}`);
  return texts;
}

function scenarioLines({ id, effect, operations, executions, steps }: PlannedScenario, { untested }: Plan): string[] {
  const served = new Set(steps.flatMap(({ serves }) => serves));
  const rules = [...served].filter((one) => !untested.some(({ rule }) => rule === one));
  const starts = executions > 0 ? `, starts ${plural(executions, 'execution')}` : '';
  return [
    `${id}  (${effect})${starts}`,
    operations.join(', '),
    ...(rules.length > 0 ? [`for ${rules.join(', ')}`] : []),
  ];
}

/** What a time limit leaves out: rules of which no request would be sent before it. */
function tooLate(
  { rules, scenarios, untested: others }: Plan,
  { lastsMs }: Foreseen,
  most = Number.POSITIVE_INFINITY,
): string[] {
  if (lastsMs <= most) return [];
  const late = new Set(scenarios.filter(({ fromMs }) => fromMs > most).map(({ id }) => id));
  const unsent = rules.flatMap(({ rule, steps }) =>
    steps.length > 0 &&
    steps.every((step) => late.has(step.split('/')[0] ?? '')) &&
    !others.some((one) => one.rule === rule)
      ? rule
      : [],
  );
  const ended = `--max-time ends the run after ${about(most)}: rules that need the end of what still runs are inconclusive`;
  return [unsent.length > 0 ? `${ended}, and nothing is sent for ${unsent.join(', ')}.` : `${ended}.`];
}

/** A duration: seconds below two minutes, then minutes, then hours. */
const about = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (ms < 120_000) return `${Math.max(1, Math.round(ms / 1000))} s`;
  return minutes < 120 ? `${minutes} min` : `${Number((ms / 3_600_000).toFixed(1))} h`;
};

const notSent = ({ untested }: Plan, rule: string): string => {
  const steps = untested.find((one) => one.rule === rule)?.notSent ?? [];
  return steps.length > 0 ? `nothing; not sent: ${steps.join(', ')}` : 'nothing';
};

const untested = (plan: Plan): [why: string, rules: string[]][] =>
  [...byKey(plan.untested, ({ why }) => why)]
    .map(([why, all]): [string, string[]] => [why, all.map(({ rule }) => rule)])
    .sort(([, a], [, b]) => b.length - a.length);
