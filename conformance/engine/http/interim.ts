import type { Duplex } from 'node:stream';
import { buildConnector, type Dispatcher, Pool } from 'undici';

/** A pool for one origin, that reads past what undici breaks a connection for. `options.connect` opens a connection. */
export function poolPastContinue(origin: URL | string, options: object): Dispatcher {
  const { connect, allowH2 = false } = options as Pool.Options;
  const open = typeof connect === 'function' ? connect : buildConnector({ allowH2, ...connect });
  return new Pool(origin, {
    ...options,
    connect: (where, opened) =>
      open(where, (...[error, socket]) => {
        if (error) return opened(error, null);
        readPastContinue(socket);
        opened(null, socket);
      }),
  });
}

/**
 * Lets 100 Continue that nobody asked for be read as 102 Processing. A client has to read past both, and undici does so for all
 * interim responses but this one. Nothing is sent before an answer is whole, so an answer begins where a piece does.
 */
function readPastContinue(socket: Duplex): void {
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    const piece: unknown = read(size);
    return Buffer.isBuffer(piece) ? withoutContinue(piece) : piece;
  };
}

const statusAt = 'HTTP/1.1 '.length;
const endOfHead = '\r\n\r\n';

function withoutContinue(piece: Buffer): Buffer {
  for (let from = 0; ; ) {
    const line = piece.toString('latin1', from, from + statusAt + 3);
    if (!/^HTTP\/1\.[01] 1\d\d$/.test(line)) return piece;
    if (line.endsWith('100')) piece.write('102', from + statusAt, 'latin1');
    const end = piece.indexOf(endOfHead, from);
    if (end < 0) return piece;
    from = end + endOfHead.length;
  }
}
