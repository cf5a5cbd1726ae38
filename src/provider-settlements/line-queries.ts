import type { InboundPaymentRow } from '../collections/index.ts';
import { setStatement, statement } from '../platform/db/statement.ts';
import { POSTED_RESULTS, providerLineDigest } from './classify-line.ts';
import { NO_SUBJECT, type ProviderLineRow, UNRESOLVED } from './queries.ts';

/**
 * Settings of this transaction only: it may read whole tables and join them by hash, as a report does and a request
 * never may.
 */
export const planUnsettledReport = statement(
  'plan-unsettled-payments-report',
  `select set_config('enable_seqscan', 'on', true), set_config('plan_cache_mode', 'force_custom_plan', true)`,
);

type UnsettledRow = Pick<
  InboundPaymentRow,
  | 'merchant_id'
  | 'id'
  | 'provider_transaction_id'
  | 'session_id'
  | 'amount_minor'
  | 'provider_fee_minor'
  | 'confirmed_at'
>;

const UNSETTLED_COLUMNS = `p.merchant_id, p.id, p.provider_transaction_id, p.session_id, p.amount_minor, p.provider_fee_minor,
          p.confirmed_at`;
const UNSETTLED = `p.rail = $2 and p.mode = $3 and ($8::uuid is null or p.merchant_id = $8) and p.confirmed_at < $4
      and p.status <> 'RETURNED' and s.payment_id is null and (p.merchant_id, p.id) > ($5::uuid, $6::uuid)`;

/**
 * Payments that came by a provider account before a moment, that no settlement has, that this one does not name, and that are
 * not known to be missing. $1 settlement, $2 account, $3 mode, $4 moment, $5 merchant and $6 payment to begin after, $7 how
 * many, $8 of which merchant; null: of all. After `planUnsettledReport`.
 */
export const listUnsettledPayments = statement<UnsettledRow>(
  'list-unsettled-payments',
  `select ${UNSETTLED_COLUMNS}
     from inbound_payments p
     left join collection_settlements s
       on s.merchant_id = p.merchant_id and s.mode = p.mode and s.payment_id = p.id
     left join lateral (
       select 1 as line from provider_settlement_lines where settlement_id = $1 and payment_id = p.id limit 1
     ) named on true
     left join lateral (
       select 1 as line from provider_settlement_lines
        where payment_id = p.id and result = 'MISSING_THERE' and resolved_at is null limit 1
     ) missed on true
    where ${UNSETTLED} and num_nonnulls(named.line, missed.line) = 0
    order by p.merchant_id, p.id limit $7`,
  // Lines are on the coordinator: those that name or miss a payment are sent to every shard.
  `with known as materialized (
     select payment_id from provider_settlement_lines where settlement_id = $1 and payment_id is not null
      union all
     select payment_id from provider_settlement_lines
      where payment_id is not null and result = 'MISSING_THERE' and resolved_at is null
   )
   select ${UNSETTLED_COLUMNS}
     from inbound_payments p
     left join collection_settlements s
       on s.merchant_id = p.merchant_id and s.mode = p.mode and s.payment_id = p.id
    where ${UNSETTLED} and p.id not in (select payment_id from known)
    order by p.merchant_id, p.id limit $7`,
);

type MissingLine = Pick<
  ProviderLineRow,
  'settlement_id' | 'id' | 'result' | 'detail' | 'provider_transaction_id' | 'session_id' | 'our_fee_minor'
> & { merchant_id: string; payment_id: string; our_amount_minor: bigint };

