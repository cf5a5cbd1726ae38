import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { success } from '../../src/platform/answer.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { CHECKS_IN_ALL, formatReport, runVerify, verifyBooks } from '../../src/verify/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  conclude,
  debit,
  fund,
  hold,
  openTestBooks,
  openTestDatabase,
  openTestLedger,
  reverse,
  type TestBooks,
  type TestPayout,
  take,
} from './books.ts';
import {
  brokenIn,
  CHECKS_OF_APPROVALS,
  CHECKS_OF_PAYOUTS,
  type Corruption,
  verifyAfter as verifyDatabaseAfter,
} from './corruption.ts';

/** The seals of the audit log need the key; there are none here. */
const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
let holder: TestDatabase;
let database: Database;
let books: TestBooks;
let live: TestBooks;
let payouts: Record<'queued' | 'processing' | 'paid' | 'failed' | 'reversed', TestPayout>;
let moveId: string;

/** Books with something of everything in them, all of it right. */
beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString);
  const ledger = openTestLedger(database);
  books = await openTestBooks(database);
  live = await openTestBooks(database, { merchantId: books.tenant.merchantId, mode: 'LIVE' });
  const stranger = await openTestBooks(database);
  for (const each of [books, live, stranger]) {
    await ledger.commit(fund(each, each.wallet, 1_000_000n));
    await ledger.commit(debit(each, each.wallet, each.stores[0]!, 5_000n, { key: 'move', inputHash: 'same' }));
    await ledger
      .commit(debit(each, each.stores[1]!, each.wallet, 1n, { key: 'refused', inputHash: 'same' }))
      .catch(() => 0);
    await ledger.remember(each.tenant, { key: 'asked', inputHash: 'same' }, success('Seen'));
  }
  const accept = async (key: string) => {
    const terms = {
      payer: books.wallet,
      amountMinor: 10_000n,
      feeMinor: 250n,
      idempotency: { key, inputHash: 'same' },
    };
    const { movement, payout } = hold(books, terms);
    await ledger.commit(movement);
    return payout;
  };
  payouts = {
    queued: await accept('queued'),
    processing: await accept('processing'),
    paid: await accept('paid'),
    failed: await accept('failed'),
    reversed: await accept('reversed'),
  };
  for (const each of [payouts.processing, payouts.paid]) await ledger.commit(take(books, each));
  for (const each of [payouts.paid, payouts.reversed]) await ledger.commit(conclude(books, each, 'POST'));
  await ledger.commit(conclude(books, payouts.failed, 'VOID'));
  await ledger.commit(reverse(books, payouts.reversed));
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from transactions where merchant_id = $1 and mode = 'SANDBOX' and category = 'STORE_TO_MERCHANT'`,
    [books.tenant.merchantId],
  );
  moveId = rows[0]!.id;
});

afterAll(async () => {
  await database.close();
  await holder.drop();
});

const verifyAfter = (...sql: string[]) => verifyDatabaseAfter(holder.connectionString, database, sql);

describe('right books', () => {
  it('are proven: every check is green, and says how much it saw', async () => {
    const report = await verifyBooks(database);
    expect(brokenIn(report)).toEqual([]);
    expect(report.ok).toBe(true);
    expect(report.checks.length).toBeGreaterThanOrEqual(15);
    expect(report.sizes).toMatchObject({ books: 3n, accounts: 24n, transactions: 11n });
  });

  it('are proven with exit code 0 and a line for each check', async () => {
    const written: string[] = [];
    expect(await runVerify({ database, secrets }, { write: (text) => written.push(text) })).toBe(0);
    const lines = written.join('').split('\n');
    expect(lines.filter((line) => line.startsWith('ok '))).toHaveLength(CHECKS_IN_ALL);
    expect(written.join('')).toMatch(/The books are right\. 3 books, 24 accounts, \d+ transfers, 11 transactions\.\n$/);
  });

  it('are colored only for a terminal', async () => {
    const report = await verifyBooks(database);
    expect(formatReport(report)).not.toContain('\u001b');
    expect(formatReport(report, { color: true })).toContain('\u001b[32mok');
  });

  it('are proven without a chance to write', async () => {
    let readOnly: unknown;
    const spying: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          const { rows } = await tx.client.query(
            `select current_setting('transaction_read_only') as writes, current_setting('transaction_isolation') as isolation`,
          );
          readOnly = rows[0];
          return result;
        }),
    };
    await verifyBooks(spying);
    expect(readOnly).toEqual({ writes: 'on', isolation: 'repeatable read' });
  });

  it('are proven when there are none', async () => {
    const empty = await createTestDatabase();
    const nothing = openTestDatabase(empty.connectionString);
    expect(await verifyBooks(nothing)).toMatchObject({ ok: true, sizes: { books: 0n } });
    await nothing.close();
    await empty.drop();
  });
});

const m = () => `merchant_id = '${books.tenant.merchantId}' and mode = 'SANDBOX'`;
const transferOf = (payout: TestPayout, kind: string, code = 'PAYOUT') =>
  `${m()} and transaction_id = '${payout.id}' and kind = '${kind}' and code = '${code}'`;

const corruptions: Corruption[] = [
  {
    what: 'money that came from nowhere',
    sql: () => [`update accounts set credits_posted_minor = credits_posted_minor + 1 where id = '${books.wallet}'`],
    broken: ['debits-equal-credits', 'accounts-equal-transfers'],
  },
  {
    what: 'money on the wrong accounts, balanced',
    sql: () => [
      `update accounts set credits_posted_minor = credits_posted_minor + 1 where id = '${books.wallet}'`,
      `update accounts set debits_posted_minor = debits_posted_minor + 1 where id = '${books.system.providerFloat}'`,
    ],
    broken: ['accounts-equal-transfers'],
  },
  {
    what: 'a hold on the account’s row that no transfer made',
    sql: () => [
      `update accounts set debits_pending_minor = debits_pending_minor + 1 where id = '${books.wallet}'`,
      `update accounts set credits_pending_minor = credits_pending_minor + 1 where id = '${books.system.payoutClearing}'`,
    ],
    broken: ['accounts-equal-transfers'],
  },
  {
    what: 'an account that lost count of its transfers',
    sql: () => [`update accounts set sequence = sequence + 1 where id = '${books.wallet}'`],
    broken: ['accounts-equal-transfers'],
  },
  {
    what: 'a balance in history that was touched up',
    sql: () => [
      `update transfers set credit_balance_minor = credit_balance_minor + 1 where transaction_id = '${moveId}'`,
    ],
    broken: ['transfers-follow-each-other'],
  },
  {
    what: 'a gap in the sequence of an account',
    sql: () => [
      `update transfers set debit_sequence = debit_sequence + 100
        where ${m()} and debit_account_id = '${books.wallet}' and debit_sequence = (
          select max(debit_sequence) from transfers where debit_account_id = '${books.wallet}')`,
    ],
    broken: ['transfers-follow-each-other'],
  },
  {
    what: 'a customer who spent more than was there',
    sql: () => [
      'alter table accounts drop constraint accounts_customer_not_overdrawn',
      `update accounts set kind = 'STORE_WALLET', owner_id = id where id = '${books.system.providerFloat}'`,
    ],
    broken: ['no-customer-overdrawn'],
  },
  {
    what: 'an account that changed its mode',
    sql: () => [
      `update accounts set mode = 'LIVE' where id = '${books.stores[1]}'`,
      `update transfers set credit_account_id = '${books.stores[1]}', credit_sequence = 1 where transaction_id = '${moveId}'`,
      `update accounts set credits_posted_minor = 5000, sequence = 1 where id = '${books.stores[1]}'`,
      `update accounts set credits_posted_minor = 0, sequence = 0 where id = '${books.stores[0]}'`,
      `update transactions set to_wallet_id = '${books.stores[1]}' where id = '${moveId}'`,
    ],
    broken: ['debits-equal-credits', 'transfers-stay-within-their-tenant'],
  },
  {
    what: 'a transfer to an account of nobody',
    sql: () => [
      `update transfers set credit_account_id = '${newId()}', credit_sequence = 1 where transaction_id = '${moveId}'`,
      `update accounts set credits_posted_minor = 0, sequence = 0 where id = '${books.stores[0]}'`,
    ],
    broken: ['debits-equal-credits', 'transfers-stay-within-their-tenant', 'wallet-transfers-moved-once'],
  },
  {
    what: 'a transfer of no transaction',
    sql: () => [
      `delete from transactions where ${m()} and id = '${moveId}'`,
      `update idempotency_keys set transaction_id = null where transaction_id = '${moveId}'`,
    ],
    broken: ['transfers-belong-to-transactions'],
  },
  {
    what: 'a hold that was posted under another reason',
    sql: () => [`update transfers set code = 'PAYOUT_VAT' where ${transferOf(payouts.paid, 'POST', 'PAYOUT_FEE')}`],
    broken: ['holds-end-once-as-they-were-held', 'successful-payouts-debited-once'],
  },
  {
    what: 'an end of a hold that never was',
    sql: () => [`update transfers set pending_id = '${newId()}' where ${transferOf(payouts.failed, 'VOID')}`],
    broken: ['holds-end-once-as-they-were-held', 'holds-belong-to-open-payouts'],
  },
  {
    what: 'a hold that ended twice',
    sql: () => [
      'drop index transfers_resolved_once',
      `update transfers set kind = 'VOID', pending_id = '${payouts.failed.holdIds[0]}'
        where ${transferOf(payouts.queued, 'PENDING')}`,
    ],
    broken: ['accounts-equal-transfers', 'holds-end-once-as-they-were-held', 'open-payouts-are-held'],
  },
  {
    what: 'a payout on its way that is worth more than it holds',
    sql: () => [`update transactions set amount_minor = amount_minor + 1 where id = '${payouts.queued.id}'`],
    broken: ['open-payouts-are-held'],
  },
  {
    what: 'a payout on its way that holds its amount but not its fee',
    sql: () => [`update payouts set fee_hold_id = null where id = '${payouts.processing.id}'`],
    broken: ['open-payouts-are-held', 'holds-belong-to-open-payouts'],
  },
  {
    what: 'a hold that outlived its payout',
    sql: () => [`update transactions set status = 'CANCELLED' where id = '${payouts.queued.id}'`],
    broken: ['holds-belong-to-open-payouts'],
  },
  {
    what: 'a failed payout that was called a success',
    sql: () => [
      `update transactions set status = 'SUCCESS' where id = '${payouts.failed.id}'`,
      `update state_changes set to_state = 'SUCCESS' where subject_id = '${payouts.failed.id}'`,
    ],
    broken: ['successful-payouts-debited-once'],
  },
  {
    what: 'a success that was charged another fee than it says',
    sql: () => [`update transactions set charges_minor = charges_minor + 1 where id = '${payouts.paid.id}'`],
    broken: ['successful-payouts-debited-once'],
  },
  {
    what: 'a paid payout that was called a failure',
    sql: () => [
      `update transactions set status = 'FAILED' where id = '${payouts.paid.id}'`,
      `update state_changes set to_state = 'FAILED' where subject_id = '${payouts.paid.id}' and to_state = 'SUCCESS'`,
    ],
    broken: ['other-payouts-moved-nothing'],
  },
  {
    what: 'a paid payout that was called reversed, with nothing returned',
    sql: () => [
      `update transactions set status = 'REVERSED' where id = '${payouts.paid.id}'`,
      `update state_changes set to_state = 'REVERSED' where subject_id = '${payouts.paid.id}' and to_state = 'SUCCESS'`,
    ],
    broken: ['reversed-payouts-returned-once'],
  },
  {
    what: 'a return that went to somebody else',
    sql: () => [
      `update transfers set transaction_id = '${payouts.paid.id}'
        where ${transferOf(payouts.reversed, 'POSTED', 'PAYOUT_REVERSAL')}`,
    ],
    broken: ['successful-payouts-debited-once', 'reversed-payouts-returned-once'],
  },
  {
    what: 'a transfer between wallets of another amount than it says',
    sql: () => [`update transactions set amount_minor = amount_minor - 1 where id = '${moveId}'`],
    broken: ['wallet-transfers-moved-once'],
  },
  {
    what: 'a transfer between wallets that failed and moved all the same',
    sql: () => [`update transactions set status = 'FAILED' where id = '${moveId}'`],
    broken: ['wallet-transfers-moved-once'],
  },
  {
    what: 'a refusal that names an effect',
    sql: () => [`update idempotency_keys set answer_status = 422 where transaction_id = '${moveId}'`],
    broken: ['idempotency-keys-tell-the-truth'],
  },
  {
    what: 'a key whose effect does not exist',
    sql: () => [`update idempotency_keys set transaction_id = '${newId()}' where ${m()} and key = 'move'`],
    broken: ['idempotency-keys-tell-the-truth'],
  },
  {
    what: 'two keys with one effect',
    sql: () => [`update idempotency_keys set transaction_id = '${moveId}' where ${m()} and key = 'asked'`],
    broken: ['idempotency-keys-tell-the-truth'],
  },
  {
    what: 'an event that is gone',
    sql: () => [`delete from events where ${m()} and sequence = 2 and subject_id = '${moveId}'`],
    broken: ['events-without-gaps', 'transactions-are-told'],
  },
  {
    what: 'books that lost count of their events',
    sql: () => [`update books set event_sequence = event_sequence + 1 where ${m()}`],
    broken: ['events-without-gaps'],
  },
  {
    what: 'events of nobody’s books',
    sql: () => [`delete from books where ${m()}`],
    broken: ['events-without-gaps'],
  },
  {
    what: 'a transaction that was never told',
    sql: () => [`update events set subject_id = '${newId()}' where subject_id = '${payouts.queued.id}'`],
    broken: ['transactions-are-told'],
  },
  {
    what: 'a status that its history does not lead to',
    sql: () => [`update transactions set status = 'QUEUED' where id = '${payouts.processing.id}'`],
    broken: ['status-is-where-history-ends'],
  },
  {
    what: 'an entry of the audit log that nobody has sealed',
    sql: () => [
      `insert into audit_entries (merchant_id, id, mode, at, action, summary, outcome, subject, actor_kind, actor_name)
       values ('${books.tenant.merchantId}', gen_random_uuid(), 'SANDBOX', now() - interval '1 hour', 'POST /x', 'x', 'DONE',
               '{}', 'SYSTEM', 'nobody')`,
    ],
    broken: ['audit-entries-are-sealed'],
  },
];

describe('wrong books are found:', () => {
  it.each(corruptions)('$what', async ({ sql, broken }) => {
    const report = await verifyAfter(...sql());
    expect(brokenIn(report)).toEqual(broken);
    expect(report.ok).toBe(false);
    for (const { ok, violations, examples } of report.checks) {
      expect(examples.length > 0).toBe(!ok);
      expect(violations).toBeGreaterThanOrEqual(examples.length);
      for (const { merchantId } of examples) expect(merchantId).toBe(books.tenant.merchantId);
    }
  });

  it('every check is broken by one of these, or has its own beside those of payouts', async () => {
    const { checks } = await verifyBooks(database);
    const elsewhere = [...CHECKS_OF_PAYOUTS, ...CHECKS_OF_APPROVALS];
    const broken = new Set([...corruptions.flatMap((corruption) => corruption.broken), ...elsewhere]);
    expect(checks.map(({ name }) => name).filter((name) => !broken.has(name))).toEqual([]);
  });

  it('all are counted, twenty are shown, and the report says so', async () => {
    const report = await verifyAfter(
      `insert into events (merchant_id, mode, sequence, id, type, subject_id, data, created_at)
       select gen_random_uuid(), 'LIVE', 1, gen_random_uuid(), 'strange', gen_random_uuid(), '{}', now()
         from generate_series(1, 1234)`,
    );
    const check = report.checks.find(({ name }) => name === 'events-without-gaps');
    expect([check?.violations, check?.examples.length]).toEqual([1234, 20]);
    const text = formatReport(report, { color: true });
    expect(text).toContain('\u001b[31mBROKEN\u001b[0m  The events of every tenant are numbered from 1 without a gap.');
    expect(text).toContain('1,234 in all');
    expect(text).toContain('and 1,214 more');
    expect(text).toContain(`The books are wrong: 1 of ${report.checks.length} checks are broken.`);
  });

  it('and answered with exit code 1', async () => {
    const stranger = newId();
    const client = database.pool;
    const ofStranger = `merchant_id = '${stranger}'`;
    await client.query(`insert into books (merchant_id, mode, event_sequence) values ('${stranger}', 'LIVE', 9)`);
    try {
      const written: string[] = [];
      expect(await runVerify({ database, secrets }, { write: (text) => written.push(text), isTTY: false })).toBe(1);
      expect(written.join('')).toContain(`merchant ${stranger} LIVE: 0 events numbered from 0 to 0, the books say 9`);
    } finally {
      await client.query(`delete from books where ${ofStranger}`);
    }
  });
});
