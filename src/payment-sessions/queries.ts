import type { InboundPaymentRow } from '../collections/index.ts';
import type { Currency } from '../money/index.ts';
import {
  among,
  movedBack,
  ofDueTenants,
  type Statement,
  setInsert,
  setStatement,
  statement,
} from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { SessionStatus } from './session-state.ts';

/** `EXACT`: this amount. `AT_LEAST`: this or more. `ANY`: whatever comes first. */
export type AmountRule = 'EXACT' | 'AT_LEAST' | 'ANY';

/** Who pays the operator's fee. With `CUSTOMER` it is added to the amount. */
export type FeeBearer = 'MERCHANT' | 'CUSTOMER';

/** `PUBLIC_KEY`: from a browser. `LINK`: by a payer, under a payment link. */
export const OPENED_BY = ['SECRET_KEY', 'PUBLIC_KEY', 'PERSON', 'LINK'] as const;

export type OpenedBy = (typeof OPENED_BY)[number];

/** What is odd about a payment. */
export type PaymentNote = 'SHORT' | 'OVERPAID' | 'LATE' | 'SECOND_PAYMENT';

export interface SessionRow {
  merchant_id: string;
  mode: Mode;
  /** Without its hyphens it is our reference at the provider. */
  id: string;
  reference: string;
  content_hash: string;
  status: SessionStatus;
  reason: string | null;
  message: string | null;
  /** Counts from 1. Every change takes the next one. */
  version: number;
  amount_minor: bigint;
  /** The amount to pay, whether it can be paid now or not. */
  payable_minor: bigint;
  received_minor: bigint;
  currency: Currency;
  amount_rule: AmountRule;
  fee_bearer: FeeBearer;
  /** The fee on top of the amount. Zero where the merchant pays it. */
  fee_minor: bigint;
  vat_minor: bigint;
  wallet_id: string;
  rail: string;
  opens: 'ACCOUNT' | 'PAGE';
  channels: string;
  page_channels: string;
  customer_name: string;
  customer_email: string;
  customer_phone: string | null;
  description: string | null;
  /** JSON as text. */
  metadata: string | null;
  return_url: string | null;
  cancel_url: string | null;
  opened_by: OpenedBy;
  origin: string | null;
  provider_reference: string | null;
  ussd_code: string | null;
  page_url: string | null;
  attempts: number;
  due_at: Date | null;
  checked_at: Date | null;
  opened_at: Date | null;
  paid_at: Date | null;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
  link_id: string | null;
  customer_id: string | null;
}

export const insertPaymentSessions = setInsert<SessionRow>('payment_sessions', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  reference: 'text',
  content_hash: 'text',
  status: 'text',
  reason: 'text',
  message: 'text',
  version: 'integer',
  amount_minor: 'bigint',
  payable_minor: 'bigint',
  received_minor: 'bigint',
  currency: 'text',
  amount_rule: 'text',
  fee_bearer: 'text',
  fee_minor: 'bigint',
  vat_minor: 'bigint',
  wallet_id: 'uuid',
  rail: 'text',
  opens: 'text',
  channels: 'text',
  page_channels: 'text',
  customer_name: 'text',
  customer_email: 'text',
  customer_phone: 'text',
  description: 'text',
  metadata: 'json',
  return_url: 'text',
  cancel_url: 'text',
  opened_by: 'text',
  origin: 'text',
  provider_reference: 'text',
  ussd_code: 'text',
  page_url: 'text',
  attempts: 'integer',
  due_at: 'timestamptz',
  checked_at: 'timestamptz',
  opened_at: 'timestamptz',
  paid_at: 'timestamptz',
  expires_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  link_id: 'uuid',
  customer_id: 'uuid',
});

/** The columns that a change writes, apart from the state, which the transition writes. */
export type SessionChangeRow = Pick<
  SessionRow,
  | 'merchant_id'
  | 'mode'
  | 'id'
  | 'message'
  | 'version'
  | 'payable_minor'
  | 'received_minor'
  | 'provider_reference'
  | 'ussd_code'
  | 'page_url'
  | 'opened_at'
  | 'paid_at'
  | 'expires_at'
  | 'updated_at'
> & { is_conclusive: boolean };

/**
 * The version that the change took decides whether it may. Two things change without a version. A worker leases by
 * `due_at`: while the session is being opened it stays as the row has it. The sandbox's clock moves `expires_at`: where it
 * does so between the read and this write it is overwritten, so that the row and the event of this version agree.
 */
