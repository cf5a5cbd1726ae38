import type { Mode } from '../api/types.ts';
import { DescriptionList } from '../components/description-list.tsx';
import { Section } from '../components/page-header.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { hoursText, inForce, type Terms } from './settlement-terms.ts';

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
          { label: 'Cooling-off of another account', value: `${hoursText(now.coolingOffSeconds)} hours` },
          { label: 'Since', value: <Moment at={now.effectiveFrom} /> },
          { label: 'Merchants with terms of their own', value: own.size },
        ]}
      />
    </Section>
  );
}
