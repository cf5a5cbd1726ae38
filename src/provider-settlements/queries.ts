import type { DeductionOwner, InboundPaymentRow } from '../collections/index.ts';
import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import {
  IN_LUMP,
  POSTED_RESULTS,
  type ProviderLineResolution,
  type ProviderLineResult,
  providerLineDigest,
  settlementDigest,
} from './classify-line.ts';

/** `READY`: compared, and another person may apply it. */
export type ProviderSettlementStatus = 'LOADING' | 'MATCHING' | 'READY' | 'APPLYING' | 'DONE' | 'DISCARDED';

export interface ProviderSettlementRow {
  id: string;
  rail: string;
  mode: Mode;
  reference: string;
  lump_minor: bigint;
  currency: string;
  /** A day, 2026-11-20. */
  settled_on: string;
  cut_off: Date | null;
  file_name: string;
  /** As `importHash` has it. */
  file_hash: string;
  status: ProviderSettlementStatus;
  line_count: number;
  imported_by: string;
  created_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  note: string | null;
  updated_at: Date;
}

export interface ProviderLineRow {
  settlement_id: string;
  id: string;
  line_number: number | null;
  provider_transaction_id: string | null;
  session_id: string | null;
  reference: string | null;
  gross_minor: bigint | null;
  fee_minor: bigint | null;
  net_minor: bigint | null;
  currency: string | null;
  line_mode: Mode | null;
  occurred_at: Date | null;
  result: ProviderLineResult | null;
  detail: string | null;
  merchant_id: string | null;
  payment_id: string | null;
  our_amount_minor: bigint | null;
  our_fee_minor: bigint | null;
  /** What it deducts for, as far as the line says; null: it is about a payment. */
  deduction: 'REFUND' | 'DISPUTE' | 'OTHER' | null;
  subject_type: DeductionOwner['subjectType'] | null;
  subject_id: string | null;
  receivable_id: string | null;
  resolved_how: ProviderLineResolution | null;
  resolved_note: string | null;
  resolved_by: string | null;
  resolved_at: Date | null;
}

/** The columns of a settlement, the day as text. */
export const SETTLEMENT = (s: string): string =>
  `${s}.id, ${s}.rail, ${s}.mode, ${s}.reference, ${s}.lump_minor, ${s}.currency, ${s}.settled_on::text as settled_on,
   ${s}.cut_off, ${s}.file_name, ${s}.file_hash, ${s}.status, ${s}.line_count, ${s}.imported_by, ${s}.created_at, ${s}.decided_by,
   ${s}.decided_at, ${s}.note, ${s}.updated_at`;

/** No row comes back where the file or the reference is known. */
export const insertProviderSettlement = statement<{ id: string }>(
  'insert-provider-settlement',
  `insert into provider_settlements (id, rail, mode, reference, lump_minor, currency, settled_on, cut_off, file_name,
     file_hash, imported_by, created_at, status, line_count, updated_at, digest)
   select file.*, 'LOADING', 0, file.created_at, ${settlementDigest('file')}
     from (values ($1::uuid, $2::text, $3::text, $4::text, $5::bigint, $6::text, $7::date, $8::timestamptz, $9::text,
                   $10::text, $11::text, $12::timestamptz))
          as file (id, rail, mode, reference, lump_minor, currency, settled_on, cut_off, file_name, file_hash, imported_by,
                   created_at)
   on conflict do nothing
   returning id`,
);

export const findProviderSettlementByHash = statement<ProviderSettlementRow>(
  'find-provider-settlement-by-hash',
  `select ${SETTLEMENT('s')} from provider_settlements s
    where s.rail = $1 and s.mode = $2 and s.file_hash = $3 and s.status <> 'DISCARDED'`,
);

export const findProviderSettlementByReference = statement<ProviderSettlementRow>(
  'find-provider-settlement-by-reference',
  `select ${SETTLEMENT('s')} from provider_settlements s
    where s.rail = $1 and s.mode = $2 and s.reference = $3 and s.status <> 'DISCARDED'`,
);

export const findProviderSettlement = statement<ProviderSettlementRow>(
  'find-provider-settlement',
  `select ${SETTLEMENT('s')} from provider_settlements s where s.id = $1`,
);

