import type { Halted } from '../vocabulary.js';

/** Ends a journey, not the run: the run is being stopped, or the journey may do no more of what it asks for. */
export class Halt extends Error {
  override name = 'Halt';
  readonly halted: Halted;

  /** `isLacking`: no copy could be made for what the target file says, so the rules that need one are untested. */
  constructor(why: string, need?: string, isLacking = false) {
    super(why);
    this.halted = { why, ...(need !== undefined && { need }), ...(isLacking && { isLacking }) };
  }
}
