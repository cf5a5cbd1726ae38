import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, inject, it } from 'vitest';
import { forbiddenShapes } from '../../scripts/check-statements/distributed.ts';
import { wholeReads } from '../../scripts/check-statements/plans.ts';

/** What `npm run check:statements` says of a file with these statements. */
async function checked(statements: string): Promise<{ status: number; out: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'manilla-statements-'));
  const file = join(directory, 'queries.ts');
  const factories = resolve('src/platform/db/statement.ts');
  writeFileSync(file, `import { setQuestion, statement } from '${factories}';\n${statements}`);
  const env = { ...process.env, TEST_DATABASE_URL: inject('testServer').connectionString };
  try {
    return await new Promise((settle) => {
      execFile(process.execPath, ['scripts/check-statements.ts', file], { env }, (error, stdout, stderr) => {
        settle({ status: error === null ? 0 : 1, out: stdout + stderr });
      });
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

it('the check of statements passes rows that are typed as the database returns them, fails for others, and says where', async () => {
  const { status, out } = await checked(`
    export const type = statement<{ item_count: string }>('type', 'select item_count from batches');
    export const time = statement<{ created_at: string | Date }>('time', 'select created_at from batches');
    export const unread = statement<{ id: string; name: string }>('unread', 'select id from stores');
    export const column = statement<{ reason: string }>('column', 'select reason from batches');
    export const outer = statement<{ wallet_id: string }>(
      'outer', 'select s.wallet_id from wallets w left join stores s on s.wallet_id = w.id');
    export const summed = statement<{ total: string }>('summed', 'select sum(amount_minor) as total from batches');
    export const inner = statement<{ reason: string }>(
      'inner', 'with b as (select reason from batches union all select name from stores) select reason from b');
    export const twice = statement<{ id: string }>('twice', 'select s.id, w.id from stores s join wallets w on w.id = s.wallet_id');
    export const asked = setQuestion<{ id: string }, { place: number }>(
      'asked', { id: 'uuid' }, 'select rows.place as place from :rows');
    export const gone = statement<{ id: string }>('gone', 'select id from shops');
    interface Batch { id: string; item_count: number; amount_minor: bigint | null; created_at: Date; holds_keys: boolean }
    export const all = statement<Batch>('all', 'select id, item_count, amount_minor, created_at, holds_keys from batches');
    export const proven = statement<{ amount_minor: bigint }>(
      'proven', 'select amount_minor from batches where amount_minor > $1');
    export const joined = statement<{ id: string; phone_number: string | null }>(
      'joined', 'select b.id, i.phone_number from batches b left join batch_items i on i.batch_id = b.id');
    export const counted = statement<{ n: bigint; total: string }>(
      'counted', 'select count(*) as n, coalesce(sum(amount_minor), 0) as total from batches');
    export const either = statement<{ id: string }>(
      'either', 'select coalesce(s.id, w.id) as id from stores s full join wallets w on w.id = s.wallet_id');
    export const made = statement<{ id: string }>('made', 'update stores set name = $1 where id = $2 returning id');
    export const placed = setQuestion<{ id: string }, { place: number }>(
      'placed', { id: 'uuid' }, 'select rows.place::int as place from :rows');`);
  for (const sentence of [
    'queries.ts:3:25 type: item_count is integer, hence number, and typed string',
    'time: created_at is timestamp with time zone, hence Date, and typed string | Date',
    'unread: name is not selected',
    'column: reason may be null and is typed as if it never were',
    'outer: wallet_id may be null and is typed as if it never were',
    'summed: total may be null and is typed as if it never were',
    'inner: reason may be null and is typed as if it never were',
    'twice: id is selected twice',
    'asked: place is bigint, hence bigint, and typed number',
    'gone: relation "shops" does not exist',
    // The others are right.
    '17 statements, 0 not compared, 10 wrong',
  ]) {
    expect(out).toContain(sentence);
  }
  expect(status).toBe(1);
});

it('a statement that reads a big table as a whole is a breach, and one that reads a small one or is the proof is none', () => {
  const scan = (table: string) => ['Sort', `  ->  Parallel Seq Scan on ${table} t`];
  expect(
    wholeReads([
      { name: 'list-some', plan: scan('payouts') },
      { name: 'list-banks', plan: scan('banks') },
      { name: 'verify-payouts', plan: scan('payouts') },
      { name: 'find-payout', plan: ['Index Scan using payouts_pk on payouts', '  Index Cond: (id = $1)'] },
    ]),
  ).toEqual(['list-some reads payouts as a whole: no index answers it']);
  expect(wholeReads([{ name: 'find-live-merchant', plan: ['Result'] }])).toEqual([
    'scripts/check-statements/plans.ts excuses find-live-merchant, which needs it no more',
  ]);
});

it.each([
  [
    'locks rows that it joins to values',
    'select from books b join unnest($1::uuid[]) as w (merchant_id) on b.merchant_id = w.merchant_id for update of b',
  ],
  [
    'writes one table from what it writes to another',
    `with moved as (update payouts set status = 'x' where merchant_id = $1 returning id)
     insert into events (id) select id from moved`,
  ],
  [
    'goes over merchants by recursion',
    'with recursive t as (select 1 from payouts union all select 1 from t) select from t',
  ],
  [
    'looks up a limited number of rows for each of many merchants',
    `select from unnest($1::uuid[]) as w (id)
      cross join lateral (select 1 from audit_seals s where s.merchant_id = w.id order by sequence limit 1) l`,
  ],
  [
    'moves a moment in a zone',
    `update payouts p set due_at = p.due_at - make_interval(secs => rows.s) from unnest($1::int[]) as rows (s)`,
  ],
  [
    'makes JSON of columns that it updates',
    `update payout_attempts a set digest = json_build_array(a.id, rows.at)::text from unnest($1::int[]) as rows (at)`,
  ],
  [
    'asks in an expression what JSON of a row holds',
    'select e.id from events e where (select sum(x.amount) from json_to_recordset(e.data::json) as x (amount int)) > 1',
  ],
  [
    'looks up by `exists` what a materialized common table expression found',
    `with d as materialized (select * from disputes where mode = $1)
     select from d join (select distinct merchant_id from d) w on w.merchant_id = d.merchant_id
      where exists (select from accounts a where a.merchant_id = w.merchant_id)`,
  ],
  [
    'looks up by `exists`, for values that stand alone in `from`, what several tables have',
    `select rows.place from unnest($1::uuid[], $2::int[]) as rows (id, place)
      where exists (select 1 from refunds r join payouts p on p.id = r.payout_id where r.payment_id = rows.id)`,
  ],
])('the check of statements finds, without Citus, what %s', (sentence, text) => {
  expect(forbiddenShapes([{ name: 'found', text }]).join()).toContain(sentence);
});

it('the check of statements lets those shapes be where they are of one merchant, or of tables of the installation', () => {
  const texts = [
    `select from books b join unnest($1::uuid[]) as w (merchant_id) on b.merchant_id = w.merchant_id
      where ($2::uuid[] is null or b.merchant_id = any($2::uuid[])) for update of b`,
    'with recursive t as (select 1 from payouts where merchant_id = $1 union all select 1 from t) select from t',
    'update settlement_lines l set digest = json_build_array(l.id)::text where id = $1',
  ];
  expect(forbiddenShapes(texts.map((text) => ({ name: 'let', text })))).toEqual([]);
});
