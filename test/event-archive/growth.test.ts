import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { verifyAll } from '../../src/verify/index.ts';
import { CITUS_SERVERS } from '../support/citus.ts';
import { cloneBooks } from '../verify/clones.ts';
import { type Archivist, createArchivist } from './fixture.ts';

/** How many debits are archived: none where nobody asks for it. */
const DEBITS = Number(process.env['ARCHIVE_DEBITS'] ?? 0);
/** Made by requests; the books are copied until there are so many. */
const MADE = 2_000;
const AT_ONCE = 50;
const OVERLOADED = 503;
const TIME_LIMIT_MS = 3_600_000;
const TABLES = [
  'event_rows',
  'event_templates',
  'idempotency_keys',
  'archived_keys',
  'event_archives',
  'transactions',
  'transfers',
];

const RELATION_SIZE = CITUS_SERVERS.length === 0 ? 'pg_total_relation_size' : 'citus_total_relation_size';

/** Bytes of each table with its indexes, for each debit. */
type Sizes = Record<string, number>;

describe.runIf(DEBITS > 0)(`${DEBITS.toLocaleString('en-GB')} debits that are archived`, () => {
  let a: Archivist;
  let empty: Sizes;
  const said: string[] = [];
  beforeAll(async () => {
    a = await createArchivist();
    await a.t.call('POST', '/sandbox/wallet/fund', { walletId: await storeWallet(), amount: 9_000_000 });
    empty = await sizes();
    const spent = stopwatch();
    for (let at = 0; at < MADE; at += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, debitOnce));
    const client = new pg.Client({ connectionString: a.t.connectionString });
    await client.connect();
    await cloneBooks(client, a.t.merchant.merchantId, Math.ceil(DEBITS / MADE) - 1);
    await client.end();
    said.push(`debits made in ${spent()} s`);
  }, TIME_LIMIT_MS);
  afterAll(async () => {
    process.stdout.write(`\n${said.join('\n')}\n`);
    await a.close();
  });

  /** A busy machine calls itself overloaded: who gets that sends the request again. */
  async function debitOnce(): Promise<void> {
    const key = newId();
    for (;;) {
      const { status } = await a.debit(key, 1);
      if (status === 200) return;
      expect(status).toBe(OVERLOADED);
      await sleep(200);
    }
  }

  const storeWallet = async () =>
    (await a.t.call('GET', `/branch/store/${a.t.merchant.storeIds[0]}`)).body.data.walletId;

  async function sizes(): Promise<Sizes> {
    const found: Sizes = {};
    for (const table of TABLES) {
      const { rows } = await a.t.database.pool.query(`select ${RELATION_SIZE}('${table}')::float8 as bytes`);
      found[table] = rows[0].bytes;
    }
    return found;
  }

  async function eachDebit(what: string): Promise<number> {
    const now = await sizes();
    const each = TABLES.map(
      (table) => [table, Math.round(((now[table] ?? 0) - (empty[table] ?? 0)) / DEBITS)] as const,
    );
    const sum = each.reduce((all, [, bytes]) => all + bytes, 0);
    said.push(`${what}: ${sum} bytes a debit; ${each.map(([table, bytes]) => `${table} ${bytes}`).join(', ')}`);
    return sum;
  }

  async function prove(what: string): Promise<void> {
    const spent = stopwatch();
    let read: string | undefined;
    const { checks } = await verifyAll({ ...a.t, archiveDir: a.directory }, () => {
      read ??= spent();
    });
    said.push(`${what} proven in ${spent()} s, of them ${read} until the first check`);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  }

  it(
    'take less than three quarters of the space, and are proven as before',
    async () => {
      const before = await eachDebit('before');
      await prove('before');
      const spent = stopwatch();
      const archives = await a.archive();
      said.push(`archived in ${spent()} s`);
      const bytes = archives.reduce((sum, { file_bytes }) => sum + Number(file_bytes), 0);
      said.push(`${archives.length} files, ${Math.round(bytes / DEBITS)} bytes a debit`);
      await prove('after, with the files,');
      await eachDebit('after, as it lies');
      for (const table of ['event_rows', 'idempotency_keys'])
        await a.t.database.pool.query(`vacuum (full, analyze) ${table}`);
      expect(await eachDebit('after, written anew')).toBeLessThan(before * 0.75);
      await prove('after that');
    },
    TIME_LIMIT_MS,
  );
});

function stopwatch(): () => string {
  const begun = performance.now();
  return () => ((performance.now() - begun) / 1e3).toFixed(1);
}
