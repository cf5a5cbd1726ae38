import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Where the system can, each process of a group listens by itself and the kernel shares connections out: nobody is between,
 * and one that ends takes no other's connections with it. Elsewhere the supervisor accepts and hands them on.
 */
const IS_SHARED_BY_KERNEL = process.platform === 'linux';

/** What a process of a group adds to where it listens. */
export const sharedPort = IS_SHARED_BY_KERNEL ? { reusePort: true } : {};

/**
 * A port that nobody listens on: the one given, or a free one for 0. Processes that share a port would not notice that
 * others are there.
 * @throws Error EADDRINUSE, EACCES or what else listening there fails with
 */
export async function requireFreePort(port: number, host: string): Promise<number> {
  const server = createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}
