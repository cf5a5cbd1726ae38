import { stateMachine, usedOfLimit } from '../ledger/index.ts';
import type { Currency } from '../money/index.ts';
import { digestOf } from '../platform/db/digest.ts';
import { setInsert, setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import { pageOfTable } from '../platform/lists/queries.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { PAYMENT_CHANNELS, type PaymentChannel } from '../rails/index.ts';
import type { TimeOrder } from '../transactions/index.ts';

/**
 * `PENDING_SETTLEMENT`: it is the merchant's, and in no wallet before the provider has settled it. `SUSPENSE`: it is in
 * the merchant's suspense account until two people decide. `RETURNED`: to its payer. `KEPT`: by the operator.
 */
export type InboundStatus = 'CREDITED' | 'PENDING_SETTLEMENT' | 'SUSPENSE' | 'RETURNED' | 'KEPT';

/** The states of a payment in: money does not leave a wallet again by itself. */
export const inboundStates = stateMachine<InboundStatus>('inbound_payment', 'inbound_payments', {
  SUSPENSE: ['CREDITED', 'PENDING_SETTLEMENT', 'RETURNED', 'KEPT'],
  PENDING_SETTLEMENT: ['CREDITED', 'RETURNED'],
  CREDITED: [],
  RETURNED: [],
  KEPT: [],
});

export const isConclusive = (status: InboundStatus): boolean =>
  status !== 'PENDING_SETTLEMENT' && status !== 'SUSPENSE';

export interface InboundPaymentRow {
  merchant_id: string;
  mode: Mode;
  /** Also the id of the transaction, once it is in a wallet. */
  id: string;
  wallet_id: string;
  virtual_account_id: string | null;
  rail: string;
  provider_transaction_id: string;
  provider_reference: string | null;
  session_id: string | null;
  account_number: string;
  amount_minor: bigint;
  provider_fee_minor: bigint | null;
  /** What the operator took of it, and the VAT on that; zero while it is in no wallet. */
  fee_minor: bigint;
  vat_minor: bigint;
  currency: Currency;
  status: InboundStatus;
  reason: string | null;
  receivable_id: string;
  /** The wallet to which two people attributed it out of suspense. */
  attributed_wallet_id: string | null;
  payer_name: string | null;
  payer_account_number: string | null;
  payer_bank_name: string | null;
  narration: string | null;
  paid_at: Date | null;
  confirmed_at: Date;
  updated_at: Date;
  /** The customer whose account number it was paid to, or whom the payment session names. */
  customer_id: string | null;
  /** How it was paid; null where the provider does not say. */
  channel: PaymentChannel | null;
  /** What of it was kept in reserve; zero while it is in no wallet. */
  reserve_minor: bigint;
}

export const insertInboundPayments = setInsert<InboundPaymentRow>('inbound_payments', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  wallet_id: 'uuid',
  virtual_account_id: 'uuid',
  rail: 'text',
  provider_transaction_id: 'text',
  provider_reference: 'text',
  session_id: 'text',
  account_number: 'text',
  amount_minor: 'bigint',
  provider_fee_minor: 'bigint',
  fee_minor: 'bigint',
  vat_minor: 'bigint',
  currency: 'text',
  status: 'text',
  reason: 'text',
  receivable_id: 'uuid',
  attributed_wallet_id: 'uuid',
  payer_name: 'text',
  payer_account_number: 'text',
  payer_bank_name: 'text',
  narration: 'text',
  paid_at: 'timestamptz',
  confirmed_at: 'timestamptz',
  updated_at: 'timestamptz',
  customer_id: 'uuid',
  channel: 'text',
  reserve_minor: 'bigint',
});

/** Why the provider was asked. */
export type CreditSource = 'WEBHOOK' | 'POLL' | 'CHECK';

interface EvidenceRow {
  merchant_id: string;
  mode: Mode;
  payment_id: string;
  id: string;
  source: CreditSource;
  outcome: string;
  code: string | null;
  reported: string;
  received_at: Date;
}

