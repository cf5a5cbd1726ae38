import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { CITUS_SERVERS } from '../support/citus.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeDataDir, removeDataDir, runCommand, type ServiceProcess, startService } from '../support/service.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { rowsOf } from '../support/world.ts';

const dataDir = makeDataDir();
const services: ServiceProcess[] = [];
afterAll(() => removeDataDir(dataDir, services));

describe('a database that acknowledges commits before they are on disk', () => {
  it('gets no service, whoever set it so, and is proved all the same', async () => {
    const { connectionString, drop } = await createTestDatabase();
    const { pathname } = new URL(connectionString);
    const set = (level: string) =>
      rowsOf(connectionString, `alter database ${pathname.slice(1)} set synchronous_commit = ${level}`, []);
    const env = { DATABASE_URL: connectionString, DEMO_DATA: 'true' };
    await set('off');
    for (const args of [[], ['serve'], ['work']]) {
      const { code, output } = await runCommand(dataDir, args, env);
      expect(output).toContain('acknowledges commits before they are on disk: synchronous_commit is off');
      expect(code).toBe(1);
    }
    expect(await runCommand(dataDir, ['verify'], env)).toMatchObject({ code: 0 });
    await set('remote_write');
    const service = await startService({ dataDir, env });
    services.push(service);
    expect(await service.end('SIGTERM')).toBe(0);
    await drop();
  });

  it('ends a service that could not ask it at its start, as soon as it can', { timeout: 60_000 }, async () => {
    const { connectionString, drop } = await createTestDatabase();
    const { pathname, port } = new URL(connectionString);
    await rowsOf(connectionString, `alter database ${pathname.slice(1)} set synchronous_commit = off`, []);
    const proxy = await startTcpProxy(Number(port));
    proxy.onClientData(() => 'cut');
    const through = new URL(connectionString);
    // Not by the socket in its options.
    through.search = '';
    through.host = `127.0.0.1:${proxy.port}`;
    const service = await startService({
      dataDir,
      args: ['serve'],
      env: { DATABASE_URL: through.href, LOG_LEVEL: 'info', DEMO_DATA: 'true' },
    });
    const ended = once(service.child, 'close');
    services.push(service);
    expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(503);
    proxy.onClientData(() => 'pass');
    expect(await ended).toEqual([1, null]);
    expect(service.output()).toContain('acknowledges commits before they are on disk: synchronous_commit is off');
    await proxy.close();
    await drop();
  });

  it.skipIf(CITUS_SERVERS.length === 0)('gets no service where it is one of the other servers of Citus', async () => {
    const { connectionString, drop } = await createTestDatabase();
    const elsewhere = new URL(connectionString);
    elsewhere.host = CITUS_SERVERS.at(-1) as string;
    await rowsOf(elsewhere.href, `alter database ${elsewhere.pathname.slice(1)} set synchronous_commit = off`, []);
    const { code, output } = await runCommand(dataDir, ['serve'], {
      DATABASE_URL: connectionString,
      DEMO_DATA: 'true',
    });
    expect(output).toContain('acknowledges commits before they are on disk: synchronous_commit is off');
    expect(code).toBe(1);
    await drop();
  });
});
