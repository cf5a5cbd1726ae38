import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { type LineKind, type LineResult, lineDigest, type Resolution } from './classify-line.ts';

export type ImportStatus = 'LOADING' | 'MATCHING' | 'SETTLING' | 'DONE';

export interface ImportRow {
  id: string;
  rail: string;
  mode: Mode;
  merchant_id: string | null;
  file_name: string;
  /** As `importHash` has it. */
  file_hash: string;
  status: ImportStatus;
  line_count: number;
  period_from: Date | null;
  period_to: Date | null;
  imported_by: string;
  created_at: Date;
  updated_at: Date;
}

export interface LineRow {
  import_id: string;
  id: string;
  line_number: number | null;
  reference: string | null;
  session_id: string | null;
  amount_minor: bigint | null;
  currency: string | null;
  account_number: string | null;
  bank_code: string | null;
  occurred_at: Date | null;
  status_text: string | null;
  kind: LineKind;
  result: LineResult | null;
  detail: string | null;
  merchant_id: string | null;
  payout_id: string | null;
  our_status: string | null;
  our_amount_minor: bigint | null;
  resolved_how: Resolution | null;
  resolved_note: string | null;
  resolved_by: string | null;
  resolved_at: Date | null;
  settles: boolean;
  settled_at: Date | null;
}

type LoadedLine = Pick<
  LineRow,
  | 'import_id'
  | 'id'
  | 'reference'
  | 'session_id'
  | 'amount_minor'
  | 'currency'
  | 'account_number'
  | 'bank_code'
  | 'status_text'
  | 'kind'
  | 'detail'
> & { line_number: number; occurred_at: string | null; result: 'UNREADABLE' | null };

/** The columns of a line that nobody resolved. */
const UNRESOLVED = `null::text as resolved_how, null::text as resolved_note, null::text as resolved_by,
              null::timestamptz as resolved_at`;

/** Updates lines `l` by a row `r` of how, with which note, by whom and when they are resolved. */
const resolvedBy = (row: string): string =>
  `update settlement_lines l
      set resolved_how = r.resolved_how, resolved_note = r.resolved_note, resolved_by = r.resolved_by,
          resolved_at = r.resolved_at, digest = ${lineDigest('l', 'l', 'r')}
     from (values ${row}) as r (resolved_how, resolved_note, resolved_by, resolved_at)`;

/** An existing line stays unchanged: an import that was cut short is read again from the beginning. */
export const insertLines = setStatement<LoadedLine>(
  'insert-settlement-lines-read',
  {
    import_id: 'uuid',
    id: 'uuid',
    line_number: 'integer',
    reference: 'text',
    session_id: 'text',
    amount_minor: 'bigint',
    currency: 'text',
    account_number: 'text',
    bank_code: 'text',
    occurred_at: 'timestamptz',
    status_text: 'text',
    kind: 'text',
    result: 'text',
    detail: 'text',
  },
  `insert into settlement_lines (import_id, id, line_number, reference, session_id, amount_minor, currency, account_number,
     bank_code, occurred_at, status_text, kind, result, detail, settles, digest)
   select line.import_id, line.id, line.line_number, line.reference, line.session_id, line.amount_minor, line.currency,
          line.account_number, line.bank_code, line.occurred_at, line.status_text, line.kind, line.result, line.detail, false, ${lineDigest('line')}
     from (
       select rows.*, null::uuid as merchant_id, null::uuid as payout_id, null::text as our_status,
              null::bigint as our_amount_minor, ${UNRESOLVED}
         from :rows
     ) line
   on conflict (import_id, line_number) where line_number is not null do nothing`,
);

/**
 * Of lines with equal contents about one transaction, all but the first: a line with another amount or account is no
 * copy.
 */
export const updateDuplicateLines = statement(
  'update-duplicate-settlement-lines',
  `with lines as (
     select import_id, id, 'DUPLICATE_LINE' as result, 'the same as line ' || first_value(line_number) over same_line as detail,
            row_number() over same_line as copy, null::uuid as merchant_id, null::uuid as payout_id,
            null::text as our_status, null::bigint as our_amount_minor
       from settlement_lines
      where import_id = $1 and line_number is not null and result is distinct from 'UNREADABLE'
     window same_line as (
       partition by coalesce(reference, session_id), kind, amount_minor, currency, account_number, bank_code
           order by line_number)
   ), same as materialized (select * from lines where copy > 1)
   update settlement_lines l
      set result = same.result, detail = same.detail, digest = ${lineDigest('l', 'same')}
     from same
    where l.import_id = same.import_id and l.id = same.id and l.result is null`,
);

