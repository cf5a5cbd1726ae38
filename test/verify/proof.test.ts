import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReceivables as readReceivableStatements } from '../../src/daily-close/index.ts';
import { lagosDay } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { readReceivables } from '../../src/suspense/index.ts';
import { CHECKS } from '../../src/verify/checks.ts';
import { CHECKS_IN_ALL, formatReport, runVerify, verifyAll, verifyBooks } from '../../src/verify/index.ts';
import type { ViolationRow } from '../../src/verify/queries.ts';
import { CHECKS_OF_SUSPENSE } from '../collections/suspense-fixture.ts';
import { CHECKS_OF_COMPLIANCE } from '../compliance/checks.ts';
import { CHECKS_OF_APPROVALS, CHECKS_OF_PAYOUTS, CHECKS_OF_THE_DIRECTORY, verifyAfter } from '../ledger/corruption.ts';
import { CHECKS_OF_BANK_SETTLEMENTS } from '../merchant-settlements/fixture.ts';
import { CHECKS_OF_CLOSES, CHECKS_OF_DEDUCTIONS, CHECKS_OF_SETTLEMENTS } from '../provider-settlements/fixture.ts';
import { bearerOf } from '../support/app.ts';
import { CITUS_SERVERS } from '../support/citus.ts';
import { createTestDatabase } from '../support/database.ts';
import { type History, makeHistory } from './history.ts';
import { describeMutatedBooks, SEED } from './mutated-books.ts';
import { asLongAfter } from './run-mutations.ts';
import { wrongBooksOf } from './wrong-books.ts';

/** Where Citus distributes the database, a movement takes several times as long, and some thousands follow one another. */
const HISTORY_MS = CITUS_SERVERS.length === 0 ? 300_000 : 1_500_000;
let history: History;
let database: Database;
let client: pg.Client;
// Everything that a service may have done, one thing after the other: half a minute on two quiet cores.
beforeAll(async () => {
  history = await makeHistory(SEED);
  database = history.t.database;
  client = new pg.Client({ connectionString: history.connectionString });
  await client.connect();
}, HISTORY_MS);
afterAll(async () => {
  await client.end();
  await history.close();
});

const openSmall = (connectionString: string) =>
  openDatabase({ connectionString, maxConnections: 1, logger: createLogger('silent') });

const ownedBy = ({ merchant_id, mode, rail }: { merchant_id: string; mode: Mode; rail: string }, owedMinor: bigint) =>
  `${merchant_id} ${mode} ${rail} ${owedMinor}`;

