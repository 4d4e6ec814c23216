/** Prints the plan of a run for a terminal. */
import { byKey } from '../rule/values.js';
import type { Foreseen, Plan, PlannedStep } from '../vocabulary/report.js';
import type { Facts } from '../vocabulary.js';
import { plural } from './digest.js';
import { visible, wrap } from './text.js';

export interface PlanOptions {
  /** Columns of the terminal; 80 if unknown. */
  readonly width?: number | undefined;
  /** The time limit of the run, if there is one. */
  readonly maxTimeMs?: number | undefined;
  /** Says what is sent for each rule. */
  readonly byRule?: boolean;
}

export function planText(plan: Plan, facts: Facts, { width, maxTimeMs, byRule }: PlanOptions = {}): string {
  const columns = Math.min(width || 80, 120);
  const say = (text: string, indent = 0, hanging = indent) => wrap(visible(text), columns, indent, hanging);
  const executions = plural(plan.executions, 'execution');
  const isEnded = plan.hooks?.some(({ ends }) => ends === 'execution') ?? false;
  const lines = [
    ...say(`A run against ${facts.baseUrl} (allow: ${facts.allow}) would send this. Nothing is sent now.`),
    ...plan.journeys
      .filter(({ steps }) => steps.length > 0)
      .flatMap(({ id, effect, steps }) => [
        '',
        `${id}  (${effect})`,
        ...[...byKey(steps, ({ method, path }) => `${method} ${path}`)].flatMap(([request, same]) => [
          ...say(request, 2, 4),
          ...[...byKey(same, ({ serves }) => serves.join(', '))].flatMap(([rules, served]) => [
            ...say(served.map(nameOf).join(', ').replaceAll(' ', '\u00a0').replaceAll(',\u00a0', ', '), 6),
            ...(rules ? say(`for ${rules}`, 8, 12) : []),
          ]),
        ]),
      ]),
    '',
    ...say(
      `In total ${plural(plan.requests, 'request')} besides polling, ${executions} started, ${plural(plan.duplicates, 'profile')} duplicated.`,
    ),
    ...(plan.foreseen
      ? [
          '',
          ...[...takes(plan.foreseen, facts, isEnded)].flatMap((text) => say(text)),
          ...tooLate(plan, plan.foreseen, maxTimeMs).flatMap((text) => say(text)),
        ]
      : []),
    ...(plan.leavesBehind.length > 0
      ? ['', 'Left behind:', ...counted(plan.leavesBehind).flatMap((item) => say(item, 2, 4))]
      : []),
    ...(plan.hooks ? ['', 'Commands of the target file that it would run:'] : []),
    ...(plan.hooks ?? []).flatMap(({ hook, when, command }) => [
      ...say(`hooks.${hook}, ${when}:`, 2),
      ...say(command, 6),
    ]),
    ...(byRule ? ['', 'Steps that are sent for each rule:'] : []),
    ...(byRule ? plan.rules : []).flatMap(({ rule, steps }) => [
      ...say(rule, 2),
      ...say(steps.includes('*') ? 'every request' : steps.join(', ') || notSent(plan, rule), 6),
    ]),
    ...untested(plan).flatMap(([why, rules]) => [
      '',
      ...say(`${plural(rules.length, 'rule')} untested. ${why}`),
      ...say(rules.join(', '), 2),
    ]),
  ];
  return `${lines.join('\n').replaceAll('\u00a0', ' ')}\n`;
}

/** The time, places and cost of the executions. */
function* takes(foreseen: Foreseen, { budget }: Facts, isEnded: boolean): Iterable<string> {
  const { lastsMs, assumed, places, heldMs, held, cost } = foreseen;
  const limit = budget.places === undefined ? '' : ` (budget.places: ${budget.places})`;
  const unless = assumed ? `, assuming ${about(assumed.ms)} for ${assumed.of.join(', ')}` : '';
  yield `It would take about ${about(lastsMs)}${unless}. At most ${plural(places, 'execution')} at once${limit}, ${about(heldMs)} in total.`;
  if (assumed) yield 'For a better estimate, declare how long they take (workflows.completes: {id: …, takes: 3m}).';
  if (held > 0)
    yield `${plural(held, 'execution')} would stop and hold capacity until ${isEnded ? 'a command of the target file ends it' : 'somebody resumes or cancels it'}.`;
  if (cost) {
    const others = cost.others > 0 ? `, plus ${plural(cost.others, 'execution')} whose cost is not declared` : '';
    yield `The executions would cost ${Number(cost.known.toFixed(2))}${others}.`;
  }
}

/** What a time limit leaves out: rules of which no request would be sent before it. */
function tooLate(
  { rules, untested: others }: Plan,
  { lastsMs, sentAtMs }: Foreseen,
  maxTimeMs = Number.POSITIVE_INFINITY,
): string[] {
  if (lastsMs <= maxTimeMs) return [];
  const isLate = (step: string) => (sentAtMs[step] ?? 0) > maxTimeMs;
  const late = rules.flatMap(({ rule, steps }) =>
    steps.length > 0 && steps.every(isLate) && !others.some((one) => one.rule === rule) ? rule : [],
  );
  const ended = `--max-time ends the run after ${about(maxTimeMs)}: rules that need the end of what still runs are inconclusive`;
  return [late.length > 0 ? `${ended}, and nothing is sent for ${late.join(', ')}.` : `${ended}.`];
}

/** A duration: seconds below two minutes, then minutes, then hours. */
const about = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (ms < 120_000) return `${Math.max(1, Math.round(ms / 1000))} s`;
  return minutes < 120 ? `${minutes} min` : `${Number((ms / 3_600_000).toFixed(1))} h`;
};

const nameOf = ({ step, times, repeats }: PlannedStep): string => (repeats ? `${step} (polled)` : often(step, times));

const notSent = ({ untested }: Plan, rule: string): string => {
  const steps = untested.find((one) => one.rule === rule)?.notSent ?? [];
  return steps.length > 0 ? `nothing; not sent: ${steps.join(', ')}` : 'nothing';
};

const often = (text: string, times: number): string => (times > 1 ? `${text} × ${times}` : text);

const counted = (items: readonly string[]): string[] =>
  [...new Set(items)].map((item) => often(item, items.filter((other) => other === item).length));

const untested = (plan: Plan): [why: string, rules: string[]][] =>
  [...byKey(plan.untested, ({ why }) => why)]
    .map(([why, all]): [string, string[]] => [why, all.map(({ rule }) => rule)])
    .sort(([, a], [, b]) => b.length - a.length);
