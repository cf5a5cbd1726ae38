import { type PayoutRecord, RECORD } from '../payouts/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { SETTLEMENT, type SettlementRow, type SettlementStatus } from './queries.ts';
import type { Schedule } from './schedule-queries.ts';

/** The state of a merchant's settlements in a mode, for the operator. */
export interface SettlementStateRow {
  merchant_id: string;
  mode: Mode;
  business_name: string;
  schedule: Schedule;
  due_at: Date | null;
  paused_reason: string | null;
  paused_since: Date | null;
  result: string | null;
  failed: number;
  processing: number;
  last_id: string | null;
  last_number: number | null;
  last_status: string | null;
  last_reason: string | null;
  last_amount_minor: bigint | null;
  last_created_at: Date | null;
}

export const STATE_FILTERS = ['ALL', 'PAUSED', 'FAILED'] as const;
export type StateFilter = (typeof STATE_FILTERS)[number];

const OF_STATE: Record<StateFilter, string> = {
  ALL: 'true',
  PAUSED: 'h.paused_reason is not null',
  FAILED: `exists (select from merchant_settlements f
                    where f.merchant_id = h.merchant_id and f.mode = h.mode and f.status = 'FAILED')`,
};

const BY_MERCHANT: ListOrder<SettlementStateRow> = {
  direction: 'desc',
  keys: [
    { sql: 'h.merchant_id', type: 'uuid', of: ({ merchant_id }) => merchant_id },
    { sql: 'h.mode', type: 'text', of: ({ mode }) => mode },
  ],
};

/** Columns that are shown of each row, looked up for the rows of a page alone. */
const SHOWN = `join merchants m on m.id = h.merchant_id
     left join lateral (
       select schedule from merchant_settlement_settings where merchant_id = h.merchant_id and mode = h.mode
        order by version desc limit 1
     ) v on true
     left join lateral (
       select id, number, status, reason, amount_minor, created_at from merchant_settlements
        where merchant_id = h.merchant_id and mode = h.mode order by number desc limit 1
     ) l on true
     left join lateral (
       select count(*) filter (where status = 'FAILED')::int as failed,
              count(*) filter (where status = 'PROCESSING')::int as processing
         from merchant_settlements where merchant_id = h.merchant_id and mode = h.mode
     ) c on true`;

/** The same for every merchant and mode: each shard looks up its own rows, since none knows the page. */
const ofEachShard = (tail: string): string =>
  `(select h.* from merchant_settlement_schedules b
     cross join lateral (
       select * from merchant_settlement_schedules h
        where h.merchant_id = b.merchant_id and h.mode = b.mode and ${tail.replace(/^where /, '')}
     ) h) h`;

/** Merchants with settlements, those who joined last first. */
export function stateList({ mode, state }: { mode: Mode; state: StateFilter }): List<SettlementStateRow> {
  return {
    name: 'merchant-settlement-states',
    of: [mode, state],
    order: BY_MERCHANT,
    columns: `h.merchant_id, h.mode, m.business_name, coalesce(v.schedule, 'OFF') as schedule, h.due_at, h.paused_reason,
     h.paused_since, h.result, coalesce(c.failed, 0) as failed, coalesce(c.processing, 0) as processing, l.id as last_id,
     l.number as last_number, l.status as last_status, l.reason as last_reason, l.amount_minor as last_amount_minor,
     l.created_at as last_created_at`,
    from: (tail) => `(select * from merchant_settlement_schedules h ${tail}) h ${SHOWN}`,
    whereDistributed: (tail) => `${ofEachShard(tail)} ${SHOWN}`,
    countFrom: 'merchant_settlement_schedules h',
    where: ['h.mode = $1', OF_STATE[state]],
    values: [mode],
  };
}

/** Payouts of settlements, by their ids. */
export const listPayoutsOfSettlements = statement<PayoutRecord>(
  'list-payouts-of-merchant-settlements',
  `select ${RECORD}
     from unnest($3::uuid[]) as wanted (id)
    cross join lateral (select * from payouts where merchant_id = $1 and mode = $2 and id = wanted.id offset 0) p
    cross join lateral (select * from transactions where merchant_id = $1 and mode = $2 and id = wanted.id offset 0) t`,
);

const NEWEST: ListOrder<SettlementRow> = {
  direction: 'desc',
  keys: [{ sql: 's.number', type: 'integer', of: ({ number }) => number }],
};

export interface SettlementFilter {
  statuses: readonly SettlementStatus[] | undefined;
  walletId: string | undefined;
}

/** A merchant's settlements, the newest first. */
export function settlementList(
  { merchantId, mode }: Tenant,
  { statuses, walletId }: SettlementFilter,
): List<SettlementRow> {
  const values: unknown[] = [merchantId, mode];
  const where = ['s.merchant_id = $1', 's.mode = $2'];
  if (walletId !== undefined) where.push(`s.wallet_id = $${values.push(walletId)}`);
  if (statuses !== undefined) where.push(`s.status = any ($${values.push(statuses)}::text[])`);
  return {
    name: 'merchant-settlements',
    of: [merchantId, mode, statuses, walletId],
    order: NEWEST,
    columns: SETTLEMENT('s'),
    from: 'merchant_settlements s',
    where,
    values,
  };
}
