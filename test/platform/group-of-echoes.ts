import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from '../../src/platform/http/server.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createProcessGroup } from '../../src/platform/processes/group.ts';
import { joinGroup, type Member } from '../../src/platform/processes/member.ts';
import type { Peer } from '../../src/platform/processes/peers.ts';
import { requireFreePort, sharedPort } from '../../src/platform/processes/port.ts';

/** A group of two processes that answer what they are sent, and give each connection to the other after each answer. */
const HOST = '127.0.0.1';

const member = await joinGroup();
if (member === undefined) await supervise();
else await serve(member);

async function supervise(): Promise<void> {
  const port = await requireFreePort(0, HOST);
  const assignment = { port, connectionString: undefined, peersFolder: undefined };
  const logger = createLogger('silent');
  const group = createProcessGroup({ count: 2, assignment, oneFirst: false, logger });
  await group.start();
  process.once('SIGTERM', () => void group.stop('SIGTERM').then(() => process.exit(0)));
  process.stdout.write(`is up at http://${HOST}:${port}\n`);
}

async function serve(one: Member): Promise<void> {
  const { number, port } = one.assignment;
  const server = await createServer({ logger: createLogger('silent'), trustedProxies: [] });
  const other = { number: 3 - number } as Peer;
  server.letConnectionsMove({ moves: { goalOf: () => other, moved: () => undefined }, member: one });
  server.post('/echo', async (request) => {
    await sleep((request.body as { waitMs: number }).waitMs);
    return { by: number, ...(request.body as object) };
  });
  server.get('/connections', async () => {
    const open = await new Promise<number>((resolve) =>
      server.server.getConnections((_error, count) => resolve(count)),
    );
    return { by: number, open };
  });
  await server.listen({ host: HOST, port: port as number, ...sharedPort });
  one.onStop(() => void server.close().then(() => process.exit(0)));
  one.ready({ baseUrl: undefined, screen: undefined });
}
