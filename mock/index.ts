/** Starts the mock: Prism, behind a front of our own. */

import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { listen } from '../common/listening.js';
import type { MockDocument } from './examples.js';
import { front } from './front.js';
import { keepPrism } from './prism.js';

export interface MockOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1. */
  readonly host?: string;
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

/** Starts the mock. Throws a UserError if it cannot listen, or if Prism is missing or cannot start. */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { port = 0, host = '127.0.0.1', dynamic = false, basePath = '', notice = () => {} } = options;
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

  const url = `${await listen(server, port, host)}${basePath}`;
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
  return { url, document, close };
}

type Answer = Awaited<ReturnType<ReturnType<typeof front>>>;

function reply(response: ServerResponse, { status, headers, body }: Answer): void {
  const { connection, 'transfer-encoding': _, 'content-length': __, ...kept } = headers;
  response.writeHead(status, { ...kept, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