describe('right books', () => {
  it('are proven: every check is green, with exit code 0, a line for each and how much was seen', async () => {
    const written: string[] = [];
    const code = await runVerify(history.t, { write: (text) => written.push(text) });
    const lines = written.join('').split('\n');
    expect(lines.filter((line) => line.startsWith('BROKEN'))).toEqual([]);
    expect(code).toBe(0);
    expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(CHECKS_IN_ALL);
    expect(lines.at(-3)).toMatch(/^As of 20\d\d-\d\d-\d\dT[\d:.]+Z, \d+\.\d s ago, read at the primary\.$/);
    expect(lines.at(-2)).toMatch(
      /^The books are right\. \d+ books, \d+ accounts, [\d,]+ transfers, \d+ transactions\.$/,
    );
  });

  it('say in each report of what providers owe what the ledger says, by account and merchant, to the kobo', async () => {
    const { rows: accounts } = await client.query<{ merchant_id: string; mode: Mode; rail: string; owed: string }>(
      `select a.merchant_id, a.mode, coalesce(r.name, 'sandbox') as rail, a.debits_posted_minor - a.credits_posted_minor as owed
         from accounts a left join rail_accounts r on r.id = a.owner_id
        where a.kind = 'COLLECTION_RECEIVABLE' and a.debits_posted_minor <> a.credits_posted_minor
        order by a.merchant_id, a.mode, rail`,
    );
    const { rows } = await readReceivables(history.t, { page: 1, size: 200 });
    expect(rows.some(({ to_deduct_minor }) => to_deduct_minor > 0n)).toBe(true);
    expect(rows.filter(({ total_minor }) => total_minor !== 0n).map((row) => ownedBy(row, row.total_minor))).toEqual(
      accounts.map((row) => ownedBy(row, BigInt(row.owed))),
    );
    for (const mode of ['SANDBOX', 'LIVE'] as const) {
      const day = lagosDay(history.t.clock.now());
      for (const { rail, unsettledMinor } of await readReceivableStatements(history.t, {
        mode,
        fromDay: day,
        toDay: day,
      })) {
        const ours = accounts.filter((account) => account.mode === mode && account.rail === rail);
        expect([mode, rail, unsettledMinor]).toEqual([
          mode,
          rail,
          ours.reduce((sum, { owed }) => sum + BigInt(owed), 0n),
        ]);
      }
    }
  });

  it('are colored only for a terminal', async () => {
    const report = await verifyBooks(database);
    expect(formatReport(report)).not.toContain('\u001b');
    expect(formatReport(report, { color: true })).toContain('\u001b[32mok');
  });

  it('are proven as of one moment on every connection, without a chance to write', async () => {
    const show = statement<{ writes: string; isolation: string; moment: string }>(
      'test-show-transaction',
      `select current_setting('transaction_read_only') as writes, current_setting('transaction_isolation') as isolation,
              pg_current_snapshot()::text as moment`,
    );
    const seen: { moment: string }[] = [];
    const service = openSmall(history.connectionString);
    const spying: Pick<Database, 'readApart'> = {
      readApart: (connections, work) =>
        service.readApart(connections, async (each) => {
          const result = await work(each);
          for (const queries of each) seen.push(...(await queries.query(show)));
          return result;
        }),
    };
    await verifyAll({ database: spying, secrets: history.t.secrets });
    const { moment } = seen[0] ?? { moment: '' };
    expect(seen).toEqual(Array(2).fill({ writes: 'on', isolation: 'repeatable read', moment }));
    await service.close();
  });

  it('are proven while every connection of the service is taken', async () => {
    const busy = openSmall(history.connectionString);
    const report = await busy.transaction(() => verifyBooks(busy));
    expect(report.ok).toBe(true);
    await busy.close();
  });

  it('are proven when there are none', async () => {
    const empty = await createTestDatabase();
    const nothing = openSmall(empty.connectionString);
    expect(await verifyBooks(nothing)).toMatchObject({ ok: true, sizes: { books: 0n } });
    await nothing.close();
    await empty.drop();
  });

  it('have no row of a merchant changed by another one who moves the sandbox forward', async () => {
    const { merchantId } = history.t.merchant;
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c join information_schema.tables using (table_schema, table_name)
        where c.table_schema = 'public' and c.column_name = 'merchant_id' and table_type = 'BASE TABLE'`,
    );
    const read = async () => {
      const found: [name: string, all: string | null][] = [];
      for (const { name } of tables) {
        // When a key or a person was last there is written a while later.
        const row = `(to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text`;
        const text = `select md5(string_agg(${row}, ' ' order by t::text)) as all from ${name} t where merchant_id = $1`;
        found.push([name, (await client.query(text, [merchantId])).rows[0].all]);
      }
      return found;
    };
    const other = await history.t.addMerchant();
    // What the merchant itself asked for before may still wait to be logged.
    await history.t.app.requestLog.flush();
    const before = await read();
    expect(before.filter(([, all]) => all !== null).length).toBeGreaterThan(50);
    const moved = await history.t.call('POST', '/sandbox/clock/advance', { seconds: 31_536_000 }, bearerOf(other));
    expect(moved.status).toBe(200);
    expect(await read()).toEqual(before);
  });
});

describe('wrong books are found:', () => {
  const names = wrongBooksOf({ merchantId: '' }).map(({ what }, at) => [what, at] as const);

  it.each(names)('%s', async (_what, at) => {
    const { sql, broken } = wrongBooksOf(history.t.merchant)[at]!;
    await client.query('begin isolation level repeatable read');
    try {
      await asLongAfter(client);
      for (const one of sql) {
        const { rowCount, command } = await client.query(one);
        if (command !== 'ALTER' && command !== 'DROP') expect(rowCount, one).toBeGreaterThan(0);
      }
      const found: string[] = [];
      for (const { name, find } of CHECKS.filter((check) => broken.includes(check.name))) {
        const { rows } = await client.query<ViolationRow>({ name: find.name, text: find.text });
        if (rows.length > 0) found.push(name);
        for (const { merchant_id, mode, detail } of rows) expect([merchant_id, mode, detail]).not.toContain(null);
      }
      expect(found).toEqual(expect.arrayContaining(broken));
    } finally {
      await client.query('rollback');
    }
  });

  it('every check is broken by one of these, or by those of payouts, approvals and suspense', () => {
    const broken = new Set(wrongBooksOf({ merchantId: '' }).flatMap((wrong) => wrong.broken));
    const elsewhere = [
      CHECKS_OF_PAYOUTS,
      CHECKS_OF_APPROVALS,
      CHECKS_OF_SUSPENSE,
      CHECKS_OF_COMPLIANCE,
      CHECKS_OF_SETTLEMENTS,
      CHECKS_OF_DEDUCTIONS,
      CHECKS_OF_BANK_SETTLEMENTS,
      CHECKS_OF_CLOSES,
      CHECKS_OF_THE_DIRECTORY,
    ];
    for (const name of elsewhere.flat()) broken.add(name);
    expect(CHECKS.map(({ name }) => name).filter((name) => !broken.has(name))).toEqual([]);
  });

  it('all are counted, twenty are shown, and the report says so', async () => {
    const report = await verifyAfter(database, [
      `insert into event_rows (merchant_id, mode, sequence, id, type, subject_id, data, created_at)
       select gen_random_uuid(), 'LIVE', 1, gen_random_uuid(), 'strange', gen_random_uuid(), '{}', now()
         from generate_series(1, 1234)`,
    ]);
    const check = report.checks.find(({ name }) => name === 'events-without-gaps');
    expect([check?.violations, check?.examples.length]).toEqual([1234, 20]);
    const text = formatReport(report, { color: true });
    expect(text).toContain(
      '\u001b[31mBROKEN\u001b[0m  The events of every tenant are numbered from 1 without a gap, each with an id of its own, and those of one request with one key and a request id of ours.',
    );
    expect(text).toContain('1,234 in all');
    expect(text).toContain('and 1,214 more');
    expect(text).toContain(`The books are wrong: 1 of ${report.checks.length} checks is broken.`);
  });

  it.each([
    [
      ['daily-totals-are-their-transfers'],
      'The books are right, but what is kept behind them is wrong (npm run admin -- rebuild-totals',
    ],
    [
      ['audit-entries-are-sealed'],
      'The books are right, but the audit log is not sealed (does npm run work run?): 1 of 2 checks is broken.',
    ],
    [['audit-entries-are-sealed', 'rail-totals-are-their-events'], 'makes it anew), and the audit log is not sealed'],
    [['audit-entries-are-sealed', 'events-without-gaps'], 'The books are wrong: 2 of 3 checks are broken.'],
    [
      ['archive-files-are-there'],
      'The books are right, but files of archived events are missing, or not what was written (bring them back from a copy): 1 of 2 checks is broken.',
    ],
    [['archives-are-whole'], 'The books are wrong: 1 of 2 checks is broken.'],
    [['audit-entries-are-not-gone'], 'The books are wrong: 1 of 2 checks is broken.'],
  ])('of %j alone the verdict says whether the books themselves are wrong, and what to do', (names, verdict) => {
    const check = { sentence: 'All is well.', ok: true, isUnproven: false, violations: 0, examples: [] };
    const broken = names.map((name) => ({ ...check, name, ok: false, violations: 1 }));
    const sizes = { books: 1n, accounts: 1n, transfers: 0n, transactions: 0n, read_at: new Date(), is_replica: false };
    expect(formatReport({ ok: false, sizes, seconds: 1, checks: [{ ...check, name: 'other' }, ...broken] })).toContain(
      verdict,
    );
  });

  it('no verdict says that the books are right while a check of them could not be made', () => {
    const made = { sentence: 'All is well.', ok: false, isUnproven: false, violations: 1, examples: [] };
    const checks = [
      { ...made, name: 'daily-totals-are-their-transfers' },
      { ...made, name: 'events-without-gaps', isUnproven: true },
    ];
    const sizes = { books: 1n, accounts: 1n, transfers: 0n, transactions: 0n, read_at: new Date(), is_replica: false };
    const text = formatReport({ ok: false, sizes, seconds: 1, checks });
    expect(text).not.toContain('The books are right');
    expect(text).toContain('Nothing wrong was found in the books, but what is kept behind them is wrong');
    expect(text).toContain('1 of 2 checks, marked with ?, could not be made');
  });

  it('what cannot even be read is red, and the checks after it go on', async () => {
    const report = await verifyAfter(database, [
      `update event_rows set data = '{"amount":"a lot"}' where type = 'transaction.succeeded'`,
    ]);
    const check = report.checks.find(({ name }) => name === 'wallet-transfers-are-reported-as-they-are');
    expect(check).toMatchObject({ ok: false, violations: 1 });
    expect(check?.examples[0]?.detail).toContain('cannot be read');
    expect(report.checks).toHaveLength(CHECKS.length + 3);
  });

  it('and answered with exit code 1', async () => {
    const stranger = newId();
    await database.pool.query(
      `insert into books (merchant_id, mode, event_sequence) values ('${stranger}', 'LIVE', 9)`,
    );
    try {
      const written: string[] = [];
      expect(await runVerify(history.t, { write: (text) => written.push(text), isTTY: false })).toBe(1);
      expect(written.join('')).toContain(`merchant ${stranger} LIVE: 0 events numbered from 0 to 0, the books say 9`);
    } finally {
      await database.pool.query(`delete from books where merchant_id = '${stranger}'`);
    }
  });
});

describeMutatedBooks(() => history);
