/** The steps of a sequence: what is done to which thing. Things have names; their ids are known when it is run. */
import type { RuleId } from '../../../generated/rules.js';
import type { Fields } from '../../engine/outcome/read.js';
import type { List } from '../../engine/send/journal/journal.js';

/** The profile of the target file. Sequences read and copy it, but only change its copies. */
export const source = 'the profile';

export interface Update {
  readonly kind: 'update';
  readonly profile: string;
  /** The body, without ids, which are only known from answers. */
  readonly body: Fields;
  /** Names of the items to delete. */
  readonly gone?: { readonly [list in List]?: readonly string[] };
  /** Another profile, whose name it asks for, which must be refused. */
  readonly nameOf?: string;
  /** What must be refused in it. */
  readonly wrong?: { readonly rule: RuleId; readonly fault: string };
  /** It has values that a service may refuse. */
  readonly risky?: true;
}

export interface Start {
  readonly kind: 'start';
  readonly operation: 'execute' | 'executeSync';
  readonly workflow: string;
  readonly as: string;
  readonly body: Fields;
  readonly profile?: string;
}

/** A step that is one request, or a wait. */
export type Single =
  | { readonly kind: 'look'; readonly profile: string }
  | Update
  | { readonly kind: 'duplicate'; readonly profile: string; readonly as: string }
  | Start
  | { readonly kind: 'read' | 'list' | 'follow'; readonly execution: string }
  | { readonly kind: 'delete again' };

export type Step = Single | { readonly kind: 'together'; readonly steps: readonly Single[] };

export const singles = (step: Step): readonly Single[] => (step.kind === 'together' ? step.steps : [step]);

/** The names of the things that a step is about. */
export const thingsIn = (step: Single): string[] => [
  ...('profile' in step && step.profile !== undefined ? [step.profile] : []),
  ...('execution' in step ? [step.execution] : []),
  ...('as' in step ? [step.as] : []),
  ...(step.kind === 'update' && step.nameOf !== undefined ? [step.nameOf] : []),
];

/** One line for people: `update copy 1: name, cookiesToAdd`. */
export function inWords(step: Step): string {
  switch (step.kind) {
    case 'together':
      return `at the same time: ${step.steps.map(inWords).join(' | ')}`;
    case 'look':
      return `look at ${step.profile}`;
    case 'update':
      return `update ${step.profile}: ${fieldsOf(step).join(', ') || 'nothing'}`;
    case 'duplicate':
      return `duplicate ${step.profile} as ${step.as}`;
    case 'start':
      return `start ${step.as}${step.operation === 'executeSync' ? ' and wait' : ''}: ${[...Object.keys(step.body), ...(step.profile ? [`profileId (${step.profile})`] : [])].join(', ')}`;
    case 'delete again':
      return 'delete the pool again';
    default:
      return `${step.kind} ${step.execution}`;
  }
}

const fieldsOf = ({ body, gone = {}, nameOf, wrong }: Update): string[] => [
  ...Object.keys(body),
  ...Object.keys(gone).map((list) => `${list}ToDelete`),
  ...(nameOf === undefined ? [] : [`the name of ${nameOf}`]),
  ...(wrong ? [`with ${wrong.fault}`] : []),
];
