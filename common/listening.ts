import type { AddressInfo, Server } from 'node:net';
import { UserError } from './user-error.js';

/**
 * Lets a server listen. Returns the URL at which this machine reaches it: one that listens on all addresses is reached
 * by that of the machine itself. Rejects with a UserError if the server cannot listen there.
 */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new UserError(reasonOf(error, port, host)));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${(server.address() as AddressInfo).port}`;
}

function reasonOf({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another one, or 0 for any free port.`;
  if (code === 'EACCES') return `port ${port} needs more rights than you have; choose one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine; --host takes one, or 0.0.0.0 for all.`;
  return `cannot listen on ${host}:${port}: ${message}.`;
}
