import type { Halted } from '../vocabulary.js';

/** Ends a scenario, not the run: the run is being stopped, or the scenario may do no more of what it wants to do. */
export class Halt extends Error {
  override name = 'Halt';
  readonly halted: Halted;

  constructor(why: string, more: Omit<Halted, 'why'> = {}) {
    super(why);
    this.halted = { why, ...more };
  }
}
