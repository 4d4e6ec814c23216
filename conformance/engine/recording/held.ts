/**
 * Bytes that wait to be cut, in one place that is used again and again: what is new for each piece that is read makes V8
 * collect garbage for nothing else. What is cut out of them stays what it is until more are added.
 */
export class Held {
  #room: Buffer = Buffer.alloc(0);
  #from = 0;
  #to = 0;

  get bytes(): Buffer {
    return this.#room.subarray(this.#from, this.#to);
  }

  get length(): number {
    return this.#to - this.#from;
  }

  add(piece: Buffer): void {
    const { bytes, length } = this;
    const needed = length + piece.length;
    if (needed > this.#room.length) this.#room = Buffer.allocUnsafeSlow(needed * 2);
    if (length > 0) bytes.copy(this.#room, 0);
    piece.copy(this.#room, length);
    [this.#from, this.#to] = [0, needed];
  }

  /** Lets the first of them go. */
  drop(count: number): void {
    this.#from += count;
  }
}
