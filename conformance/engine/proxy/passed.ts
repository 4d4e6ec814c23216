/** One request and what came back, as they went through: bytes, and headers in the order and the letters of the wire. */
export interface Passed {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
  readonly request: PassedMessage & { readonly method: string; readonly url: string };
  readonly response?: PassedMessage & { readonly status: number };
  /** Why there is no answer of the service, or none that is whole. */
  readonly failure?: { readonly kind: 'unreachable' | 'timeout' | 'broken' | 'stopped'; readonly message: string };
}

export interface PassedMessage {
  /** Name, value, name, value. */
  readonly headers: readonly string[];
  /** Undefined where it was larger than what is kept, or did not come to its end. */
  readonly body: Uint8Array | undefined;
}

/** Keeps what goes by, up to a limit. */
export class Tap {
  readonly #limitBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  take(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes <= this.#limitBytes) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Undefined where it was too much. */
  get body(): Uint8Array | undefined {
    if (this.#bytes > this.#limitBytes) return undefined;
    // A copy of its own: small pieces share their memory with others, and it may be handed to another thread.
    const body = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      body.set(piece, at);
      at += piece.length;
    }
    return body;
  }
}
