import { activeFields, type FilterField, type FilterSearch } from './filter-fields.ts';

/** What no index answers, so that the service looks 90 days back. */
const LOOKED_THROUGH: ReadonlySet<FilterField> = new Set([
  'rail',
  'channel',
  'counterparty',
  'payer',
  'amountFrom',
  'amountTo',
]);

/** Says that a list begins 90 days back where no day is chosen. */
export function RecentNote({ search }: { search: FilterSearch }) {
  const isThrough = activeFields('TRANSACTIONS', search)
    .concat(activeFields('PAYMENTS_IN', search))
    .some((field) => LOOKED_THROUGH.has(field));
  if (!isThrough || search.from !== undefined) return null;
  return <p className="mb-3 text-sm text-muted">Of the last 90 days. Choose a day under From to go further back.</p>;
}
