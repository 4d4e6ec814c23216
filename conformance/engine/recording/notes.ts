import { contract } from '../contract.js';
import type { Exchange, Facts, ProfileHistory, Report, Trace } from '../vocabulary.js';
import { gapsWith, mergeGaps, mergeTransitions } from './merge-observations.js';

/** So many of a kind are looked at together. */
const batch = 500;

/** Observes transitions, and what the interface leaves open, in one small part of a recording after the other. */
export class Notes {
  readonly #facts: Facts;
  #gaps: Report['gaps'] = [];
  #transitions: Report['transitions'] = [];
  #exchanges: Exchange[] = [];
  #traces: Trace[] = [];
  #profiles: ProfileHistory[] = [];

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  exchange(exchange: Exchange): void {
    if (this.#exchanges.push(exchange) === batch) this.#observe();
  }

  trace(trace: Trace): void {
    if (this.#traces.push(trace) === batch) this.#observe();
  }

  profile(history: ProfileHistory): void {
    if (this.#profiles.push(history) === batch) this.#observe();
  }

  finish(): Pick<Report, 'gaps' | 'transitions'> {
    this.#observe();
    return { gaps: gapsWith(this.#gaps, this.#transitions), transitions: this.#transitions };
  }

  #observe(): void {
    const evidence = { exchanges: this.#exchanges, traces: this.#traces, profiles: this.#profiles };
    const { gaps, observers, transitionGaps, transitions } = contract();
    const observed = gaps.flatMap(({ id, observable }) =>
      observable ? [{ id, observed: id in transitionGaps ? [] : (observers[id]?.(evidence, this.#facts) ?? []) }] : [],
    );
    this.#gaps = mergeGaps(this.#gaps, observed);
    this.#transitions = mergeTransitions(this.#transitions, transitions(evidence));
    [this.#exchanges, this.#traces, this.#profiles] = [[], [], []];
  }
}