export const updateProviderSettlementLoaded = statement(
  'update-provider-settlement-loaded',
  `update provider_settlements set status = 'MATCHING', line_count = $2, updated_at = $3 where id = $1 and status = 'LOADING'`,
);

export const updateProviderSettlementStatus = statement<{ id: string }>(
  'update-provider-settlement-status',
  'update provider_settlements set status = $3, updated_at = $4 where id = $1 and status = $2 returning id',
);

/** $1 id, $2 status, $3 who, $4 note, $5 now, $6 from which statuses. Of two at once the second finds no row. */
export const updateProviderSettlementDecided = statement<{ id: string }>(
  'update-provider-settlement-decided',
  `update provider_settlements set status = $2, decided_by = $3, note = $4, decided_at = $5, updated_at = $5
    where id = $1 and status = any($6::text[])
    returning id`,
);

/**
 * Keeps a settlement as it is until the transaction is over, for what is written under it: nothing is under one that is gone, and
 * nothing more under one that is further on. No row comes back where it is in another status than $2.
 */
export const holdProviderSettlement = statement<{ id: string }>(
  'hold-provider-settlement',
  'select id from provider_settlements where id = $1 and status = $2 for share',
);

/** Locks an import before what was read of it is removed: nobody goes on with it meanwhile. */
export const lockUnreadSettlement = statement<{ id: string }>(
  'lock-provider-settlement-unread',
  `select id from provider_settlements where id = $1 and status = 'LOADING' for update`,
);

/** A file that cannot be read leaves nothing: the settlement is recorded anew under its reference. */
export const deleteUnreadLines = statement(
  'delete-provider-settlement-lines-unread',
  'delete from provider_settlement_lines where settlement_id = $1',
);
export const deleteUnreadSettlement = statement(
  'delete-provider-settlement-unread',
  `delete from provider_settlements where id = $1 and status = 'LOADING'`,
);

/** The sum of the lines that could be read, in the currency of the lump sum. Deductions are below zero. */
export const findProviderSettlementSum = statement<{ net_minor: bigint }>(
  'find-provider-settlement-sum',
  `select coalesce(sum(l.net_minor), 0)::bigint as net_minor from provider_settlement_lines l
    where l.settlement_id = $1 and ${IN_LUMP}`,
);

type LoadedLine = Pick<
  ProviderLineRow,
  | 'settlement_id'
  | 'id'
  | 'provider_transaction_id'
  | 'session_id'
  | 'reference'
  | 'gross_minor'
  | 'fee_minor'
  | 'net_minor'
  | 'line_mode'
  | 'result'
  | 'detail'
  | 'deduction'
> & { line_number: number; currency: string; occurred_at: string | null };

/** The columns of a line that is no deduction. */
export const NO_SUBJECT = 'null::text as subject_type, null::uuid as subject_id, null::uuid as receivable_id';
/** The columns of a line that was not compared. */
const UNCOMPARED = `null::uuid as merchant_id, null::uuid as payment_id, null::bigint as our_amount_minor,
              null::bigint as our_fee_minor, ${NO_SUBJECT}`;
export const UNRESOLVED = `null::text as resolved_how, null::text as resolved_note, null::text as resolved_by,
              null::timestamptz as resolved_at`;

/** An existing line stays unchanged: an import that was cut short is read again from the beginning. */
export const insertProviderLines = setStatement<LoadedLine>(
  'insert-provider-settlement-lines-read',
  {
    settlement_id: 'uuid',
    id: 'uuid',
    line_number: 'integer',
    provider_transaction_id: 'text',
    session_id: 'text',
    reference: 'text',
    gross_minor: 'bigint',
    fee_minor: 'bigint',
    net_minor: 'bigint',
    currency: 'text',
    line_mode: 'text',
    occurred_at: 'timestamptz',
    result: 'text',
    detail: 'text',
    deduction: 'text',
  },
  `insert into provider_settlement_lines (settlement_id, id, line_number, provider_transaction_id, session_id, reference,
     gross_minor, fee_minor, net_minor, currency, line_mode, occurred_at, result, detail, deduction, digest)
   select line.settlement_id, line.id, line.line_number, line.provider_transaction_id, line.session_id, line.reference,
          line.gross_minor, line.fee_minor, line.net_minor, line.currency, line.line_mode, line.occurred_at, line.result,
          line.detail, line.deduction, ${providerLineDigest('line')}
     from (select rows.*, ${UNCOMPARED}, ${UNRESOLVED} from :rows) line
   on conflict (settlement_id, line_number) where line_number is not null do nothing`,
);