/** In the order of the file, after a given line. */
export const listLinesToMatch = statement<LineRow & { line_number: number }>(
  'list-settlement-lines-to-match',
  `select * from settlement_lines
    where import_id = $1 and line_number > $2 and result is null
    order by line_number limit $3`,
);

/** Of these references, those that the same file also reports as returned. */
export const listReturnedReferences = statement<{ reference: string }>(
  'list-returned-settlement-references',
  `select distinct reference from settlement_lines
    where import_id = $1 and reference = any($2::text[]) and kind = 'REVERSED'`,
);

export interface MatchedLine {
  import_id: string;
  id: string;
  result: LineResult;
  detail: string | null;
  merchant_id: string | null;
  payout_id: string | null;
  our_status: string | null;
  our_amount_minor: bigint | null;
  settles: boolean;
}

export const updateLinesMatched = setStatement<MatchedLine>(
  'update-settlement-lines-matched',
  {
    import_id: 'uuid',
    id: 'uuid',
    result: 'text',
    detail: 'text',
    merchant_id: 'uuid',
    payout_id: 'uuid',
    our_status: 'text',
    our_amount_minor: 'bigint',
    settles: 'boolean',
  },
  `update settlement_lines l
      set result = rows.result, detail = rows.detail, merchant_id = rows.merchant_id, payout_id = rows.payout_id,
          our_status = rows.our_status, our_amount_minor = rows.our_amount_minor, settles = rows.settles,
          digest = ${lineDigest('l', 'rows')}
     from :rows
    where l.import_id = rows.import_id and l.id = rows.id and l.result is null`,
);

/** What another file lacked, and this one has. */
export const updateMissingFound = statement(
  'update-missing-settlement-lines-found',
  `${resolvedBy("('FOUND_LATER', $2, $3, $4::timestamptz)")},
          settlement_lines named
    where named.import_id = $1 and named.payout_id = l.payout_id
      and named.result not in ('MISSING_HERE', 'MISSING_THERE')
      and l.result = 'MISSING_THERE' and l.resolved_at is null`,
);

/** What this file lacks, and another one has settled meanwhile. $1 import, $2 mode. */
export const listMissingSettled = statement<{ id: string }>(
  'list-missing-settlement-lines-settled',
  `select l.id
     from settlement_lines l
     join payout_settlements s
       on s.merchant_id = l.merchant_id and s.mode = $2 and s.payout_id = l.payout_id and s.kind = 'PAID'
    where l.import_id = $1 and l.result = 'MISSING_THERE' and l.resolved_at is null`,
);

/** $1 import, $2 lines of it, $3 note, $4 who, $5 now. */
export const updateMissingSettled = statement(
  'update-missing-settlement-lines-settled',
  `${resolvedBy("('FOUND_LATER', $3, $4, $5::timestamptz)")}
    where l.import_id = $1 and l.id = any($2::uuid[]) and l.result = 'MISSING_THERE' and l.resolved_at is null`,
);

/**
 * Of these payouts, those that no file has confirmed, that this file does not name, and that are not known to be
 * missing.
 */
export const listUnnamedPayouts = statement<{ payout_id: string }>(
  'list-unnamed-payouts',
  `with settled as materialized (
     select s.payout_id
       from unnest($3::uuid[], $4::uuid[]) as wanted (merchant_id, payout_id)
       join payout_settlements s
         on s.merchant_id = wanted.merchant_id and s.mode = $2 and s.payout_id = wanted.payout_id and s.kind = 'PAID'
   )
   select wanted.payout_id
     from unnest($4::uuid[]) as wanted (payout_id)
    where wanted.payout_id not in (select payout_id from settled)
      and not exists (
            select from settlement_lines l
             where l.import_id = $1 and l.reference = replace(wanted.payout_id::text, '-', ''))
      and not exists (
            select from settlement_lines l where l.import_id = $1 and l.payout_id = wanted.payout_id)
      and not exists (
            select from settlement_lines l
             where l.payout_id = wanted.payout_id and l.result = 'MISSING_THERE' and l.resolved_at is null)`,
);

type MissingLine = Pick<LineRow, 'import_id' | 'id' | 'kind' | 'result' | 'detail' | 'settles'> & {
  reference: string;
  session_id: string | null;
  merchant_id: string;
  payout_id: string;
  our_status: string;
  our_amount_minor: bigint;
};

