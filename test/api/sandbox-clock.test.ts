import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settlementAdvanceWrites } from '../../src/merchant-settlements/index.ts';
import { type Database, openDatabase, type Queries } from '../../src/platform/db/database.ts';
import { statement, type Write } from '../../src/platform/db/statement.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { advanceWrites } from '../../src/routes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const TOMORROW = '2026-11-21T12:00:00Z';
const MERCHANT = '0197a0e1-0000-7000-8000-000000000001';
const ANOTHER = '0197a0e1-0000-7000-8000-000000000002';
const OWN = `${MERCHANT} SANDBOX`;

/** For each table that waits for a time: what a row is by which its time moves. */
const WAITING: Record<string, Readonly<Record<string, unknown>>> = {
  payouts: { due_at: TOMORROW },
  sandbox_rail_transfers: { next_webhook_at: TOMORROW, scenario: 'slow' },
  sandbox_credits: { next_webhook_at: TOMORROW, scenario: 'slow' },
  sandbox_disputes: { due_at: TOMORROW },
  sandbox_refunds: { received_at: TOMORROW },
  batches: { due_at: TOMORROW, status: 'READY' },
  payment_sessions: { due_at: TOMORROW, status: 'OPEN' },
  disputes: { due_at: TOMORROW },
  reserves: { due_at: TOMORROW },
  approvals: { expires_at: TOMORROW, status: 'PENDING' },
  refunds: { due_at: TOMORROW },
  payments_to_refund: { due_at: TOMORROW },
  webhook_endpoints: { retry_at: TOMORROW },
  webhook_deliveries: { next_attempt_at: TOMORROW },
  merchant_settlement_schedules: { due_at: TOMORROW, cut_off: TOMORROW, ahead_seconds: 0 },
  merchant_settlements: { due_at: TOMORROW },
};

let holder: TestDatabase;
let database: Database;
beforeAll(async () => {
  holder = await createTestDatabase();
  const { connectionString } = holder;
  database = openDatabase({ connectionString, maxConnections: 1, logger: createLogger('silent') });
});
afterAll(async () => {
  await database.close();
  await holder.drop();
});

const tableOf = ({ into }: Write) => /^update (\w+)/.exec(into.text)?.[1] ?? into.text;

/** Rows of the same merchant in both modes and of another, alike but for that. */
async function fill(tx: Queries, table: string): Promise<void> {
  const owners = [MERCHANT, ANOTHER].flatMap((merchant_id) =>
    ['SANDBOX', 'LIVE'].map((mode) => ({ merchant_id, mode, ...WAITING[table] })),
  );
  // A table of this transaction alone hides the real one, with the same columns and without its constraints.
  await tx.query(statement('', `create temporary table ${table} on commit drop as table public.${table} with no data`));
  const rows = `jsonb_populate_recordset(null::pg_temp.${table}, $1)`;
  await tx.query(statement('', `insert into ${table} select * from ${rows}`), [JSON.stringify(owners)]);
}

const read = async (tx: Queries, table: string) => {
  const text = `select merchant_id || ' ' || mode as owner, to_jsonb(t)::text as row from ${table} t`;
  const found = await tx.query(statement<{ owner: string; row: string }>('', text));
  return new Map(found.map(({ owner, row }) => [owner, row]));
};

describe('time in a sandbox', () => {
  const tenant = { merchantId: MERCHANT, mode: 'SANDBOX' } as const;
  const writes = [...advanceWrites(tenant, 3_600, NOW), ...settlementAdvanceWrites(tenant, 3_600, NOW)];

  it('moves in every table that is listed here', () => {
    expect(writes.map(tableOf).toSorted()).toEqual(Object.keys(WAITING).toSorted());
  });

  it.each(writes.map((each) => [tableOf(each), each] as const))(
    'moves nothing of live, nor of another merchant, in %s',
    async (table, { into, row }) => {
      await database.transaction(async (tx) => {
        await fill(tx, table);
        const before = await read(tx, table);
        expect(before.size).toBe(4);
        await tx.run(into, [row]);
        const after = await read(tx, table);
        expect([...after].filter(([owner, now]) => now !== before.get(owner)).map(([owner]) => owner)).toEqual([OWN]);
      });
    },
  );
});
