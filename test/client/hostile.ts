import type { RequestListener } from 'node:http';

const jsonType = { 'Content-Type': 'application/json' };

export const answers =
  (status: number, body = '', headers: Record<string, string> = jsonType): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

export const html = (status: number): RequestListener =>
  answers(status, '<html><body>Bad Gateway</body></html>', { 'Content-Type': 'text/html' });

/** Promises more bytes than it sends, then breaks the connection. */
export const resetsMidBody =
  (status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { ...jsonType, 'Content-Length': '1000' });
    response.write('{"executionId":"');
    setImmediate(() => response.destroy());
  };

export const resets: RequestListener = (_, response) => void response.destroy();

export const hangs: RequestListener = () => {};

export const hangsMidBody: RequestListener = (_, response) => {
  response.writeHead(200, jsonType);
  response.write('{"id":');
};

export const redirects =
  (to: string, status = 307): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { Location: to }).end();
