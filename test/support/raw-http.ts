/** Raw HTTP, to see errors that libraries would tolerate. */
import { connect } from 'node:net';

/** An HTTP/1.1 response, and what is wrong with it. */
export interface RawAnswer {
  /** NaN if there is no status line. */
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, with chunks joined. */
  readonly body: string;
  readonly faults: readonly string[];
  /** Whether the connection ended before the body was complete. */
  readonly isCut: boolean;
}

/** Sends a request on its own connection, and reads until that ends. Also resolves if it is reset. */
export async function askRaw(
  url: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({
    Host: host,
    Connection: 'close',
    ...headers,
    ...(body !== '' && { 'Content-Length': `${Buffer.byteLength(body)}` }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  await new Promise((resolve) => socket.once('close', resolve).once('error', resolve));
  return readAnswer(Buffer.concat(pieces), method);
}

/** Parses a response strictly by RFC 9112. An empty one has no faults. */
export function readAnswer(bytes: Buffer, method: string): RawAnswer {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const nothing = { status: Number.NaN, headers: [], body: '', isCut: true };
  if (end < 0) return { ...nothing, faults: text === '' ? [] : [`no head: ${JSON.stringify(text.slice(0, 80))}`] };
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\t\x20-\x7e]*$/.exec(statusLine)?.[1]);
  const headers = lines.map(
    (line) => /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/.exec(line)?.slice(1) ?? [line, ''],
  );
  const valuesOf = (wanted: string) =>
    headers.flatMap(([name = '', value = '']) => (name.toLowerCase() === wanted ? [value] : []));
  const names = headers.map(([name = '']) => name.toLowerCase());
  const twice = names.filter((name, index) => name !== 'set-cookie' && names.indexOf(name) !== index);
  const [rest, length, chunked] = [bytes.subarray(end + 4), valuesOf('content-length'), valuesOf('transfer-encoding')];
  const isBodiless = method === 'HEAD' || status === 204 || status === 304;
  const framed = chunked.length > 0 ? unchunked(rest) : { body: rest, isWhole: rest.length >= Number(length[0] ?? 0) };
  const has = (isFault: boolean, fault: string) => (isFault ? [fault] : []);
  return {
    status,
    headers: headers.map(([name = '', value = '']) => [name, value] as const),
    body: framed.body.toString(),
    isCut: !isBodiless && !framed.isWhole,
    faults: [
      ...has(Number.isNaN(status), `status line ${JSON.stringify(statusLine)}`),
      ...lines.flatMap((line, index) => has(headers[index]?.[0] === line, `header ${JSON.stringify(line)}`)),
      ...twice.map((name) => `${name} twice`),
      ...has(isBodiless && rest.length > 0, 'a body where none may be'),
      ...has(status === 204 && length.length + chunked.length > 0, 'a length of 204'),
      ...has(!isBodiless && length.length + chunked.length !== 1, 'no length, or two'),
      ...has(
        length.some((value) => !/^\d+$/.test(value)),
        `length ${length}`,
      ),
      ...has(!isBodiless && chunked.length === 0 && rest.length > Number(length[0]), 'more bytes than its length'),
    ],
  };
}

function unchunked(bytes: Buffer): { body: Buffer; isWhole: boolean } {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (Number.isNaN(size) || line + 2 + size + 2 > bytes.length)
      return { body: Buffer.concat(pieces), isWhole: false };
    if (size === 0) return { body: Buffer.concat(pieces), isWhole: true };
    pieces.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
