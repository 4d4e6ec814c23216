/** Servers that lie, break or stall: none of them is a service of this interface. */
import { randomBytes } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const always =
  (status: number, body: unknown): RequestListener =>
  (_, response) =>
    json(response, status, body);

/** Sends the same bytes over and over. */
function pour(response: ServerResponse, chunk: Buffer, times: number): void {
  let left = times;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}

const oneByteEachSecond: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 1000);
  response.on('close', () => clearInterval(timer));
};

const megabyte = Buffer.alloc(1024 * 1024, 0x20);
const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));

export const lies = {
  'always 400': always(400, { code: 400, message: 'Bad request' }),
  'always 401': always(401, { code: 401, message: 'Unauthorized' }),
  'always 403': always(403, { code: 403, message: 'Forbidden' }),
  'always 404': always(404, { code: 404, message: 'Not found' }),
  'always 500': always(500, { code: 500, message: 'Internal server error' }),
  'always 200 {}': always(200, {}),
  'always the same refusal, with the path in it': (request, response) =>
    json(response, 404, { code: 404, message: `No route for ${request.url}` }),
  'always the same refusal, with the path decoded in it': (request, response) =>
    json(response, 404, { code: 404, message: `No route for ${decodeURIComponent(request.url ?? '')}` }),
  'always the same refusal, with the path of a router in it': (request, response) =>
    json(response, 404, { code: 404, message: `No route for ${(request.url ?? '').replace(/^.*(?=\/agents)/, '')}` }),
  'always the same refusal, with the id of a trace in it': (_, response) =>
    json(response, 404, { code: 404, message: 'Not found', traceId: `${randomBytes(6).toString('hex')}${Date.now()}` }),
  'a gateway that asks for a client certificate': (_, response) =>
    response
      .writeHead(400, { 'content-type': 'text/html' })
      .end('<html><head><title>400 No required SSL certificate was sent</title></head></html>'),
  'always HTML': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>'),
  'a redirect loop': (request, response) => response.writeHead(302, { location: request.url ?? '/' }).end(),
  'accepts and never answers': () => {},
  'one byte a second': oneByteEachSecond,
  'a body of 1 GB': (_, response) =>
    pour(response.writeHead(200, { 'content-type': 'application/json' }), megabyte, 1024),
  'a gzip bomb': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
  'invalid gzip': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end('plain'),
  'truncated JSON': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "9b2f'),
  'a connection that is reset in mid-body': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
    response.write('{"id":', () => response.socket?.resetAndDestroy());
  },
  'invalid UTF-8': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x22, 0xc3, 0x28, 0x22])),
  '10,000 levels of nesting': (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(10_000) + ']'.repeat(10_000)),
  'terminal escape sequences and markup in messages': always(400, {
    code: 400,
    message: '\u001b[2J\u001b]0;owned\u0007<script>alert(1)</script>\u202egnp',
  }),
} satisfies Record<string, RequestListener>;