/** The digest of a row `e` of the evidence: a SHA-256 in hex. */
export const evidenceDigest = (e: string) =>
  `encode(sha256(convert_to(json_build_array(${e}.merchant_id, ${e}.mode, ${e}.payment_id, ${e}.id, ${e}.source, ${e}.outcome,
  ${e}.code, ${e}.reported, extract(epoch from ${e}.received_at))::text, 'UTF8')), 'hex')`;

type SealedEvidence = EvidenceRow & { digest: string };

/** Adds the digest, computed as `evidenceDigest` does in SQL. */
export function sealEvidence(evidence: EvidenceRow): SealedEvidence {
  const { merchant_id, mode, payment_id, id, source, outcome, code, reported, received_at } = evidence;
  const sealed = [merchant_id, mode, payment_id, id, source, outcome, code, reported, received_at];
  return { ...evidence, digest: digestOf(sealed) };
}

export const insertInboundEvidence = setInsert<SealedEvidence>('inbound_evidence', {
  merchant_id: 'uuid',
  mode: 'text',
  payment_id: 'uuid',
  id: 'uuid',
  source: 'text',
  outcome: 'text',
  code: 'text',
  reported: 'json',
  received_at: 'timestamptz',
  digest: 'text',
});

/**
 * Writes the wallet of a payment, what the operator takes of it and what is kept in reserve; the movement's transition
 * changes the state.
 */
export const updatePaymentsAttributed = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  wallet_id: string | null;
  fee_minor: bigint;
  vat_minor: bigint;
  reserve_minor: bigint;
}>(
  'update-inbound-payments-attributed',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    wallet_id: 'uuid',
    fee_minor: 'bigint',
    vat_minor: 'bigint',
    reserve_minor: 'bigint',
  },
  `update inbound_payments p
      set attributed_wallet_id = rows.wallet_id, fee_minor = rows.fee_minor, vat_minor = rows.vat_minor,
          reserve_minor = rows.reserve_minor
     from :rows
    where p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.id`,
);

export const findInboundPayment = statement<InboundPaymentRow>(
  'find-inbound-payment',
  'select * from inbound_payments where merchant_id = $1 and mode = $2 and id = $3',
);

export const listInboundEvidence = statement<SealedEvidence>(
  'list-inbound-evidence',
  `select * from inbound_evidence where merchant_id = $1 and mode = $2 and payment_id = $3 order by id limit 50`,
);

/** A payment as it was when it was decided about. */
export interface PaymentState {
  merchant_id: string;
  mode: Mode;
  payment_id: string;
  status: string;
  is_settled: boolean;
}

/** Of these payments, those that have changed since. */
export const findChangedPayments = setQuestion<PaymentState, { place: number }>(
  'find-changed-inbound-payments',
  { merchant_id: 'uuid', mode: 'text', payment_id: 'uuid', status: 'text', is_settled: 'boolean' },
  `select rows.place::int as place
     from :rows
     left join inbound_payments p
       on p.merchant_id = rows.merchant_id and p.mode = rows.mode and p.id = rows.payment_id
     left join collection_settlements s
       on s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.payment_id = rows.payment_id
    where p.status is distinct from rows.status or (s.payment_id is not null) <> rows.is_settled`,
);

/** What the provider settled of a payment; no row: nothing yet. */
export const findCollectionSettlement = statement<{ id: string }>(
  'find-collection-settlement',
  'select id from collection_settlements where merchant_id = $1 and mode = $2 and payment_id = $3',
);

/** The payments of a merchant that wait for their settlement. */
export const sumPendingPayments = statement<{ payments: number; amount_minor: bigint }>(
  'sum-pending-payments',
  `select count(*)::int as payments, coalesce(sum(amount_minor), 0)::bigint as amount_minor
     from inbound_payments
    where merchant_id = $1 and mode = $2 and status = 'PENDING_SETTLEMENT'`,
);

