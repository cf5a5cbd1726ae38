import { DescriptionList } from '../components/description-list.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { railsText } from '../rails/rails-text.ts';
import { aboutVerdict, type FloatCheck, Verdict } from './verdict.tsx';

/** The last comparison of one group of rails, added up as a person would on paper. */
export function FloatCard({ check }: { check: FloatCheck }) {
  const amounts = [
    { label: 'Put there, by our books', value: check.float },
    { label: 'Paid, but confirmed by no file yet', value: -check.unsettled },
    { label: 'Should be there', value: check.expected },
    { label: 'The rails say', value: check.railBalance },
    { label: 'Difference', value: check.difference },
    { label: 'Held for payouts without an outcome', value: check.held },
  ];
  return (
    <section className="card p-4 sm:p-5" aria-labelledby={`float-${check.checkId}`}>
      <div className="mb-1 flex flex-wrap items-center justify-between gap-2">
        <h2 id={`float-${check.checkId}`} className="text-base font-semibold">
          {railsText(check.rails, check.mode)}
        </h2>
        <Verdict verdict={check.verdict} />
      </div>
      <p className="mb-3 text-sm text-muted">{aboutVerdict(check.verdict)}</p>
      <DescriptionList
        layout="rows"
        items={amounts.map(({ label, value }) => ({ label, value: <Amount value={value} />, figure: true }))}
      />
      <p className="mt-3 text-xs text-muted">
        Compared by {check.checkedBy}, <Moment at={check.checkedAt} />
        {check.merchantId !== null && `, for merchant ${check.merchantId}`}
      </p>
    </section>
  );
}
