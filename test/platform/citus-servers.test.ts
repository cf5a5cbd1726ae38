import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { followServers, type Servers } from '../../src/platform/db/servers.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const logger = createLogger('silent');
const ask = statement<{ one: number }>('ask-one', 'select 1 as one');

let holder: TestDatabase;
let proxy: TcpProxy;

beforeAll(async () => {
  holder = await createTestDatabase();
  proxy = await startTcpProxy(Number(new URL(holder.connectionString).port));
});

afterAll(async () => {
  await proxy.close();
  await holder.drop();
});

/** What the coordinator says of its servers is played, and so is the time; the server is a real one, behind a proxy. */
function played() {
  const here = { server: '1', host: '127.0.0.1', port: proxy.port };
  const said: { rows: (typeof here)[] | undefined; now: number; opened: Database[] } = {
    rows: [here],
    now: 0,
    opened: [],
  };
  const servers: Servers<Database> = followServers({
    options: { connectionString: holder.connectionString, maxConnections: 2, logger },
    coordinator: {
      async query<Row>() {
        if (said.rows === undefined) throw new Error('the coordinator is away');
        return said.rows as Row[];
      },
    },
    open(options) {
      const database = openDatabase(options);
      said.opened.push(database);
      return database;
    },
    now: () => said.now,
  });
  const later = (ms: number) => (said.now += ms);
  const reached = async () => {
    await vi.waitFor(() => {
      later(1_000);
      expect(servers.at('1')).toBeDefined();
    }, 5_000);
    return servers.at('1') as Database;
  };
  return { servers, said, later, reached, here };
}

describe('a server of Citus', () => {
  it('is asked by itself once it has answered a question that nobody waits for', async () => {
    const { servers, reached } = played();
    expect(servers.at('1')).toBeUndefined();
    const database = await reached();
    expect(await database.query(ask)).toEqual([{ one: 1 }]);
    expect(servers.at('2')).toBeUndefined();
    await servers.close();
  });

  it('that the coordinator replaced is left within a second of work, and its connections are closed', async () => {
    const { servers, said, later, reached, here } = played();
    const before = await reached();
    said.rows = [{ ...here, host: 'localhost' }];
    later(1_000);
    servers.at('1');
    await vi.waitFor(() => expect(servers.at('1')).not.toBe(before));
    await expect(before.query(ask)).rejects.toThrow();
    await servers.close();
    expect(said.opened).toHaveLength(2);
  });

  it('is left to the coordinator once that has not said for four seconds who its servers are', async () => {
    const { servers, said, later, reached } = played();
    await reached();
    said.rows = undefined;
    later(3_000);
    expect(servers.at('1')).toBeDefined();
    later(1_000);
    expect(servers.at('1')).toBeUndefined();
    await servers.close();
  });

  it('that failed is left to the coordinator until it has answered again', async () => {
    const { servers, later, reached } = played();
    const database = await reached();
    let isCut = true;
    proxy.onClientData(() => (isCut ? 'cut' : 'pass'));
    await expect(database.query(ask)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(servers.at('1')).toBeUndefined();
    later(1_000);
    expect(servers.at('1')).toBeUndefined();
    isCut = false;
    expect(await (await reached()).query(ask)).toEqual([{ one: 1 }]);
    await servers.close();
  });
});