/** A payment that another settlement misses at the same moment is recorded as missing once. */
export const insertMissingPayments = setStatement<MissingLine>(
  'insert-missing-provider-settlement-lines',
  {
    settlement_id: 'uuid',
    id: 'uuid',
    provider_transaction_id: 'text',
    session_id: 'text',
    result: 'text',
    detail: 'text',
    merchant_id: 'uuid',
    payment_id: 'uuid',
    our_amount_minor: 'bigint',
    our_fee_minor: 'bigint',
  },
  `insert into provider_settlement_lines (settlement_id, id, provider_transaction_id, session_id, result, detail, merchant_id,
     payment_id, our_amount_minor, our_fee_minor, digest)
   select line.settlement_id, line.id, line.provider_transaction_id, line.session_id, line.result, line.detail,
          line.merchant_id, line.payment_id, line.our_amount_minor, line.our_fee_minor, ${providerLineDigest('line')}
     from (
       select rows.*, null::integer as line_number, null::text as reference, null::bigint as gross_minor,
              null::bigint as fee_minor, null::bigint as net_minor, null::text as currency, null::text as line_mode,
              null::timestamptz as occurred_at, null::text as deduction, ${NO_SUBJECT}, ${UNRESOLVED}
         from :rows
     ) line
   on conflict (payment_id) where result = 'MISSING_THERE' and resolved_at is null do nothing`,
);

/** Updates lines `l` by a row `r` of how, with which note, by whom and when they are resolved. */
const resolvedBy = (row: string): string =>
  `update provider_settlement_lines l
      set resolved_how = r.resolved_how, resolved_note = r.resolved_note, resolved_by = r.resolved_by,
          resolved_at = r.resolved_at, digest = ${providerLineDigest('l', 'l', 'r')}
     from (values ${row}) as r (resolved_how, resolved_note, resolved_by, resolved_at)`;

const FOUND = `('FOUND_LATER', $2, $3, $4::timestamptz)`;

/** A line that lacks a payment which is settled by now. */
export interface SettledMissing {
  settlement_id: string;
  id: string;
}

/** What this settlement settled, and another one lacked. $1 settlement, $2 mode. */
export const listMissingSettledBy = statement<SettledMissing>(
  'list-missing-payments-settled-by',
  `select l.settlement_id, l.id
     from provider_settlement_lines named
     join provider_settlement_lines l on l.payment_id = named.payment_id
     join collection_settlements s
       on s.merchant_id = named.merchant_id and s.mode = $2 and s.payment_id = named.payment_id and s.line_id = named.id
    where named.settlement_id = $1 and named.result in ${POSTED_RESULTS}
      and l.result = 'MISSING_THERE' and l.resolved_at is null`,
);

/** What this settlement lacks, and another one has settled meanwhile. $1 settlement, $2 mode. */
export const listMissingSettled = statement<SettledMissing>(
  'list-missing-payments-settled',
  `select l.settlement_id, l.id
     from provider_settlement_lines l
     join collection_settlements s on s.merchant_id = l.merchant_id and s.mode = $2 and s.payment_id = l.payment_id
    where l.settlement_id = $1 and l.result = 'MISSING_THERE' and l.resolved_at is null`,
);

/** $1 settlements, $2 a note, $3 who, $4 now, $5 a line of each of those. */
export const updateMissingSettled = statement(
  'update-missing-payments-settled',
  `${resolvedBy(FOUND)},
          unnest($1::uuid[], $5::uuid[]) as settled (settlement_id, id)
    where l.settlement_id = settled.settlement_id and l.id = settled.id
      and l.result = 'MISSING_THERE' and l.resolved_at is null`,
);

/** A discarded file no longer counts for what it lacked: the next one that lacks it records that. */
export const updateMissingDiscarded = statement(
  'update-missing-payments-discarded',
  `${resolvedBy(`('ACCEPTED', $2, $3, $4::timestamptz)`)}
    where l.settlement_id = $1 and l.result = 'MISSING_THERE' and l.resolved_at is null`,
);

export const findProviderLine = statement<ProviderLineRow>(
  'find-provider-settlement-line',
  'select * from provider_settlement_lines where settlement_id = $1 and id = $2',
);

/** $1 settlement, $2 line, $3 note, $4 who, $5 now. */
export const updateProviderLineAccepted = statement<{ id: string }>(
  'update-provider-settlement-line-accepted',
  `${resolvedBy(`('ACCEPTED', $3, $4, $5::timestamptz)`)}
    where l.settlement_id = $1 and l.id = $2 and l.resolved_at is null and l.result not in ${POSTED_RESULTS}
    returning l.id`,
);
