/** Time spent waiting; waits side by side count once. */
export class Waits {
  readonly #now: () => number;
  readonly #spans: (readonly [from: number, to: number])[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  get totalMs(): number {
    let total = 0;
    let end = Number.NEGATIVE_INFINITY;
    for (const [from, to] of this.#spans.toSorted(([a], [b]) => a - b)) {
      total += Math.max(0, to - Math.max(from, end));
      end = Math.max(end, to);
    }
    return total;
  }

  /** Counts the time that something takes. */
  async during<T>(wait: () => Promise<T>): Promise<T> {
    const from = this.#now();
    try {
      return await wait();
    } finally {
      this.#spans.push([from, this.#now()]);
    }
  }
}