export const updatePaymentSessions = setStatement<SessionChangeRow>(
  'update-payment-sessions',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    message: 'text',
    version: 'integer',
    payable_minor: 'bigint',
    received_minor: 'bigint',
    provider_reference: 'text',
    ussd_code: 'text',
    page_url: 'text',
    opened_at: 'timestamptz',
    paid_at: 'timestamptz',
    expires_at: 'timestamptz',
    updated_at: 'timestamptz',
    is_conclusive: 'boolean',
  },
  `update payment_sessions s
      set message = rows.message, version = rows.version, payable_minor = rows.payable_minor,
          received_minor = rows.received_minor, provider_reference = rows.provider_reference,
          ussd_code = rows.ussd_code, page_url = rows.page_url, opened_at = rows.opened_at, paid_at = rows.paid_at,
          expires_at = rows.expires_at, updated_at = rows.updated_at,
          due_at = case when rows.is_conclusive then null
                        when rows.opened_at is null then s.due_at
                        else rows.expires_at end
     from :rows
    where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.id = rows.id
      and s.version = rows.version - 1`,
);

export interface SessionAccountRow {
  merchant_id: string;
  mode: Mode;
  session_id: string;
  account_number: string;
  bank_code: string | null;
  bank_name: string;
  account_name: string;
  opened_at: Date;
}

export const insertSessionAccounts = setInsert<SessionAccountRow>('payment_session_accounts', {
  merchant_id: 'uuid',
  mode: 'text',
  session_id: 'uuid',
  account_number: 'text',
  bank_code: 'text',
  bank_name: 'text',
  account_name: 'text',
  opened_at: 'timestamptz',
});

export interface SessionPaymentRow {
  merchant_id: string;
  mode: Mode;
  session_id: string;
  payment_id: string;
  version: number;
  amount_minor: bigint;
  note: PaymentNote | null;
  received_at: Date;
}

/** A payment of a session with the state of the payment itself: money that is held may go back. */
export type ShownSessionPayment = SessionPaymentRow & Pick<InboundPaymentRow, 'status'>;

export const insertSessionPayments = setInsert<SessionPaymentRow>('payment_session_payments', {
  merchant_id: 'uuid',
  mode: 'text',
  session_id: 'uuid',
  payment_id: 'uuid',
  version: 'integer',
  amount_minor: 'bigint',
  note: 'text',
  received_at: 'timestamptz',
});

export const findPaymentSession = statement<SessionRow>(
  'find-payment-session',
  'select * from payment_sessions where merchant_id = $1 and mode = $2 and id = $3',
);

/** Which of these ids are payment sessions. $1 merchants, $2 modes, $3 ids. */
export const listSessionsAmong = statement<Pick<SessionRow, 'merchant_id' | 'mode' | 'id'>>(
  'list-payment-sessions-among',
  `select s.merchant_id, s.mode, s.id
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as wanted (merchant_id, mode, id)
     join payment_sessions s on s.merchant_id = wanted.merchant_id and s.mode = wanted.mode and s.id = wanted.id
    where ${among('s.merchant_id', 4)}`,
);

export const findSessionAccounts = statement<SessionAccountRow>(
  'find-payment-session-accounts',
  `select * from payment_session_accounts
    where merchant_id = $1 and mode = $2 and session_id = $3
    order by account_number`,
);

/** Reads the accounts of each session by its key. A single range would read all accounts of the merchant. */
export const listSessionAccounts = statement<SessionAccountRow>(
  'list-payment-session-accounts',
  `select a.*
     from unnest($3::uuid[]) as wanted (session_id)
    cross join lateral (select * from payment_session_accounts
                         where merchant_id = $1 and mode = $2 and session_id = wanted.session_id offset 0) a
    order by a.session_id, a.account_number`,
);

/** The first hundred payments, in the order in which they came. */
export const listSessionPayments = statement<ShownSessionPayment>(
  'list-payment-session-payments',
  `select s.*, p.status
     from payment_session_payments s
     join inbound_payments p on p.merchant_id = s.merchant_id and p.mode = s.mode and p.id = s.payment_id
    where s.merchant_id = $1 and s.mode = $2 and s.session_id = $3
    order by s.version limit 100`,
);

/**
 * What is due of a mode by $2, but for the ids $3: at most $4 of a merchant, the first of each first, and $5 of all. It hops
 * from merchant to merchant through the index of what may become due, so that a merchant with many costs as much as one
 * with a few, and delays no other.
 */
