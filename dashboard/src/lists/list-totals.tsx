import type { ApiError } from '../api/errors.ts';
import type { Data } from '../api/types.ts';
import { Amount } from '../components/values.tsx';
import { formatCount, sumMoney } from '../format/money.ts';
import type { Choice } from './filter-fields.ts';

type Totals = Data<'get', '/transaction/total'>;

export interface ListTotalsProps {
  found: { data: Totals | undefined; error: ApiError | null };
  statuses: readonly Choice[];
  /** One, and more: `payout`, `payouts`. */
  nouns: readonly [one: string, more: string];
  /** What is taken beside the amount: `charges`. */
  fees: string;
}

/** How often what a filter comes to is looked at again; it reads up to 100,000 rows. */
export const TOTALS_EVERY_MS = 30_000;

/** What the filter comes to, all of it and by status. */
export function ListTotals({ found: { data, error }, statuses, nouns, fees }: ListTotalsProps) {
  if (error !== null && data === undefined) {
    return (
      <p role="status" className="mb-3 text-sm text-muted">
        {error.message}
      </p>
    );
  }
  // As high as the line that comes.
  if (data === undefined) return <p className="mb-3 min-h-5" aria-hidden />;
  if (data.count === 0) return null;
  const [one, more] = nouns;
  if (data.totals === null) {
    return (
      <p role="status" className="mb-3 text-sm text-muted">
        More than {formatCount(data.count)} {more}: too many to add up. Choose a shorter period for their sum.
      </p>
    );
  }
  const amounts = data.totals.map(({ amount }) => amount);
  const given = data.totals.filter(({ status }) => !NOT_PAID.has(status));
  const taken = given.map((total) => total.fees);
  return (
    <section aria-label="Totals of the filter" className="mb-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      <p>
        <strong className="figures font-semibold">{formatCount(data.count)}</strong> {data.count === 1 ? one : more},{' '}
        <Amount value={sumOf(amounts)} className="font-semibold" />
        {given.length === 0 && <strong className="font-semibold">, {notPaid(data.totals)}; nothing was charged</strong>}
        {sumOf(taken) !== 0 && (
          <span className="text-muted">
            , {fees} <Amount value={sumOf(taken)} />
            {given.length < data.totals.length && ' of what was paid or is on its way'}
          </span>
        )}
      </p>
      {data.totals.length > 1 &&
        data.totals.map(({ status, count, amount }) => (
          <p key={status} className="text-muted">
            {statuses.find(({ value }) => value === status)?.label ?? status}{' '}
            <span className="figures">{formatCount(count)}</span>, <Amount value={amount} />
          </p>
        ))}
    </section>
  );
}

/** Statuses of which money and charges are in the wallet again, or never left it. */
const NOT_PAID: ReadonlySet<string> = new Set(['FAILED', 'CANCELLED', 'REVERSED']);

function notPaid(totals: NonNullable<Totals['totals']>): string {
  const returned = totals.filter(({ status }) => status === 'REVERSED').length;
  if (returned === 0) return 'not paid';
  return returned === totals.length ? 'all of it returned' : 'not paid or returned';
}

function sumOf(amounts: readonly (number | null)[]): number | null {
  const given = amounts.filter((amount) => amount !== null);
  return given.length < amounts.length ? null : sumMoney(given);
}
