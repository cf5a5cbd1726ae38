import { OPEN_RECEIVABLES } from '../collections/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { List } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import { SHOWN_NUMBER } from '../wallets/index.ts';
import type { Proposal } from './proposal.ts';
import { CREDIT_FACTS, CREDIT_PROPOSAL_FINGERPRINT, PAYMENT_FACTS, SUSPENSE_FINGERPRINT } from './proposal-queries.ts';

/** Money that waits for a decision: a payment in suspense or proposed to be returned, or a reported credit that is in no books. */
export interface SuspenseRow {
  kind: 'PAYMENT' | 'CREDIT';
  /** Of a payment: its merchant and its id. */
  merchant_id: string | null;
  payment_id: string | null;
  wallet_id: string | null;
  mode: Mode;
  rail: string;
  /** Of a credit. */
  credit_key: string | null;
  status: string;
  reason: string | null;
  /** As it was confirmed, else as it was reported; null where neither says it. */
  amount_minor: bigint | null;
  is_confirmed: boolean;
  account_number: string | null;
  session_id: string | null;
  provider_reference: string | null;
  payer_name: string | null;
  payer_account_number: string | null;
  payer_bank_name: string | null;
  narration: string | null;
  since: Date;
  subject: string;
}

const PAYMENT = `'PAYMENT' as kind, p.merchant_id, p.id as payment_id, p.wallet_id, p.mode, p.rail, null as credit_key,
            p.status, p.reason, p.amount_minor, true as is_confirmed, p.account_number, p.session_id, p.provider_reference,
            p.payer_name, p.payer_account_number, p.payer_bank_name, p.narration, p.confirmed_at as since,
            p.id::text as subject`;

/** Payments that wait for their settlement, of which one person said that they went back to their payer. */
const RETURN_PROPOSED = `suspense_proposals o
       join inbound_payments p on p.merchant_id = o.merchant_id and p.mode = o.mode and p.id = o.payment_id
      where o.status = 'PENDING' and p.status = 'PENDING_SETTLEMENT'`;

const SUSPENSE = `(
     select ${PAYMENT}
       from inbound_payments p
      where p.status = 'SUSPENSE'
      union all
     select ${PAYMENT}
       from ${RETURN_PROPOSED}
      union all
     select 'CREDIT', null, null, null, c.mode, c.rail, c.credit_key, c.status, c.reason,
            coalesce((c.confirmed::json ->> 'amountMinor')::bigint, c.reported_minor), c.confirmed is not null,
            coalesce(c.confirmed::json ->> 'accountNumber', c.account_number), c.session_id, c.provider_reference,
            c.confirmed::json ->> 'payerName', c.confirmed::json ->> 'payerAccountNumber',
            c.confirmed::json ->> 'payerBankName', c.confirmed::json ->> 'narration', c.first_seen_at,
            c.rail || ' ' || c.credit_key
       from open_credits c
      where c.status in ('UNCONFIRMED', 'NO_OWNER', 'CONTRADICTED')
   ) q`;

export interface SuspenseFilter {
  /** Only payments of this merchant. */
  merchantId?: string | undefined;
  mode?: Mode | undefined;
}

/** Across merchants: what people have to decide, longest waiting first. */
export function suspenseList({ merchantId, mode }: SuspenseFilter): List<SuspenseRow> {
  const values: unknown[] = [];
  const where = ['true'];
  if (merchantId !== undefined) where.push(`q.merchant_id = $${values.push(merchantId)}`);
  if (mode !== undefined) where.push(`q.mode = $${values.push(mode)}`);
  return {
    name: 'money in suspense',
    of: [{ merchantId, mode }],
    order: {
      direction: 'asc',
      keys: [
        { sql: 'q.since', type: 'timestamptz', of: ({ since }) => since },
        { sql: 'q.subject', type: 'text', of: ({ subject }) => subject },
      ],
    },
    columns: 'q.*',
    from: SUSPENSE,
    where,
    values,
  };
}

/** A payment that people may decide about, also one that waits for its settlement of which nobody has said anything. $1 merchant, $2 mode, $3 id. */
export const findPaymentToDecide = statement<SuspenseRow>(
  'find-payment-to-decide',
  `select ${PAYMENT}
     from inbound_payments p
    where p.merchant_id = $1 and p.mode = $2 and p.id = $3 and p.status in ('SUSPENSE', 'PENDING_SETTLEMENT')`,
);

/** A proposal that waits, of either kind, with the wallet that it would credit. */
export interface OpenProposalRow extends Proposal {
  subject: string;
  /** What is known of the money now: a different `facts_digest` means that the proposal is out of date. */
  facts_digest_now: string;
  wallet_merchant_id: string | null;
  wallet_id: string | null;
  wallet_account_number: string | null;
  wallet_account_name: string | null;
}

const SHOWN = `o.id, o.mode, o.action, o.source, o.note, o.facts_digest, o.digest, o.status, o.reason, o.proposed_by, o.proposed_at,
  o.decided_by, o.decided_at, o.updated_at`;
const WALLET = `w.merchant_id as wallet_merchant_id, w.id as wallet_id, ${SHOWN_NUMBER} as wallet_account_number,
  w.account_name as wallet_account_name`;

