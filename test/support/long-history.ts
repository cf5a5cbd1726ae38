import pg from 'pg';

/** A pattern of transactions that repeats: so many debits of stores, then three payouts, the last of which failed. */
const PATTERN = 20;
const DEBITS = 17;
/** Transfers of the merchant's wallet in it: one a debit, a hold and its end a payout. */
const TRANSFERS = DEBITS + 2 * (PATTERN - DEBITS);
const CHUNK = 500_000;

interface History {
  merchantId: string;
  /** So many, rounded up to whole patterns. */
  transactions: number;
  /** The first and the last of them. */
  from: Date;
  to: Date;
  progress?: (text: string) => void;
}

/**
 * Gives a merchant a past: copies of its newest debit of a store and of its newest payout that was paid, at even distances
 * of time, with transactions and transfers, sequences and balances. Nothing else that a movement leaves behind is copied,
 * since no list of these reads it. What the merchant had before is dated before that.
 */
export async function fillHistory(connectionString: string, history: History): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const patterns = Math.ceil(history.transactions / PATTERN);
    const { merchantId, from, to, progress = () => undefined } = history;
    await dateBefore(client, merchantId, from);
    await client.query('set synchronous_commit = off');
    const stepMs = (to.getTime() - from.getTime()) / (patterns * PATTERN);
    const moment = `timestamptz '${from.toISOString()}' + floor(i * ${stepMs}) * interval '1 millisecond'`;
    const books = await basis(client, merchantId);
    const indexes = await dropIndexes(client);
    for (let at = 0; at < patterns * PATTERN; at += CHUNK) {
      const range = `generate_series(${at}::bigint, ${Math.min(at + CHUNK, patterns * PATTERN) - 1}::bigint) as i`;
      await client.query(copyTransactions(books.columns.transactions, merchantId, range, moment));
      await client.query(copyTransfers(books, merchantId, range, moment));
      progress(`filled in ${(at + CHUNK).toLocaleString('en-GB')} transactions`);
    }
    await settleAccounts(client, books, patterns);
    progress('building the indexes again');
    await client.query(`set maintenance_work_mem = '512MB'`);
    for (const sql of indexes) await client.query(sql);
    for (const table of ['transactions', 'transfers', 'accounts']) await client.query(`vacuum (analyze) ${table}`);
  } finally {
    await client.end();
  }
}

async function dateBefore(client: pg.Client, merchantId: string, from: Date): Promise<void> {
  const back = `created_at = '${new Date(from.getTime() - 1_000).toISOString()}'`;
  for (const table of ['transactions', 'transfers'])
    await client.query(`update ${table} set ${back} where merchant_id = $1`, [merchantId]);
  // What was added up of it is of other days.
  for (const table of ['daily_totals', 'merchant_daily_totals', 'daily_total_cursors', 'statement_totals'])
    await client.query(`delete from ${table} where merchant_id = $1`, [merchantId]);
}

interface Books {
  wallet: string;
  store: string;
  clearing: string;
  sequences: Record<'wallet' | 'store' | 'clearing', bigint>;
  balances: Record<'wallet' | 'store' | 'clearing', bigint>;
  columns: Record<'transactions' | 'transfers', string[]>;
}

/** The two that are copied: the newest debit of a store and the newest payout that was paid. */
const TEMPLATES = `(select distinct on (category) * from transactions
   where merchant_id = '%' and status = 'SUCCESS' and category in ('STORE_TO_MERCHANT', 'PAYOUT')
   order by category, id desc)`;

async function basis(client: pg.Client, merchantId: string): Promise<Books> {
  const { rows } = await client.query<{ code: string; debit_account_id: string; credit_account_id: string }>(
    `select code, debit_account_id, credit_account_id from transfers
      where merchant_id = $1 and code in ('STORE_DEBIT', 'PAYOUT') and kind in ('POSTED', 'POST') order by id`,
    [merchantId],
  );
  const debit = rows.findLast(({ code }) => code === 'STORE_DEBIT');
  const payout = rows.findLast(({ code }) => code === 'PAYOUT');
  if (debit === undefined || payout === undefined) throw new Error('The merchant has no debit and no payout to copy.');
  const of = { wallet: debit.credit_account_id, store: debit.debit_account_id, clearing: payout.credit_account_id };
  const accounts = await client.query<{ id: string; sequence: string; balance: string }>(
    'select id, sequence, credits_posted_minor - debits_posted_minor as balance from accounts where merchant_id = $1',
    [merchantId],
  );
  const found = (id: string, name: 'sequence' | 'balance') =>
    BigInt(accounts.rows.find((account) => account.id === id)?.[name] ?? 0);
  const each = (name: 'sequence' | 'balance') => ({
    wallet: found(of.wallet, name),
    store: found(of.store, name),
    clearing: found(of.clearing, name),
  });
  const columns = {
    transactions: await columnsOf(client, 'transactions'),
    transfers: await columnsOf(client, 'transfers'),
  };
  return { ...of, sequences: each('sequence'), balances: each('balance'), columns };
}

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ column_name: string }>(
    'select column_name from information_schema.columns where table_name = $1 order by ordinal_position',
    [table],
  );
  return rows.map(({ column_name }) => column_name);
}

