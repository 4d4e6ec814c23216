/** How much is remembered until it is judged. */
export interface Bounds {
  /** Of all histories together, in bytes of the bodies that were sent and answered. */
  readonly openBytes: number;
  /** Of one history, in exchanges: a longer one is judged in pieces. */
  readonly exchanges: number;
}

export const usualBounds: Bounds = { openBytes: 64 * 1024 * 1024, exchanges: 250 };
