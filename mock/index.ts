/** Starts the mock: Prism, behind a front of our own. */

import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { UserError } from '../common/user-error.js';
import type { MockDocument } from './examples.js';
import { front } from './front.js';
import { keepPrism } from './prism.js';

export interface MockOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Generate answers from the schemas instead of using the examples. Default: false. */
  readonly dynamic?: boolean;
  /** Path before those of the contract, such as a gateway's `/gateway`. Default: none. */
  readonly basePath?: string;
  /** Called with a line of text when Prism has died. Default: nothing. */
  readonly notice?: (line: string) => void;
}

export interface Mock {
  /** The base URL, including the base path, without a slash at its end. */
  readonly url: string;
  /** The bundled contract. */
  readonly document: MockDocument;
  /** Stops Prism and closes all connections. */
  close(): Promise<void>;
}

const documentFile = fileURLToPath(new URL('../generated/openapi.json', import.meta.url));

/** Starts the mock on 127.0.0.1. Throws a UserError if the port is taken, or if Prism is missing or cannot start. */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { port = 0, dynamic = false, basePath = '', notice = () => {} } = options;
  const document = JSON.parse(await readFile(documentFile, 'utf8')) as MockDocument;
  const prism = keepPrism({ document: documentFile, dynamic, notice });
  const answer = front(prism, document, basePath);
  const server = createServer(async (request, response) => {
    try {
      reply(response, await answer(request));
    } catch {
      response.destroy();
    }
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return reject(error);
      const why = error.code === 'EACCES' ? 'needs more rights than you have' : 'is in use';
      reject(new UserError(`port ${port} ${why}; take another one with --port.`));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  async function close() {
    server.close();
    server.closeAllConnections();
    await prism.stop();
  }
  try {
    await prism.origin();
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`, document, close };
}

type Answer = Awaited<ReturnType<ReturnType<typeof front>>>;

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  const { connection, 'transfer-encoding': _, 'content-length': __, ...kept } = headers;
  response.writeHead(status, { ...kept, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
