import { toNumberOrNull } from '../money/index.ts';
import { batchReferenceOf, referenceOf } from '../transactions/index.ts';
import type { Hit } from './read-hits.ts';
import type { OperatorSearchView, SearchView } from './schemas.ts';
import type { MerchantSearch, OperatorSearch } from './search.ts';

export function searchView({ hits, more, index }: MerchantSearch): SearchView {
  const { isFilling: filling, waitingEvents } = index;
  const complete = !filling && waitingEvents === 0n;
  return { hits: hits.map(hitView), more, index: { complete, filling, waitingEvents: Number(waitingEvents) } };
}

export function operatorSearchView({ hits, more, merchants }: OperatorSearch): OperatorSearchView {
  return {
    hits: hits.map((hit) => {
      const merchantName = merchants.get(hit.merchant_id) ?? null;
      return {
        ...hitView(hit),
        merchantId: merchantName === null ? null : hit.merchant_id,
        merchantName,
        mode: hit.mode,
      };
    }),
    more,
  };
}

function hitView(hit: Hit) {
  return {
    type: hit.type,
    id: hit.id,
    reference: referenceOfHit(hit),
    title: hit.title,
    subtitle: hit.subtitle,
    amount: toNumberOrNull(hit.amount_minor),
    status: hit.status,
    exact: hit.isExact,
    createdAt: hit.created_at.toISOString(),
  };
}

function referenceOfHit({ type, id, reference }: Hit): string | null {
  if (type === 'BATCH') return batchReferenceOf(id);
  return reference ?? (type === 'PAYOUT' || type === 'TRANSACTION' ? referenceOf(id) : null);
}