const NEWEST: ListOrder<InboundPaymentRow> = {
  direction: 'desc',
  keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }],
};

/** Where a payment came to: an account number, or a page of the provider, where it has our reference in its place. */
const PLACES = ['ACCOUNT', 'PAGE'] as const;

/** How a payment came: how it was paid as its provider says, or where. */
export const INBOUND_CHANNELS = [...PAYMENT_CHANNELS, ...PLACES] as const;

/** All given conditions must hold. */
export interface InboundFilter {
  /** One of these. */
  statuses?: readonly InboundStatus[] | undefined;
  walletId?: string | undefined;
  customerId?: string | undefined;
  /** When it was confirmed. */
  from?: Date | undefined;
  to?: Date | undefined;
  /** Minor units, inclusive. */
  amountFromMinor?: bigint | undefined;
  amountToMinor?: bigint | undefined;
  channel?: (typeof INBOUND_CHANNELS)[number] | undefined;
  /** A part of the payer's name or account number. */
  payer?: string | undefined;
  order?: TimeOrder | undefined;
}

/** Whether no index answers a part of the filter, so that the rows of a period are looked through. */
export function looksThrough({ amountFromMinor, amountToMinor, channel, payer }: InboundFilter): boolean {
  return [amountFromMinor, amountToMinor, channel, payer].some((one) => one !== undefined);
}

/**
 * An id is made when its payment is noted, which is confirmed within moments, or after a failure within the days in
 * which a provider is asked again. So the ids of a period are a range of the key, made wider by this.
 */
const NOTED_BEFORE_MS = 35 * 24 * 60 * 60 * 1000;
/** How far the clocks of two processes may differ. */
const CLOCKS_APART_MS = 60 * 60 * 1000;
const later = (at: Date, milliseconds: number) => new Date(at.getTime() + milliseconds);

/**
 * A merchant's payments in, newest first unless requested otherwise: their ids sort by time.
 * @param since where a filter begins in time where the request named no beginning
 */
export function inboundList(
  { merchantId, mode }: Tenant,
  filter: InboundFilter,
  since?: Date | undefined,
): List<InboundPaymentRow> {
  const values: unknown[] = [merchantId, mode];
  const place = (value: unknown) => `$${values.push(value)}`;
  const { order: wanted, ...asked } = filter;
  const where = ['merchant_id = $1', 'mode = $2', ...conditionsOf({ ...asked, from: asked.from ?? since }, place)];
  const statuses = asked.statuses ?? [];
  const hasIndex = (asked.walletId ?? asked.customerId) !== undefined;
  // Each state has an index of its own, and one plan for several would read the rows of every other as well.
  const parts = statuses.length > 1 && !hasIndex ? statuses : [];
  if (parts.length === 0 && statuses.length > 0) where.push(conditionOf(statuses));
  const eachPart = (tail: string) =>
    parts
      .map((status) => `(select * from inbound_payments where status = '${status}' ${tail.replace(/^where /, 'and ')})`)
      .join(' union all ');
  return {
    name: 'inbound payments',
    of: [merchantId, mode, asked, ...(wanted === 'OLDEST' ? [wanted] : [])],
    order: wanted === 'OLDEST' ? { ...NEWEST, direction: 'asc' } : NEWEST,
    since,
    columns: '*',
    from: parts.length === 0 ? 'inbound_payments' : (tail) => `(${eachPart(tail)}) inbound_payments`,
    ...(parts.length === 0 && {
      fromPage: (page) => `(${pageOfTable('inbound_payments', page)}) inbound_payments`,
    }),
    where,
    values,
    isFleeting: parts.length > 0 || looksThrough(filter),
  };
}

/** States are our own words, so they may stand in the text, where the planner sees them. */
function conditionOf(statuses: readonly InboundStatus[]): string {
  const [only, ...more] = statuses.map((status) => `'${status}'`);
  return more.length === 0 ? `status = ${only}` : `status in (${[only, ...more].join(', ')})`;
}

