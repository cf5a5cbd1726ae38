import { OPEN_RECEIVABLES } from '../collections/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { POSTED_RESULTS } from './classify-line.ts';
import { planUnsettledReport } from './line-queries.ts';

interface UnsettledRow {
  rail: string;
  payments: number;
  amount_minor: bigint;
  oldest_at: Date | null;
}

/**
 * By provider account: payments that nothing has settled, less refunds and disputes that no settlement has deducted. $1 mode.
 * After `planUnsettledReport`.
 */
const sumUnsettledPayments = statement<UnsettledRow>(
  'sum-unsettled-payments-by-account',
  `select p.rail, count(p.confirmed_at)::int as payments, coalesce(sum(p.amount_minor), 0)::bigint as amount_minor,
          min(p.confirmed_at) as oldest_at
     from ${OPEN_RECEIVABLES} p
    where p.mode = $1
    group by p.rail`,
);

interface DifferenceRow {
  rail: string;
  result: string;
  lines: number;
  amount_minor: bigint;
}

/** By provider account and result: lines of applied settlements that differ and that nobody has looked into. $1 mode. */
const sumOpenLines = statement<DifferenceRow>(
  'sum-open-provider-settlement-lines',
  `select f.rail, l.result, count(*)::int as lines,
          coalesce(sum(coalesce(l.gross_minor, l.our_amount_minor)), 0)::bigint as amount_minor
     from provider_settlement_lines l
     join provider_settlements f on f.id = l.settlement_id
    where f.mode = $1 and f.status in ('READY', 'APPLYING', 'DONE') and l.result is not null
      and l.result not in ${POSTED_RESULTS} and l.resolved_at is null
    group by f.rail, l.result
    order by f.rail, l.result`,
);

/**
 * What is in the balances of what providers owe that nobody has settled or explained. It reads all payments: for
 * reports.
 */
export async function readOpenDifferences(
  queries: Queries,
  mode: Mode,
): Promise<{ unsettled: UnsettledRow[]; differences: DifferenceRow[] }> {
  await queries.query(planUnsettledReport);
  const unsettled = await queries.query(sumUnsettledPayments, [mode]);
  return { unsettled, differences: await queries.query(sumOpenLines, [mode]) };
}
