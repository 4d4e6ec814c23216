import type { Rule } from '../generated/rules.js';
import type { Session } from './drive/session.js';
import { clocksApart, withoutTimes } from './evidence/clocks.js';
import { changesOfOthers } from './evidence/edits-by-others.js';
import { rejected, withoutRejected } from './evidence/firewall-pages.js';
import { type MissingId, missingIds, withoutMissing } from './evidence/missing-ids.js';
import { shortestSearched } from './evidence/redact.js';
import { redirected, withoutRedirected } from './evidence/redirected.js';
import { parted } from './evidence/sequences.js';
import { standIns } from './evidence/stand-ins.js';
import { turnedAway, unknownKey } from './evidence/turned-away.js';
import { asFarAway } from './judge/far-away.js';
import { observe } from './judge/gaps/index.js';
import { judges } from './judge/index.js';
import { transitions } from './judge/transitions.js';
import { unlessUnsuited } from './judge/unsuited.js';
import { judgeAll } from './judge/verdicts.js';
import type { Run } from './run.js';
import type { Target } from './settings/target/target.js';
import type { Evidence, Halted, RuleVerdict } from './vocabulary.js';

/** What a run tells of its target. What sequences sent is judged, and nothing else is read from it. */
export function judged(
  { target, exchanges, failedWaits, fieldRefusals }: Session,
  evidence: Evidence,
  selected: readonly Rule[],
  halts: readonly Halted[],
): Pick<Run, 'rules' | 'gaps' | 'transitions' | 'remarks'> {
  const { facts } = target;
  const { journeys: scripted, chapters } = parted(exchanges, failedWaits);
  const missing = missingIds(scripted, facts);
  const elsewhere = redirected(scripted);
  const turned = [...rejected(scripted), ...standIns(scripted)];
  const apart = clocksApart(scripted);
  const known = withoutRejected(withoutRedirected(withoutMissing(scripted, missing), elsewhere), turned);
  const telling = apart === undefined ? known : withoutTimes(known);
  const verdicts = judgeAll(judges, telling, asFarAway(facts, evidence), selected, halts, chapters);
  return {
    rules: verdicts.map((rule, place) => {
      const { needs = [] } = selected[place] ?? {};
      return unlessUnsuited(withoutIds(withoutKey(rule, target), needs, missing), needs, scripted, facts);
    }),
    gaps: observe(scripted, facts),
    transitions: transitions(evidence),
    remarks: [
      ...[...missing, ...elsewhere, ...turned].map(({ text }) => text),
      ...[apart, fieldRefusals.text].filter((text) => text !== undefined),
      ...changesOfOthers(scripted),
      ...turnedAway(scripted.exchanges),
      ...unknownKey(scripted.exchanges),
    ],
  };
}

/** Of a key that is too short to be looked for nobody knows whether an answer repeats it. */
const withoutKey = (rule: RuleVerdict, { keys }: Target): RuleVerdict =>
  rule.id === 'no-secrets-in-responses' && rule.verdict === 'passed' && (keys.primary ?? '').length < shortestSearched
    ? {
        ...rule,
        verdict: 'untested',
        why: `The key is too short to be looked for in answers: that takes ${shortestSearched} characters.`,
      }
    : rule;

/** What could not be judged for an id that the target does not have; a pool is deleted by the run that shows it. */
function withoutIds(rule: RuleVerdict, needs: Rule['needs'], missing: readonly MissingId[]): RuleVerdict {
  const lacking = missing.filter(({ name }) => (needs as readonly string[]).includes(name)).map(({ name }) => name);
  if (rule.verdict !== 'inconclusive' || lacking.length === 0) return rule;
  if (lacking.includes('pool')) {
    const why = 'The pool does not exist (any more): declare one that is made for each run.';
    return { ...rule, verdict: 'untested', why };
  }
  const why = `To judge it, correct ${lacking.join(' and ')} in the target file: nothing there is called so.`;
  return { ...rule, why };
}