/** As for states. */
function conditionOfChannel(channel: (typeof INBOUND_CHANNELS)[number]): string {
  if (channel === 'ACCOUNT' || channel === 'PAGE') {
    return `account_number ${channel === 'ACCOUNT' ? '~' : '!~'} '^[0-9]{10}$'`;
  }
  return `channel = '${channel}'`;
}

/** The conditions of a filter, except its states. */
function conditionsOf(filter: InboundFilter, place: (value: unknown) => string): string[] {
  const { walletId, customerId, from, to, amountFromMinor, amountToMinor, channel, payer } = filter;
  const given: [unknown, (value: string) => string][] = [
    [walletId, (value) => `wallet_id = ${value}`],
    [customerId, (value) => `customer_id = ${value}`],
    [from, (value) => `confirmed_at >= ${value}`],
    [from && firstIdOf(later(from, -NOTED_BEFORE_MS)), (value) => `id >= ${value}`],
    [to, (value) => `confirmed_at < ${value}`],
    [to && firstIdOf(later(to, CLOCKS_APART_MS)), (value) => `id < ${value}`],
    [amountFromMinor, (value) => `amount_minor >= ${value}`],
    [amountToMinor, (value) => `amount_minor <= ${value}`],
    [
      payer,
      (value) =>
        `(position(lower(${value}) in lower(payer_name)) > 0 or position(${value} in payer_account_number) > 0)`,
    ],
  ];
  return [
    ...(channel === undefined ? [] : [conditionOfChannel(channel)]),
    ...given.flatMap(([value, condition]) => (value === undefined ? [] : [condition(place(value))])),
  ];
}

/** Scope of a limit usage whose period is a payment: what is taken back of it, by refunds and by disputes together. */
export const TAKEN_BACK_SCOPE = 'PAYMENT_TAKEN_BACK';

/** SQL for what of a payment is neither refunded nor disputed nor on its way back. @param row a row of payments */
export const leftOf = (row: string): string =>
  `(${row}.amount_minor - ${usedOfLimit(row, TAKEN_BACK_SCOPE, `${row}.id::text`)})`;

/**
 * SQL for the rows whose sum is what provider accounts owe now, in minor units. Each payment that nothing has settled
 * is above zero, with the time of its confirmation. Each refund and dispute that the provider bears and that no
 * settlement has deducted is below zero, without a time. Above zero where more was deducted than was taken in the end.
 * By provider account the sums equal the receivables of the ledger. It reads all payments: for reports.
 */
export const OPEN_RECEIVABLES = `(
     select p.merchant_id, p.mode, p.rail, p.amount_minor, p.confirmed_at
       from inbound_payments p
       left join collection_settlements s
         on s.merchant_id = p.merchant_id and s.mode = p.mode and s.payment_id = p.id
      where p.status <> 'RETURNED' and s.payment_id is null
      union all
     select merchant_id, mode, rail, deducted_minor - taken_minor, null
       from (
         select r.merchant_id, r.mode, r.rail, coalesce(d.amount_minor, 0) as deducted_minor,
                case when r.status = 'SUCCESS' then r.amount_minor else 0 end as taken_minor
           from refunds r
           left join deduction_settlements d
             on d.merchant_id = r.merchant_id and d.mode = r.mode and d.subject_type = 'REFUND' and d.subject_id = r.id
          where r.way = 'PROVIDER'
          union all
         select c.merchant_id, c.mode, c.rail, coalesce(d.amount_minor, 0), c.taken_minor + c.loss_minor
           from disputes c
           left join deduction_settlements d
             on d.merchant_id = c.merchant_id and d.mode = c.mode and d.subject_type = 'DISPUTE' and d.subject_id = c.id
       ) borne
      where deducted_minor <> taken_minor
   )`;
