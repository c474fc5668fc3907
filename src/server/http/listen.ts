import type { Server } from 'node:http';
import { ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';

/** Listens; resolves with the port. @throws CONFLICT when the address is taken, or not one of this machine's that this user may listen on */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, port, host)));
    // As many as the system lets wait: Node takes one in each turn of the event loop, and who finds no room tries again only after a second or more.
    server.listen({ port, host, backlog: 4_096 }, resolve);
  });
  server.on('error', (error) => log.error({ err: error }, 'the HTTP server failed'));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function explained({ code, message }: NodeJS.ErrnoException, port: number, host: string): Error {
  if (code === 'EADDRINUSE') {
    return new ServiceError(
      'CONFLICT',
      `expected port ${port} of ${host} to be free, but another program listens there; set PORT to another one`,
    );
  }
  return new ServiceError(
    'CONFLICT',
    `expected to listen on port ${port} of ${host}, but: ${message}; set HOST or PORT`,
  );
}