/** Building an index over sorted rows is many times faster than growing it row by row. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select coalesce('alter table ' || c.conrelid::regclass || ' drop constraint ' || c.conname,
                     'drop index ' || i.indexrelid::regclass) as drop,
            coalesce('alter table ' || c.conrelid::regclass || ' add constraint ' || c.conname || ' '
                       || pg_get_constraintdef(c.oid), pg_get_indexdef(i.indexrelid)) as make
       from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'p'
      where i.indrelid in ('transactions'::regclass, 'transfers'::regclass) order by i.indexrelid`,
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make);
}

/** An id of that moment, as a UUIDv7 has it, that sorts by its number within it. */
const idOf = (moment: string, kind: number) =>
  `(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || '7${kind}00a' || lpad(to_hex(i), 15, '0'))::uuid`;

const NTH = `(i % ${PATTERN})`;
const GROUP = `(i / ${PATTERN})`;
/** How many debits, and how many payouts, went before this one. */
const DEBIT = `(${GROUP} * ${DEBITS} + ${NTH})`;
const PAYOUT = `(${GROUP} * ${PATTERN - DEBITS} + ${NTH} - ${DEBITS})`;
const IS_FAILED = `(${NTH} = ${PATTERN - 1})`;

function copyTransactions(columns: string[], merchantId: string, range: string, moment: string): string {
  const isPayout = `t.category = 'PAYOUT'`;
  const changed: Record<string, string> = {
    id: idOf(moment, 0),
    status: `case when ${isPayout} and ${IS_FAILED} then 'FAILED' else 'SUCCESS' end`,
    client_reference: `case when ${isPayout} then 'INV-' || i end`,
    beneficiary_account_number: `case when ${isPayout} then (1000000000 + i % 50000)::text else t.beneficiary_account_number end`,
    created_at: moment,
    updated_at: moment,
    paid_at: `case when not (${isPayout} and ${IS_FAILED}) then ${moment} end`,
  };
  return `insert into transactions (${columns.join(', ')})
    select ${columns.map((name) => changed[name] ?? `t.${name}`).join(', ')}
      from ${range} join ${TEMPLATES.replace('%', merchantId)} t
        on t.category = case when ${NTH} < ${DEBITS} then 'STORE_TO_MERCHANT' else 'PAYOUT' end`;
}

function copyTransfers({ columns, ...books }: Books, merchantId: string, range: string, moment: string): string {
  const { sequences, balances } = books;
  // Of the amounts of one pattern, the debits bring 100 each and the two payouts that were paid take 500 each.
  const before = `(${balances.wallet} + ${GROUP} * ${DEBITS * 100 - 1_000})`;
  const isDebit = `(${NTH} < ${DEBITS})`;
  const walletAfter = `case when ${isDebit} then ${before} + (${NTH} + 1) * 100
    else ${before} + ${DEBITS * 100} - 500 * (${NTH} - ${DEBITS} + case when step = 1 and not ${IS_FAILED} then 1 else 0 end) end`;
  const walletSequence = `${sequences.wallet} + ${GROUP} * ${TRANSFERS} +
    case when ${isDebit} then ${NTH} + 1 else ${DEBITS} + 2 * (${NTH} - ${DEBITS}) + step + 1 end`;
  const paidBefore = `(${GROUP} * 2 + ${NTH} - ${DEBITS})`;
  const values: Record<string, string> = {
    merchant_id: `'${merchantId}'::uuid`,
    mode: `'SANDBOX'`,
    transaction_id: idOf(moment, 0),
    id: `case when step = 0 then ${idOf(moment, 1)} else ${idOf(moment, 2)} end`,
    kind: `case when ${isDebit} then 'POSTED' when step = 0 then 'PENDING' when ${IS_FAILED} then 'VOID' else 'POST' end`,
    pending_id: `case when step = 1 then ${idOf(moment, 1)} end`,
    debit_account_id: `case when ${isDebit} then '${books.store}' else '${books.wallet}' end::uuid`,
    credit_account_id: `case when ${isDebit} then '${books.wallet}' else '${books.clearing}' end::uuid`,
    amount_minor: `case when ${isDebit} then 100 else 500 end`,
    currency: `'NGN'`,
    code: `case when ${isDebit} then 'STORE_DEBIT' else 'PAYOUT' end`,
    debit_sequence: `case when ${isDebit} then ${sequences.store} + ${DEBIT} + 1 else ${walletSequence} end`,
    credit_sequence: `case when ${isDebit} then ${walletSequence} else ${sequences.clearing} + ${PAYOUT} * 2 + step + 1 end`,
    debit_balance_minor: `case when ${isDebit} then ${balances.store} - (${DEBIT} + 1) * 100 else ${walletAfter} end`,
    credit_balance_minor: `case when ${isDebit} then ${walletAfter}
      else ${balances.clearing} + 500 * (${paidBefore} + case when step = 1 and not ${IS_FAILED} then 1 else 0 end) end`,
    created_at: moment,
  };
  return `insert into transfers (${columns.transfers.join(', ')})
    select ${columns.transfers.map((name) => values[name]).join(', ')}
      from ${range} cross join lateral generate_series(0, case when ${isDebit} then 0 else 1 end) as step`;
}

/** The store has had what it gave: its history began with as much. */
async function settleAccounts(client: pg.Client, { columns: _, ...books }: Books, patterns: number): Promise<void> {
  const debits = patterns * DEBITS;
  const payouts = patterns * (PATTERN - DEBITS);
  const paid = patterns * 2;
  const update = `update accounts set sequence = sequence + $2, debits_posted_minor = debits_posted_minor + $3,
    credits_posted_minor = credits_posted_minor + $4 where id = $1`;
  await client.query(update, [books.wallet, debits + 2 * payouts, paid * 500, debits * 100]);
  await client.query(update, [books.clearing, 2 * payouts, 0, paid * 500]);
  await client.query(update, [books.store, debits, debits * 100, debits * 100]);
}
