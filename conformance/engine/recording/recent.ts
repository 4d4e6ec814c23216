/**
 * What was asked for last, as much of it as there is room for. It is kept in two halves: when the younger one is full, the
 * older one is forgotten at once. To look for the oldest of a `Map` again and again takes longer than all else here.
 */
export class Recent<Key, Value> {
  readonly #half: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #size = 0;

  constructor(room: number, sizeOf: (value: Value) => number) {
    this.#half = room / 2;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    this.#size += this.#sizeOf(value);
    this.#young.set(key, value);
    if (this.#size <= this.#half) return;
    [this.#old, this.#young, this.#size] = [this.#young, new Map(), 0];
  }
}
