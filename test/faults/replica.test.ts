import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { brokenChecks } from '../support/proof.ts';
import { type ReplicatedPair, startReplicatedPair } from '../support/replicated-pair.ts';
import { makeDataDir, readDemo, removeDataDir, startService } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { rowsOf } from '../support/world.ts';

const WAIT_MS = 200;
/** Until a replica that was left alone is asked again. */
const ASKED_AGAIN_WITHIN_MS = 5_000;

const insertNote = statement('insert-note', 'insert into notes (number) values ($1)');
const lastNote = statement<{ number: number }>('last-note', 'select max(number)::int as number from notes');
const endsAsConflict = statement('ends-as-conflict', 'select pg_sleep(30)');

let pair: ReplicatedPair;
let proxy: TcpProxy;
let database: Database;
let number = 0;

const open = (replicaPort: number) =>
  openDatabase({
    connectionString: pair.addressOf([pair.primaryPort]),
    maxConnections: 4,
    logger: createLogger('silent'),
    replica: { connectionString: pair.addressOf([replicaPort]), waitMs: WAIT_MS },
  });

const onStandby = (sql: string) => rowsOf(pair.addressOf([pair.standbyPort]), sql);
const SLEEPING = `from pg_stat_activity where state = 'active' and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`;

async function write(): Promise<number> {
  number += 1;
  await database.query(insertNote, [number]);
  return number;
}

const read = async (from = database) => (await from.reading.query(lastNote))[0]?.number;

beforeAll(async () => {
  pair = await startReplicatedPair();
  await rowsOf(pair.addressOf([pair.primaryPort]), 'create table notes (number integer primary key)');
});
beforeEach(async () => {
  await onStandby('select pg_wal_replay_resume()');
  proxy = await startTcpProxy(pair.standbyPort);
  database = open(proxy.port);
  return async () => {
    await database.close();
    await proxy.close();
  };
});
afterAll(() => pair.remove());

describe('a read at the replica', () => {
  it('has everything that was committed before it was asked for, while others write', async () => {
    let writing = true;
    const writer = (async () => {
      for (let other = -1; writing; other -= 1) await database.query(insertNote, [other]);
    })();
    for (let round = 0; round < 200; round += 1) {
      const written = await write();
      expect(await read()).toBe(written);
      const [inSnapshot] = await database.reading.snapshot((queries) => queries.query(lastNote));
      expect(inSnapshot?.number).toBe(written);
    }
    writing = false;
    await writer;
    // On a busy machine the replica may be behind for longer than is waited for: the primary answers then.
    const { replica = 0, behind = 0, away } = database.replicaReads ?? {};
    expect({ asked: replica + behind, away }).toEqual({ asked: 400, away: 0 });
    expect(replica).toBeGreaterThan(0);
  });

  it('is answered by the primary where the replica falls behind, and by the replica when it has caught up', async () => {
    await onStandby('select pg_wal_replay_pause()');
    const written = await write();
    const askedAt = performance.now();
    expect(await read()).toBe(written);
    expect(performance.now() - askedAt).toBeGreaterThanOrEqual(WAIT_MS);
    expect(database.replicaReads).toMatchObject({ replica: 0, behind: 1 });
    await onStandby('select pg_wal_replay_resume()');
    await expect
      .poll(async () => {
        expect(await read()).toBe(written);
        return database.replicaReads?.replica;
      })
      .toBe(1);
  });

  it('is answered by the primary where the replica falls silent, within two seconds, and again by the replica later', async () => {
    expect(await read()).toBe(number);
    proxy.swallow();
    const written = await write();
    const askedAt = performance.now();
    expect(await Promise.all(Array.from({ length: 8 }, () => read()))).toEqual(Array(8).fill(written));
    expect(performance.now() - askedAt).toBeLessThan(2_500);
    expect(await read()).toBe(written);
    expect(database.replicaReads?.replica).toBe(1);
  });

  it('is made again by the primary where the replica ends it', async () => {
    const slow = database.reading.snapshot(async (queries) => {
      const [{ standby } = { standby: false }] = await queries.query(
        statement<{ standby: boolean }>('is-standby', 'select pg_is_in_recovery() as standby'),
      );
      if (standby) await queries.query(endsAsConflict);
      return standby;
    });
    await expect.poll(() => onStandby(`select pid ${SLEEPING}`)).not.toEqual([]);
    await onStandby(`select pg_terminate_backend(pid) ${SLEEPING}`);
    expect(await slow).toBe(false);
    await expect
      .poll(
        async () => {
          await read();
          return database.replicaReads?.replica;
        },
        { timeout: ASKED_AGAIN_WITHIN_MS },
      )
      .toBeGreaterThan(0);
  });

  it('is never of a server that takes writes, such as the primary or a standby that was promoted', async () => {
    const ofPrimary = open(pair.primaryPort);
    expect(await read(ofPrimary)).toBe(number);
    expect(ofPrimary.replicaReads).toEqual({ replica: 0, behind: 0, away: 1 });
    await ofPrimary.close();
  });
});

describe('a service with a replica', () => {
  it('reads its lists, files and proof there, and a standby that is promoted to another primary no more', async () => {
    const dataDir = makeDataDir();
    const env = {
      DATABASE_URL: pair.addressOf([pair.primaryPort]),
      READ_DATABASE_URL: pair.addressOf([pair.standbyPort]),
      DEMO_DATA: 'true',
    };
    const service = await startService({ dataDir, env });
    try {
      const { secretKey } = readDemo(dataDir);
      const get = (path: string) =>
        fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${secretKey}` } });
      for (const path of ['/transaction', '/transaction.csv', '/wallet/merchant/statement', '/collection/payment'])
        expect((await get(path)).status, path).toBe(200);
      const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
      const answered = [...metrics.matchAll(/^replica_reads_total\{[^}]*answered="replica"[^}]*\} (\d+)/gm)];
      expect(answered.reduce((sum, [, count]) => sum + Number(count), 0)).toBeGreaterThan(0);
      expect(await brokenChecks({ ...database, readApart: database.reading.readApart })).toEqual([]);
      expect(database.replicaReads?.replica).toBe(1);

      pair.promoteStandby();
      await expect.poll(() => onStandby('select pg_is_in_recovery() as standby')).toEqual([{ standby: false }]);
      // Nobody acknowledges for it any more: what is written waits.
      expect(await read()).toBe(number);
      expect(database.replicaReads?.replica).toBe(1);
    } finally {
      await removeDataDir(dataDir, [service]);
    }
  });
});