/** By merchant, mode and payment id. */
export const listOpenPaymentProposals = statement<OpenProposalRow>(
  'list-open-suspense-proposals',
  `select ${SHOWN}, ${SUSPENSE_FINGERPRINT} as digest_now, ${PAYMENT_FACTS} as facts_digest_now,
          o.payment_id::text as subject, ${WALLET}
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as wanted (merchant_id, mode, payment_id)
     join suspense_proposals o
       on o.merchant_id = wanted.merchant_id and o.mode = wanted.mode and o.payment_id = wanted.payment_id
     join inbound_payments p on p.merchant_id = o.merchant_id and p.mode = o.mode and p.id = o.payment_id
     left join wallets w on w.merchant_id = o.merchant_id and w.mode = o.mode and w.id = o.wallet_id
    where o.status = 'PENDING'`,
);

/** By provider account and key. */
export const listOpenCreditProposals = statement<OpenProposalRow>(
  'list-pending-open-credit-proposals',
  `with open as materialized (
     select ${SHOWN}, ${CREDIT_PROPOSAL_FINGERPRINT} as digest_now, ${CREDIT_FACTS} as facts_digest_now,
            o.rail || ' ' || o.credit_key as subject, o.merchant_id, o.wallet_id
       from unnest($1::text[], $2::text[]) as wanted (rail, credit_key)
       join open_credit_proposals o on o.rail = wanted.rail and o.credit_key = wanted.credit_key
       join open_credits c on c.rail = o.rail and c.credit_key = o.credit_key
      where o.status = 'PENDING'
   ), theirs as materialized (
     select open.id as proposal_id, ${WALLET}
       from open
       join wallets w on w.merchant_id = open.merchant_id and w.mode = open.mode and w.id = open.wallet_id
   )
   select ${SHOWN}, o.digest_now, o.facts_digest_now, o.subject, t.wallet_merchant_id, t.wallet_id, t.wallet_account_number,
          t.wallet_account_name
     from open o
     left join theirs t on t.proposal_id = o.id`,
);

/**
 * Across merchants, outside money transactions. $1 is the person who looks: their own proposals wait for somebody else.
 */
export const countSuspense = statement<{ waiting: number; proposals: number }>(
  'count-money-in-suspense',
  `select (select count(*)::int from inbound_payments p where p.status = 'SUSPENSE')
            + (select count(*)::int from ${RETURN_PROPOSED})
            + (select count(*)::int from open_credits c
                where c.status in ('UNCONFIRMED', 'NO_OWNER', 'CONTRADICTED')) as waiting,
          (select count(*)::int
             from suspense_proposals o
            cross join lateral (
              select status from inbound_payments where merchant_id = o.merchant_id and mode = o.mode and id = o.payment_id offset 0
            ) p
            where o.status = 'PENDING' and o.proposed_by <> $1 and p.status in ('SUSPENSE', 'PENDING_SETTLEMENT'))
            + (select count(*)::int
                 from open_credit_proposals o
                 join open_credits c on c.rail = o.rail and c.credit_key = o.credit_key
                where o.status = 'PENDING' and o.proposed_by <> $1
                  and c.status in ('UNCONFIRMED', 'NO_OWNER', 'CONTRADICTED')) as proposals`,
);

/** What one provider account owes for one merchant, minor units: its payments by how long ago they were confirmed. */
export interface ReceivableRow {
  merchant_id: string;
  mode: Mode;
  rail: string;
  payments: number;
  /** The sum of the ages, less what is to be deducted. */
  total_minor: bigint;
  /** Refunds and disputes that no settlement has deducted. */
  to_deduct_minor: bigint;
  /** Under a day. */
  today_minor: bigint;
  /** One to two days. */
  two_days_minor: bigint;
  /** Up to seven. */
  week_minor: bigint;
  older_minor: bigint;
}

/**
 * Settings of this transaction only: it may read whole tables and join them by hash, as a report does and a request
 * never may.
 */
export const planReceivables = statement(
  'plan-receivables-report',
  `select set_config('enable_seqscan', 'on', true), set_config('plan_cache_mode', 'force_custom_plan', true)`,
);

/** After `planReceivables`. @param at the time from which ages are counted */
export function receivableList(at: Date): List<ReceivableRow> {
  const youngerThan = (days: number) => `p.confirmed_at > $1::timestamptz - interval '${days} days'`;
  const sumOf = (condition: string) => `coalesce(sum(p.amount_minor) filter (where ${condition}), 0)::bigint`;
  return {
    name: 'receivables',
    of: [],
    order: {
      direction: 'asc',
      keys: [
        { sql: 'q.merchant_id', type: 'uuid', of: ({ merchant_id }) => merchant_id },
        { sql: 'q.mode', type: 'text', of: ({ mode }) => mode },
        { sql: 'q.rail', type: 'text', of: ({ rail }) => rail },
      ],
    },
    columns: 'q.*',
    from: `(
     select p.merchant_id, p.mode, p.rail, count(p.confirmed_at)::int as payments,
            sum(p.amount_minor)::bigint as total_minor,
            -(${sumOf('p.confirmed_at is null')}) as to_deduct_minor,
            ${sumOf(youngerThan(1))} as today_minor,
            ${sumOf(`${youngerThan(2)} and not ${youngerThan(1)}`)} as two_days_minor,
            ${sumOf(`${youngerThan(7)} and not ${youngerThan(2)}`)} as week_minor,
            ${sumOf(`not ${youngerThan(7)}`)} as older_minor
       from ${OPEN_RECEIVABLES} p
      group by p.merchant_id, p.mode, p.rail
   ) q`,
    where: ['true'],
    values: [at],
  };
}