/** Of lines about one transaction, all but the first: a payment is settled once. */
export const updateDuplicateProviderLines = statement(
  'update-duplicate-provider-settlement-lines',
  `with lines as (
     select settlement_id, id, 'DUPLICATE_LINE' as result,
            'the same transaction as line ' || first_value(line_number) over same_line as detail,
            row_number() over same_line as copy, ${UNCOMPARED}
       from provider_settlement_lines
      where settlement_id = $1 and line_number is not null
        and (result is null or result not in ('UNREADABLE', 'DEDUCTION'))
     window same_line as (partition by coalesce(provider_transaction_id, session_id) order by line_number)
   ), same as materialized (select * from lines where copy > 1)
   update provider_settlement_lines l
      set result = same.result, detail = same.detail, digest = ${providerLineDigest('l', 'same')}
     from same
    where l.settlement_id = same.settlement_id and l.id = same.id and l.result is null`,
);

/** Of lines that belong to one payment, all but the first that is posted. */
export const updateRepeatedPayments = statement(
  'update-repeated-provider-settlement-payments',
  `with lines as (
     select settlement_id, id, 'DUPLICATE_LINE' as result,
            'the same payment as line ' || first_value(line_number) over same_payment as detail,
            row_number() over same_payment as copy, merchant_id, payment_id, our_amount_minor, our_fee_minor,
            ${NO_SUBJECT}
       from provider_settlement_lines
      where settlement_id = $1 and payment_id is not null and result in ${POSTED_RESULTS}
     window same_payment as (partition by merchant_id, payment_id order by line_number)
   ), same as materialized (select * from lines where copy > 1)
   update provider_settlement_lines l
      set result = same.result, detail = same.detail, digest = ${providerLineDigest('l', 'same')}
     from same
    where l.settlement_id = same.settlement_id and l.id = same.id`,
);

/**
 * In the order of the file, from after a line on; what was not compared yet, or what we knew nothing of, with the payments that
 * were not posted for their state, such as those that a freeze held, also where somebody accepted that.
 */
export const listLinesToCompare = statement<ProviderLineRow & { line_number: number }>(
  'list-provider-settlement-lines-to-compare',
  `select * from provider_settlement_lines
    where settlement_id = $1 and line_number > $2
      and (resolved_at is null and result is not distinct from $3
           or $3 = 'MISSING_HERE' and result = 'STATUS_DIFFERS' and deduction is null and line_number is not null)
    order by line_number limit $4`,
);

export interface ComparedLine {
  settlement_id: string;
  id: string;
  /** The result that the line had when it was read: what another process found meanwhile stays. */
  was: ProviderLineResult | null;
  result: ProviderLineResult;
  detail: string | null;
  merchant_id: string | null;
  payment_id: string | null;
  our_amount_minor: bigint | null;
  our_fee_minor: bigint | null;
  subject_type: DeductionOwner['subjectType'] | null;
  subject_id: string | null;
  receivable_id: string | null;
}

/** What a line of a payment has in place of a subject. */
export const NOBODYS = { subject_type: null, subject_id: null, receivable_id: null } as const;

/** The columns of a `ComparedLine`. */
const COMPARED = {
  settlement_id: 'uuid',
  id: 'uuid',
  was: 'text',
  result: 'text',
  detail: 'text',
  merchant_id: 'uuid',
  payment_id: 'uuid',
  our_amount_minor: 'bigint',
  our_fee_minor: 'bigint',
  subject_type: 'text',
  subject_id: 'uuid',
  receivable_id: 'uuid',
} as const;

export const updateLinesCompared = setStatement<ComparedLine>(
  'update-provider-settlement-lines-compared',
  COMPARED,
  `update provider_settlement_lines l
      set result = rows.result, detail = rows.detail, merchant_id = rows.merchant_id, payment_id = rows.payment_id,
          our_amount_minor = rows.our_amount_minor, our_fee_minor = rows.our_fee_minor, subject_type = rows.subject_type,
          subject_id = rows.subject_id, receivable_id = rows.receivable_id,
          digest = ${providerLineDigest('l', 'rows')}
     from :rows
    where l.settlement_id = rows.settlement_id and l.id = rows.id and l.resolved_at is null
      and l.result is not distinct from rows.was`,
);

