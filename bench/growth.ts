import { setTimeout } from 'node:timers/promises';
import { onServer } from './postgres.ts';

/** Accounts that the filled-in transfers went to; so many transfers each, one after the other. */
const ACCOUNTS = 1_000;
const AMOUNT_MINOR = 100;
const CHUNK = 1_000_000;

/** An id that sorts by `number` and before every id of today, like the UUIDv7 of an earlier time. */
const idOf = (kind: number, number: string) =>
  `('0190f00${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
const FLOAT = idOf(0, '0');

/**
 * Gives a merchant a past of so many transfers, with the sums, sequences and balances that they would have left. What is
 * asked for is rounded up to whole thousands. The transfers belong to no transactions: those would take twenty times
 * the room and play no part in a debit.
 */
export async function fillTransfers(
  databaseUrl: string,
  merchantId: string,
  wanted: number,
  progress: (text: string) => void,
): Promise<void> {
  const perAccount = Math.ceil(wanted / ACCOUNTS);
  const transfers = perAccount * ACCOUNTS;
  const indexes = await onServer(
    databaseUrl,
    `select indexname, indexdef from pg_indexes where tablename = 'transfers' and indexname <> 'transfers_pk'`,
  );
  const definitions = (indexes?.rows ?? []) as { indexname: string; indexdef: string }[];
  // Building an index over sorted rows is many times faster than growing it row by row.
  await onServer(databaseUrl, ...definitions.map(({ indexname }) => `drop index ${indexname}`));
  for (let from = 1; from <= transfers; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, transfers);
    await onServer(databaseUrl, insertTransfers(merchantId, from, to));
    progress(`filled in ${to.toLocaleString('en-GB')} transfers`);
  }
  await onServer(databaseUrl, insertAccounts(merchantId, perAccount));
  progress('building the indexes again');
  await onServer(databaseUrl, `set maintenance_work_mem = '512MB'`, ...definitions.map(({ indexdef }) => indexdef));
  await onServer(
    databaseUrl,
    'vacuum (analyze) transfers',
    'vacuum (analyze) accounts',
    // What the service began to read while there was no index goes through all rows for each account.
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and now() - query_start > interval '1 s' and state = 'active'`,
    'checkpoint',
  );
}

/** Asked so often, and over when so many answers in a row are the same. */
const POLL_MS = 5_000;
const SAME_ANSWERS = 3;
/** Ten million transfers take a core some four minutes. */
const MOST_POLLS = 240;

/**
 * Waits until the service has added up what was filled in, by day and by every 500th: real books have that behind them, and
 * what is measured next would pay for it.
 */
export async function untilAddedUp(databaseUrl: string): Promise<void> {
  let before = -1;
  for (let polls = 0, same = 0; same < SAME_ANSWERS; polls += 1) {
    if (polls === MOST_POLLS) throw new Error('what was filled in is not added up after 20 minutes');
    const counted = await onServer(
      databaseUrl,
      'select (select count(*) from daily_totals) + (select count(*) from statement_totals) as rows',
    );
    const rows = Number((counted?.rows[0] as { rows: string } | undefined)?.rows);
    same = rows === before ? same + 1 : 0;
    before = rows;
    await setTimeout(POLL_MS);
  }
}

function insertTransfers(merchantId: string, from: number, to: number): string {
  const ofAccount = `((n - 1) / ${ACCOUNTS} + 1)`;
  return `insert into transfers (merchant_id, mode, transaction_id, id, kind, pending_id, debit_account_id,
            credit_account_id, amount_minor, currency, code, debit_sequence, credit_sequence, debit_balance_minor,
            credit_balance_minor, created_at)
    select '${merchantId}', 'SANDBOX', ${idOf(2, 'n')}, ${idOf(3, 'n')}, 'POSTED', null, ${FLOAT},
           ${idOf(1, `(n - 1) % ${ACCOUNTS}`)}, ${AMOUNT_MINOR}, 'NGN', 'SANDBOX_FUNDING', n, ${ofAccount},
           -${AMOUNT_MINOR} * n, ${AMOUNT_MINOR} * ${ofAccount}, timestamptz '2025-01-01' + n * interval '1 second'
      from generate_series(${from}::bigint, ${to}::bigint) as n`;
}

function insertAccounts(merchantId: string, perAccount: number): string {
  const all = perAccount * ACCOUNTS;
  const columns = `merchant_id, mode, id, kind, owner_id, currency, debits_posted_minor, credits_posted_minor,
    debits_pending_minor, credits_pending_minor, sequence, created_at`;
  return `insert into accounts (${columns})
    select '${merchantId}'::uuid, 'SANDBOX', ${FLOAT}, 'PROVIDER_FLOAT', ${FLOAT}, 'NGN', ${AMOUNT_MINOR}::bigint * ${all}, 0,
           0, 0, ${all}, timestamptz '2025-01-01'
    union all
    select '${merchantId}'::uuid, 'SANDBOX', ${idOf(1, 'k')}, 'STORE_WALLET', ${idOf(1, 'k')}, 'NGN', 0,
           ${AMOUNT_MINOR}::bigint * ${perAccount}, 0, 0, ${perAccount}, timestamptz '2025-01-01'
      from generate_series(0::bigint, ${ACCOUNTS - 1}::bigint) as k`;
}
