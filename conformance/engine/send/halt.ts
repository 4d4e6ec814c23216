import type { Halted } from '../vocabulary.js';

/** The run is being stopped, or may do no more of what was asked. Ends a journey, never a run. */
export class Halt extends Error {
  override name = 'Halt';
  readonly halted: Halted;

  constructor(why: string, need?: string) {
    super(why);
    this.halted = { why, ...(need !== undefined && { need }) };
  }
}