/** Lines that somebody accepted and that agree by now: they are posted like any other. */
export const updateLinesReopened = setStatement<ComparedLine>(
  'update-provider-settlement-lines-reopened',
  COMPARED,
  `update provider_settlement_lines l
      set result = now.result, detail = now.detail, our_amount_minor = now.our_amount_minor, our_fee_minor = now.our_fee_minor,
          resolved_how = null, resolved_note = null, resolved_by = null, resolved_at = null,
          digest = ${providerLineDigest('l', 'now', 'now')}
     from (select rows.*, ${UNRESOLVED} from :rows) now
    where l.settlement_id = now.settlement_id and l.id = now.id and l.resolved_how = 'ACCEPTED' and l.result = now.was
      and l.merchant_id = now.merchant_id and l.payment_id = now.payment_id`,
);

/** A payment, with the settlement that settled it. */
export type SettledPayment = InboundPaymentRow & { settled_by: string | null; settled_line_id: string | null };

const PAYMENT = `p.*, b.reference as settled_by, s.line_id as settled_line_id`;
const SETTLED = `left join collection_settlements s
       on s.merchant_id = p.merchant_id and s.mode = p.mode and s.payment_id = p.id
     left join provider_settlements b on b.id = s.settlement_id`;

/**
 * The payment of each transfer at a provider account, by its id there or else by the session id; by the directory, so that a
 * transfer leads to the payment that it became for ever. $1 account, $2 ids, $3 session ids.
 */
export const findPaymentsOfLines = statement<SettledPayment & { place: number }>(
  'find-payments-of-provider-settlement-lines',
  `with found as materialized (
     select w.place, d.merchant_id, d.mode, d.payment_id
       from unnest($2::text[], $3::text[]) with ordinality as w (provider_transaction_id, session_id, place)
       join lateral (
         (select c.merchant_id, c.mode, c.payment_id, 1 as rank from credit_directory c
           where c.rail = $1 and c.provider_transaction_id = w.provider_transaction_id)
          union all
         (select c.merchant_id, c.mode, c.payment_id, 2 from credit_directory c
           where c.rail = $1 and c.session_id = w.session_id)
          order by rank limit 1
       ) d on true
   )
   select found.place::int as place, ${PAYMENT}
     from found
     join inbound_payments p on p.merchant_id = found.merchant_id and p.mode = found.mode and p.id = found.payment_id
     ${SETTLED}`,
);

/** Payments as they are now. $1 merchants, $2 mode, $3 payments. */
export const listPaymentsToSettle = statement<SettledPayment>(
  'list-payments-to-settle',
  `select ${PAYMENT}
     from unnest($1::uuid[], $3::uuid[]) as w (merchant_id, payment_id)
     join inbound_payments p on p.merchant_id = w.merchant_id and p.mode = $2 and p.id = w.payment_id
     ${SETTLED}`,
);

/** Lines of payments that agree, after a given one, and are not posted yet. */
export const listLinesToPost = statement<
  ProviderLineRow & { line_number: number; merchant_id: string; payment_id: string }
>(
  'list-provider-settlement-lines-to-post',
  `select l.* from provider_settlement_lines l
     join provider_settlements f on f.id = l.settlement_id
     left join collection_settlements s
       on s.merchant_id = l.merchant_id and s.mode = f.mode and s.payment_id = l.payment_id and s.line_id = l.id
    where l.settlement_id = $1 and l.line_number > $2 and l.result in ${POSTED_RESULTS} and l.payment_id is not null
      and s.line_id is null
    order by l.line_number limit $3`,
);

export interface CollectionSettlementRow {
  merchant_id: string;
  mode: Mode;
  payment_id: string;
  id: string;
  settlement_id: string;
  line_id: string;
  gross_minor: bigint;
  fee_minor: bigint;
  settled_at: Date;
}

export const insertCollectionSettlements = setInsert<CollectionSettlementRow>('collection_settlements', {
  merchant_id: 'uuid',
  mode: 'text',
  payment_id: 'uuid',
  id: 'uuid',
  settlement_id: 'uuid',
  line_id: 'uuid',
  gross_minor: 'bigint',
  fee_minor: 'bigint',
  settled_at: 'timestamptz',
});
