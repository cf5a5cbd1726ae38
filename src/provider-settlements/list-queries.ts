import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import { IN_LUMP, POSTED_RESULTS, type ProviderLineResult } from './classify-line.ts';
import { type ProviderLineRow, type ProviderSettlementRow, SETTLEMENT } from './queries.ts';

export type ListedSettlement = ProviderSettlementRow & {
  counts: Record<string, number> | null;
  unresolved: number;
  /** Of the lines of the file that could be read and are in its currency, in kobo. */
  gross_minor: bigint;
  fee_minor: bigint;
  net_minor: bigint;
  posted: number;
  /** Kobo that came to the float by it. */
  posted_net_minor: bigint;
};

const LAST_IMPORTED: ListOrder<ListedSettlement> = {
  direction: 'desc',
  keys: [
    { sql: 's.created_at', type: 'timestamptz', of: ({ created_at }) => created_at },
    { sql: 's.id', type: 'uuid', of: ({ id }) => id },
  ],
};

/** What of a line `l` of the settlement `s` is in the books. */
const POSTINGS = (s: string): string => `left join collection_settlements c
       on c.merchant_id = l.merchant_id and c.mode = ${s}.mode and c.payment_id = l.payment_id and c.line_id = l.id
     left join deduction_settlements d
       on d.merchant_id = l.merchant_id and d.mode = ${s}.mode and d.subject_type = l.subject_type
      and d.subject_id = l.subject_id and d.line_id = l.id`;

/** Of a settlement: its lines by result, their sums, and what of them is in the books. */
const SUMS = `left join lateral (
       select jsonb_object_agg(r.result, r.lines) as counts, sum(r.unresolved) as unresolved, sum(r.gross) as gross,
              sum(r.fee) as fee, sum(r.net) as net, sum(r.posted) as posted, sum(r.posted_net) as posted_net
         from (
           select l.result, count(*)::int as lines,
                  count(*) filter (where l.result not in ${POSTED_RESULTS} and l.resolved_at is null) as unresolved,
                  sum(l.gross_minor) filter (where ${IN_LUMP}) as gross,
                  sum(l.fee_minor) filter (where ${IN_LUMP}) as fee,
                  sum(l.net_minor) filter (where ${IN_LUMP}) as net,
                  count(c.id) + count(d.id) as posted,
                  coalesce(sum(c.gross_minor - c.fee_minor), 0) - coalesce(sum(d.amount_minor + d.fee_minor), 0) as posted_net
             from provider_settlement_lines l
             ${POSTINGS('s')}
            where l.settlement_id = s.id and l.result is not null
            group by l.result
         ) r
     ) counted on true`;

/** Recorded settlements of providers, newest first. Lines are counted only for the rows of the page. */
export const providerSettlementList: List<ListedSettlement> = {
  name: 'provider-settlements',
  of: [],
  order: LAST_IMPORTED,
  columns: `${SETTLEMENT('s')}, counted.counts, coalesce(counted.unresolved, 0)::int as unresolved,
     coalesce(counted.gross, 0)::bigint as gross_minor, coalesce(counted.fee, 0)::bigint as fee_minor,
     coalesce(counted.net, 0)::bigint as net_minor, coalesce(counted.posted, 0)::int as posted,
     coalesce(counted.posted_net, 0)::bigint as posted_net_minor`,
  from: (tail) => `(select * from provider_settlements s ${tail}) s ${SUMS}`,
  countFrom: 'provider_settlements s',
  where: ['true'],
  values: [],
};

/** Those that wait to be applied, and applied ones with a line that differs and that nobody has resolved. */
export const providerSettlementsToDecide: List<ListedSettlement> = {
  ...providerSettlementList,
  of: [true],
  where: [
    `(s.status = 'READY' or s.status = 'DONE' and s.id in (
        select l.settlement_id from provider_settlement_lines l
         where l.result not in ${POSTED_RESULTS} and l.resolved_at is null))`,
  ],
};

/** One of them, with the same sums. */
export const oneProviderSettlement = (id: string): List<ListedSettlement> => ({
  ...providerSettlementList,
  of: [id],
  where: ['s.id = $1'],
  values: [id],
});

/** What waits for people. $1: the address of the person who looks, whose own files wait for somebody else. */
export const countProviderSettlements = statement<{ to_apply: number; lines: number }>(
  'count-provider-settlements-waiting',
  `select (select count(*)::int from provider_settlements s where s.status = 'READY' and s.imported_by <> $1) as to_apply,
          (select count(*)::int
             from provider_settlements s
             join provider_settlement_lines l on l.settlement_id = s.id
            where s.status = 'DONE' and l.result not in ${POSTED_RESULTS} and l.resolved_at is null) as lines`,
);

const OF_STATE = {
  ALL: 'l.result is not null',
  OPEN: `l.result not in ${POSTED_RESULTS} and l.resolved_at is null`,
  RESOLVED: 'l.resolved_at is not null',
  AGREES: `l.result in ${POSTED_RESULTS}`,
} as const;

/** `OPEN`: differs, and nobody has resolved it. `AGREES`: is posted when the settlement is applied. */
export const PROVIDER_LINE_STATES = ['ALL', 'OPEN', 'RESOLVED', 'AGREES'] as const;
export type ProviderLineState = (typeof PROVIDER_LINE_STATES)[number];

export type ListedProviderLine = ProviderLineRow & { posted_at: Date | null };

/** After every line of a file. */
const NO_LINE = 2 ** 31 - 1;

const AS_IN_FILE: ListOrder<ListedProviderLine> = {
  direction: 'asc',
  keys: [
    { sql: `coalesce(l.line_number, ${NO_LINE})`, type: 'integer', of: ({ line_number }) => line_number ?? NO_LINE },
    { sql: 'l.id', type: 'uuid', of: ({ id }) => id },
  ],
};

/**
 * The lines of a settlement in the order of the file, lines that it lacks last. A state or result that is left out is
 * any.
 */
export function providerLineList(
  settlementId: string,
  { state, result }: { state?: ProviderLineState | undefined; result?: ProviderLineResult | null | undefined },
): List<ListedProviderLine> {
  const where = ['l.settlement_id = $1'];
  // The state is one of our own words, so it may stand in the text.
  if (state !== undefined) where.push(OF_STATE[state]);
  if (result != null) where.push(`l.result = '${result}'`);
  return {
    name: 'provider-settlement-lines',
    of: [settlementId, state, result],
    order: AS_IN_FILE,
    columns: 'l.*, coalesce(c.settled_at, d.settled_at) as posted_at',
    from: (tail) => `(select * from provider_settlement_lines l ${tail}) l
     join provider_settlements f on f.id = l.settlement_id
     ${POSTINGS('f')}`,
    countFrom: 'provider_settlement_lines l',
    where,
    values: [settlementId],
  };
}
