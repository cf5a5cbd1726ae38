import { ChevronRight } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import { ButtonLink } from '../components/button.tsx';
import { formatCount } from '../format/money.ts';

/** From one merchant that waits for review on to the next, whoever waits longest first. */
export function NextToReview({ merchantId }: { merchantId: string }) {
  const { data } = useRead('/operator/merchant', { query: { review: 'SUBMITTED', page: 1, size: 2 } });
  const next = data?.records.find((one) => one.merchantId !== merchantId);
  if (data === undefined || next === undefined) return null;
  const isWaiting = data.records.some((one) => one.merchantId === merchantId);
  const others = (data.totalRecords ?? 0) - (isWaiting ? 1 : 0);
  return (
    <ButtonLink
      to="/operator/merchants/$merchantId"
      params={{ merchantId: next.merchantId }}
      look="quiet"
      icon={ChevronRight}
      aria-label={`Next to review (${formatCount(others)}): ${next.businessName}`}
    >
      Next to review ({formatCount(others)})
    </ButtonLink>
  );
}