/** A payout that another import misses at the same moment is recorded as missing once. */
export const insertMissingLines = setStatement<MissingLine>(
  'insert-missing-settlement-lines',
  {
    import_id: 'uuid',
    id: 'uuid',
    reference: 'text',
    session_id: 'text',
    kind: 'text',
    result: 'text',
    detail: 'text',
    merchant_id: 'uuid',
    payout_id: 'uuid',
    our_status: 'text',
    our_amount_minor: 'bigint',
    settles: 'boolean',
  },
  `insert into settlement_lines (import_id, id, reference, session_id, kind, result, detail, merchant_id, payout_id,
     our_status, our_amount_minor, settles, digest)
   select line.import_id, line.id, line.reference, line.session_id, line.kind, line.result, line.detail, line.merchant_id,
          line.payout_id, line.our_status, line.our_amount_minor, line.settles, ${lineDigest('line')}
     from (
       select rows.*, null::integer as line_number, null::bigint as amount_minor, null::text as currency,
              null::text as account_number, null::text as bank_code, null::timestamptz as occurred_at,
              null::text as status_text, ${UNRESOLVED}
         from :rows
     ) line
   on conflict (payout_id) where result = 'MISSING_THERE' and resolved_at is null do nothing`,
);

/** Payments are settled before returns: what came back was paid first. */
export const listLinesToSettle = statement<
  Pick<LineRow, 'id' | 'kind'> & { merchant_id: string; payout_id: string; our_amount_minor: bigint }
>(
  'list-settlement-lines-to-settle',
  `select id, kind, merchant_id, payout_id, our_amount_minor from settlement_lines
    where import_id = $1 and settles and settled_at is null and kind = $2 and id <> all ($4::uuid[])
      and ($5::uuid is null or id = $5) order by merchant_id, id limit $3`,
);

export const updateLinesSettled = statement(
  'update-settlement-lines-settled',
  'update settlement_lines set settled_at = $3 where import_id = $1 and id = any($2::uuid[]) and settled_at is null',
);

export const findLine = statement<LineRow>(
  'find-settlement-line',
  'select * from settlement_lines where import_id = $1 and id = $2',
);

/** A line that was applied moved money: it is marked so, also where somebody accepted it at the same moment. */
export const updateLineResolved = statement<{ id: string }>(
  'update-settlement-line-resolved',
  `${resolvedBy('($3, $4, $5, $6::timestamptz)')}
    where l.import_id = $1 and l.id = $2
      and (l.resolved_at is null or (l.resolved_how = 'ACCEPTED' and $3::text = 'APPLIED'))
    returning l.id`,
);

export const updateLineSettles = statement(
  'update-settlement-line-settles',
  'update settlement_lines set settles = true where import_id = $1 and id = $2',
);

export interface SettlementRow {
  merchant_id: string;
  mode: Mode;
  payout_id: string;
  kind: 'PAID' | 'RETURNED';
  amount_minor: bigint;
  transfer_id: string | null;
  import_id: string;
  settled_at: Date;
}

export const insertSettlements = setInsert<SettlementRow>('payout_settlements', {
  merchant_id: 'uuid',
  mode: 'text',
  payout_id: 'uuid',
  kind: 'text',
  amount_minor: 'bigint',
  transfer_id: 'uuid',
  import_id: 'uuid',
  settled_at: 'timestamptz',
});

export const listSettlements = statement<Pick<SettlementRow, 'payout_id' | 'kind' | 'transfer_id'>>(
  'list-payout-settlements',
  `select payout_id, kind, transfer_id from payout_settlements
    where merchant_id = $1 and mode = $2 and payout_id = any($3::uuid[])`,
);

export interface FloatCheckRow {
  id: string;
  rails: string;
  mode: Mode;
  merchant_id: string | null;
  currency: string;
  rail_minor: bigint;
  float_minor: bigint;
  unsettled_minor: bigint;
  held_minor: bigint;
  /** What providers still owe: some of it may lie at the rail already. Null: from before it was recorded. */
  receivable_minor: bigint | null;
  difference_minor: bigint;
  checked_by: string;
  checked_at: Date;
}

export const insertFloatChecks = setInsert<FloatCheckRow>('float_checks', {
  id: 'uuid',
  rails: 'text',
  mode: 'text',
  merchant_id: 'uuid',
  currency: 'text',
  rail_minor: 'bigint',
  float_minor: 'bigint',
  unsettled_minor: 'bigint',
  held_minor: 'bigint',
  receivable_minor: 'bigint',
  difference_minor: 'bigint',
  checked_by: 'text',
  checked_at: 'timestamptz',
});

/** The last comparison of the same rails before. */
export const findLastFloatCheck = statement<FloatCheckRow>(
  'find-last-float-check',
  `select * from float_checks
    where mode = $1 and rails = $2 and merchant_id is not distinct from $3
    order by checked_at desc, id desc limit 1`,
);