const dueSessions = (name: string, condition: string) =>
  ofDueTenants<SessionRow>(
    name,
    { table: 'payment_sessions', condition, now: '$2' },
    `select s.*
     from (select due.merchant_id, due.mode, due.id, due.due_at, due.place
             from tenants
            cross join lateral (
              select o.merchant_id, o.mode, o.id, o.due_at, row_number() over (order by o.due_at) as place
                from payment_sessions o
               where o.merchant_id = tenants.merchant_id and o.mode = tenants.mode and ${condition}
                 and o.due_at <= $2 and o.id <> all ($3::uuid[])
               order by o.due_at limit $4
            ) due
            where tenants.mode = $1
            order by due.place, due.due_at limit $5) due
     join payment_sessions s on s.merchant_id = due.merchant_id and s.mode = due.mode and s.id = due.id
    order by due.place, due.due_at`,
  );

const OPENING = `status = 'OPENING'`;
const PAYABLE = `status in ('OPEN', 'PARTIALLY_PAID')`;
const queueOf = (list: Statement<SessionRow>, condition: string) =>
  queue(list, 'payment_sessions', `${condition} and due_at <= $1`);

/** Sessions to ask a provider for. */
export const listDueOpenings = dueSessions('list-due-payment-session-openings', OPENING);
export const DUE_OPENINGS = queueOf(listDueOpenings, OPENING);

/** Open sessions whose time is over. */
export const listDueExpiries = dueSessions('list-due-payment-session-expiries', PAYABLE);
export const DUE_EXPIRIES = queueOf(listDueExpiries, PAYABLE);

/**
 * Of two workers one gets the session: the other finds it due at another time. $6 now: where Citus distributes the database
 * what is listed as due is read a moment later, and $4 may be the lease of another by then.
 */
export const leasePaymentSession = statement<SessionRow>(
  'lease-payment-session',
  `update payment_sessions set due_at = $5, attempts = attempts + 1
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 and due_at <= $6 and status = 'OPENING' returning *`,
);

/** Changes the session only while this worker has it. A session that was opened or ended meanwhile stays so. */
export const updateSessionWaiting = statement(
  'update-payment-session-waiting',
  `update payment_sessions set due_at = $5
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 and status = 'OPENING'`,
);

/**
 * Of callers at the same time one gets a row, and may ask the provider. A check by a clock that was ahead no longer
 * counts.
 */
export const updateSessionChecked = statement<{ id: string }>(
  'update-payment-session-checked',
  `update payment_sessions set checked_at = $4
    where merchant_id = $1 and mode = $2 and id = $3
      and (checked_at is null or checked_at <= $5 or checked_at > $4::timestamptz + interval '1 minute')
   returning id`,
);

/** Makes open sessions of a sandbox expire this much earlier. */
export const updateSessionsAdvanced = setStatement<{ merchant_id: string; mode: Mode; seconds: number }>(
  'update-payment-sessions-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update payment_sessions s
      set expires_at = ${movedBack('s.expires_at', 'advance.seconds', 's.created_at')},
          due_at = ${movedBack('s.due_at', 'advance.seconds', 's.created_at')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where s.merchant_id = advance.merchant_id and s.mode = advance.mode
      and s.status in ('OPENING', 'OPEN', 'PARTIALLY_PAID')`,
);

const NEWEST: ListOrder<SessionRow> = {
  direction: 'desc',
  keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }],
};

export interface SessionFilter {
  status?: SessionStatus | undefined;
  openedBy?: OpenedBy | undefined;
  sessionId?: string | undefined;
  walletId?: string | undefined;
  linkId?: string | undefined;
  customerId?: string | undefined;
}

/** A merchant's sessions, newest first: their ids sort by time. */
export function sessionList({ merchantId, mode }: Tenant, filter: SessionFilter): List<SessionRow> {
  const { status, openedBy, sessionId, walletId, linkId, customerId } = filter;
  const values: unknown[] = [merchantId, mode];
  const where = ['merchant_id = $1', 'mode = $2'];
  if (status !== undefined) where.push(`status = '${status}'`);
  if (openedBy !== undefined) where.push(`opened_by = '${openedBy}'`);
  if (sessionId !== undefined) where.push(`id = $${values.push(sessionId)}`);
  if (walletId !== undefined) where.push(`wallet_id = $${values.push(walletId)}`);
  if (linkId !== undefined) where.push(`link_id = $${values.push(linkId)}`);
  if (customerId !== undefined) where.push(`customer_id = $${values.push(customerId)}`);
  return {
    name: 'payment sessions',
    of: [merchantId, mode, { status, openedBy, sessionId, walletId, linkId, customerId }],
    order: NEWEST,
    columns: '*',
    from: 'payment_sessions',
    where,
    values,
  };
}
