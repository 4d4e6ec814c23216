/** Who waits for the same thing asks for it one after the other: all at once would ask in vain, all but one. */
export class Lines {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether somebody waits there. */
  isAwaited(name: string): boolean {
    return this.#last.has(name);
  }

  /** Does the work when all who came before are through, or called `next`. */
  async turn<T>(name: string, work: (next: () => void) => Promise<T>): Promise<T> {
    let next = () => {};
    const through = new Promise<void>((resolve) => {
      next = resolve;
    });
    const before = this.#last.get(name);
    const mine = Promise.all([before, through]);
    this.#last.set(name, mine);
    void mine.then(() => {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    });
    await before;
    try {
      return await work(next);
    } finally {
      next();
    }
  }
}
