import { nowMs } from '../api/clock.ts';
import type { Data, Mode } from '../api/types.ts';
import { DescriptionList } from '../components/description-list.tsx';
import { Section } from '../components/page-header.tsx';
import { Amount, Moment } from '../components/values.tsx';

export type Terms = Data<'get', '/operator/settlement-terms'>['records'][number];

/** Of one merchant, or of all: the row that began last. */
export function inForce(terms: readonly Terms[], mode: Mode, merchantId: string | null): Terms | undefined {
  const now = nowMs();
  const begun = terms.filter((row) => row.mode === mode && Date.parse(row.effectiveFrom) <= now);
  return begun.findLast((row) => row.merchantId === merchantId) ?? begun.findLast((row) => row.merchantId === null);
}

/** The terms of all merchants in a mode, and for how many single ones others count. */
export function TermsInForce({ terms, mode }: { terms: readonly Terms[]; mode: Mode }) {
  const now = inForce(terms, mode, null);
  if (now === undefined) return null;
  const own = new Set(terms.flatMap((row) => (row.mode === mode && row.merchantId !== null ? [row.merchantId] : [])));
  return (
    <Section title="Terms for all merchants">
      <DescriptionList
        items={[
          { label: 'Settlements', value: now.enabled ? 'Switched on' : 'Switched off' },
          { label: 'Least amount', value: <Amount value={now.minimum} />, figure: true },
          { label: 'At once means within', value: `${Math.ceil(now.windowSeconds / 60)} minutes` },
          { label: 'Cooling-off of another account', value: `${Math.round(now.coolingOffSeconds / 3600)} hours` },
          { label: 'Since', value: <Moment at={now.effectiveFrom} /> },
          { label: 'Merchants with terms of their own', value: own.size },
        ]}
      />
    </Section>
  );
}
