import type { Plan, PlannedStep } from '../vocabulary/plan.js';
import type { Facts } from '../vocabulary.js';
import { plural } from './digest.js';
import { visible } from './text.js';
import { wrap } from './wrap.js';

export interface PlanOptions {
  /** Columns of the terminal; where there is none, or it does not know, 80. */
  readonly width?: number | undefined;
}

/** The plan of a run as lines for a terminal. Ends with a line break. */
export function planText(plan: Plan, facts: Facts, { width }: PlanOptions = {}): string {
  const columns = Math.min(width || 80, 120);
  const say = (text: string, indent = 0, hanging = indent) => wrap(visible(text), columns, indent, hanging);
  const executions = plural(plan.executions, 'execution');
  const lines = [
    ...say(`A run against ${facts.baseUrl} (allow: ${facts.allow}) would send this. Nothing is sent now.`),
    ...plan.journeys
      .filter(({ steps }) => steps.length > 0)
      .flatMap(({ id, effect, steps }) => [
        '',
        `${id}  (${effect})`,
        ...[...requests(steps)].flatMap(([request, names]) => [
          ...say(request, 2, 4),
          ...say(names.join(', ').replaceAll(' ', '\u00a0').replaceAll(',\u00a0', ', '), 6),
        ]),
      ]),
    '',
    ...say(
      `In all ${plural(plan.requests, 'request')} and as many readings as it takes, ${executions} started, ${plural(plan.duplicates, 'profile')} duplicated.`,
    ),
    ...(plan.explored
      ? say(
          `Of these ${plural(plan.explored.requests, 'request')} are made up, as --seed ${plan.explored.seed} makes them up; more are sent where what breaks a rule has to be made smaller.`,
        )
      : []),
    ...(plan.leavesBehind.length > 0
      ? ['', 'Left behind:', ...counted(plan.leavesBehind).flatMap((item) => say(item, 2, 4))]
      : []),
    ...untested(plan).flatMap(([why, rules]) => [
      '',
      ...say(`${plural(rules.length, 'rule')} untested. ${why}`),
      ...say(rules.join(', '), 2),
    ]),
  ];
  return `${lines.join('\n').replaceAll('\u00a0', ' ')}\n`;
}

/** The steps of a journey by what they send, and where. */
function requests(steps: readonly PlannedStep[]): Map<string, string[]> {
  const by = new Map<string, string[]>();
  for (const { step, method, path, times, repeats } of steps) {
    const request = `${method} ${path}`;
    by.set(request, [...(by.get(request) ?? []), repeats ? `${step} until it shows` : often(step, times)]);
  }
  return by;
}

const often = (text: string, times: number): string => (times > 1 ? `${text} × ${times}` : text);

const counted = (items: readonly string[]): string[] =>
  [...new Set(items)].map((item) => often(item, items.filter((other) => other === item).length));

const untested = (plan: Plan): [why: string, rules: string[]][] => {
  const by = new Map<string, string[]>();
  for (const { rule, why } of plan.untested) by.set(why, [...(by.get(why) ?? []), rule]);
  return [...by].sort(([, a], [, b]) => b.length - a.length);
};
