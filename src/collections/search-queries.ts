import { type Asked, composed, statement } from '../platform/db/statement.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import type { InboundPaymentRow, InboundStatus } from './queries.ts';

/** A payment as an operator's list shows it. */
export type FoundCreditRow = InboundPaymentRow;

export interface CreditSearch {
  paymentId?: string | undefined;
  /** The id that the provider gave the transfer. */
  providerTransactionId?: string | undefined;
  sessionId?: string | undefined;
  /** To which it was paid. */
  accountNumber?: string | undefined;
  merchantId?: string | undefined;
  mode?: Mode | undefined;
  status?: InboundStatus | undefined;
  rail?: string | undefined;
  amountMinor?: bigint | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** True of every payment. Only who names it may use the index of all, newest first. */
const OF_ALL = `d.payment_id > '00000000-0000-0000-0000-000000000000'`;
const OF_PAYMENTS = 'd.payment_id is not null';
/** What providers gave is unique for each of their accounts, so all of them are asked for. */
const ANY_RAIL = `d.rail = any(array(select name from rail_accounts) || 'sandbox'::text)`;

interface Conditions {
  /** Of the index that the search goes by. */
  driving: string[];
  /** Over the rows that this index finds, written so that no other index is taken for them. */
  filters: string[];
  values: unknown[];
  /** Values that `driving` has. */
  drivingValues: number;
}

/** The first that is given of these decides the index: each finds fewer than those after it. */
function conditionsOf(search: CreditSearch): Conditions {
  const { mode, status, rail, amountMinor, from, to } = search;
  const given: [column: string, type: string, value: unknown, besides: string][] = [
    ['d.payment_id', 'uuid', search.paymentId, OF_ALL],
    ['d.provider_transaction_id', 'text', search.providerTransactionId, `${ANY_RAIL} and ${OF_PAYMENTS}`],
    ['d.session_id', 'text', search.sessionId, `${ANY_RAIL} and ${OF_PAYMENTS}`],
    ['d.account_number', 'text', search.accountNumber, OF_PAYMENTS],
    ['d.merchant_id', 'uuid', search.merchantId, OF_PAYMENTS],
  ];
  const driver = given.find(([, , value]) => value !== undefined);
  const values: unknown[] = [];
  const place = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const driving = driver === undefined ? [OF_ALL] : [`${driver[0]} = ${place(driver[2], driver[1])}`, driver[3]];
  if (from !== undefined) driving.push(`d.payment_id >= ${place(firstIdOf(from), 'uuid')}`);
  if (to !== undefined) driving.push(`d.payment_id < ${place(firstIdOf(to), 'uuid')}`);
  const drivingValues = values.length;
  const others: (readonly [string, string, unknown, ...unknown[]])[] = [
    ...given,
    ['d.mode', 'text', mode],
    ['d.rail', 'text', rail],
    ['p.status', 'text', status],
    ['p.amount_minor', 'bigint', amountMinor],
  ];
  const filters = others
    .filter(([column, , value]) => value !== undefined && column !== driver?.[0])
    .map(([column, type, value]) => `${column} is not distinct from ${place(value, type)}`);
  return { driving, filters, values, drivingValues };
}

const NEWEST: ListOrder<FoundCreditRow> = {
  direction: 'desc',
  keys: [{ sql: 'd.payment_id', type: 'uuid', of: ({ id }) => id }],
};

/**
 * Payments in of all merchants, newest first; what was noted and is not in the books yet is none.
 * @param since how far back a search looks whose filters no index has
 */
export function foundCreditList(search: CreditSearch, since: Date | undefined): List<FoundCreditRow> {
  const { driving, filters, values } = conditionsOf(search);
  const bound = since === undefined ? [] : [`d.payment_id >= $${values.push(firstIdOf(since))}::uuid`];
  return {
    name: 'payments-in-of-all-merchants',
    of: [search],
    order: NEWEST,
    since,
    columns: 'p.*',
    // Each by its key: it never decides in which order payments are read.
    from: `credit_directory d
     join lateral (
       select * from inbound_payments p
        where p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.payment_id offset 0
     ) p on true`,
    where: [...driving, ...bound, ...filters],
    values,
  };
}

/** The payment that is so many rows behind the newest, by the index of the search; undefined where the search has no filter. */
export function depthOfCredits(search: CreditSearch, rows: number): Asked<{ payment_id: string }> | undefined {
  const { driving, filters, values, drivingValues } = conditionsOf(search);
  if (filters.length === 0) return undefined;
  const text = `select d.payment_id from credit_directory d
    where ${driving.join(' and ')} order by d.payment_id desc offset $${drivingValues + 1} limit 1`;
  return composed('find-depth-of-credits', text, [...values.slice(0, drivingValues), rows]);
}

export const findCreditOwner = statement<{ merchant_id: string; mode: Mode }>(
  'find-owner-of-credit',
  `select d.merchant_id, d.mode from credit_directory d
    where d.payment_id = $1 and ${OF_ALL} and d.merchant_id is not null`,
);
