import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { MockError } from './errors.js';
import type { MockDocument } from './examples.js';
import { front } from './front.js';
import { keepPrism } from './prism.js';

export interface MockOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Made-up answers from the schemas instead of the examples. */
  readonly dynamic?: boolean;
  /** The path before `/agents/v2`, such as a gateway's: `/gateway`. None by default. */
  readonly basePath?: string;
  /** Told, in one line, what befalls the mock while it runs. Nobody by default. */
  readonly notice?: (line: string) => void;
}

export interface Mock {
  /** The base URL, with the base path and without a slash at its end. */
  readonly url: string;
  /** The contract that it answers from. */
  readonly document: MockDocument;
  /** Ends Prism and all connections. */
  close(): Promise<void>;
}

const documentFile = fileURLToPath(new URL('../generated/openapi.json', import.meta.url));

/**
 * Starts Prism over the contract, behind a front of our own, on 127.0.0.1.
 * Throws a MockError when the port is taken, or Prism is missing or cannot start.
 */
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
      reject(new MockError(`port ${port} ${why}; take another one with --port.`));
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
