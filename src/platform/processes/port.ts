import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Where the system can, each process of a group listens by itself and the kernel shares the connections out: there is
 * no process in the middle, and one that ends takes no other's connections with it. Elsewhere the supervisor accepts
 * and hands them on.
 */
const IS_SHARED_BY_KERNEL = process.platform === 'linux';

/** What a process of a group adds to its options of listening. */
export const sharedPort = IS_SHARED_BY_KERNEL ? { reusePort: true } : {};

/**
 * A port that nobody listens on: the given one, or a free one for 0. Processes that share a port would not notice
 * others on it.
 * @throws ListenError
 */
export async function requireFreePort(port: number, host: string): Promise<number> {
  const server = createServer().listen({ port, host, exclusive: true });
  await orListenError({ port, host }, once(server, 'listening'));
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}

/** Nobody can be served at this address; its message is for the operator. */
export class ListenError extends Error {}

/** @throws ListenError where listening at the address fails because of its settings */
export async function orListenError<T>(
  { port, host }: { port: number; host: string },
  listening: Promise<T>,
): Promise<T> {
  try {
    return await listening;
  } catch (error) {
    const why = listenFailure((error as NodeJS.ErrnoException).code, port, host);
    throw why === undefined ? error : new ListenError(why, { cause: error });
  }
}

function listenFailure(code: string | undefined, port: number, host: string): string | undefined {
  if (code === 'EADDRINUSE') return `Port ${port} of ${host} is in use: end what listens there, or set another port.`;
  if (code === 'EACCES') return `This user may not listen on port ${port}: set one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
    return `HOST must be an address of this machine; it is ${JSON.stringify(host)}.`;
  return undefined;
}
