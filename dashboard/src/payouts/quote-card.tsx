import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { cn } from '../components/class-names.ts';
import { DescriptionList } from '../components/description-list.tsx';
import { Section } from '../components/page-header.tsx';
import { Amount } from '../components/values.tsx';

export type Quote = Data<'post', '/payout/quote'>;

export interface QuoteCardProps {
  amount: number | undefined;
  quote: { quote: Quote | undefined; isOld: boolean };
}

/** What it costs, before anything moves, and what is there to pay it from. */
export function QuoteCard({ amount, quote: { quote, isOld } }: QuoteCardProps) {
  const wallet = useRead('/wallet/merchant', {});
  const limit = useRead('/payout/limit', {});
  const available = wallet.data?.wallet?.availableBalance;
  const { perPayout = null, leftToday = null } = limit.data ?? {};
  const short = quote !== undefined && available !== undefined && quote.total > available;
  const tooMuch = amount !== undefined && perPayout !== null && amount > perPayout;
  const overDay = amount !== undefined && leftToday !== null && amount > leftToday;
  return (
    <aside className="min-w-0">
      <Section title="What it costs">
        <div className={cn('transition-opacity', isOld && 'opacity-60')} aria-live="polite" aria-busy={isOld}>
          <DescriptionList
            layout="rows"
            items={[
              { label: 'To the beneficiary', value: <Amount value={quote?.amount} /> },
              { label: 'Fee', value: <Amount value={quote?.fee} /> },
              { label: 'VAT on the fee', value: <Amount value={quote?.vat} /> },
              { label: 'Stamp duty', value: <Amount value={quote?.stampDuty} /> },
              { label: 'Leaves the wallet', value: <Amount value={quote?.total} className="font-semibold" /> },
            ]}
          />
        </div>
        <div className="mt-4 border-t pt-3 text-xs text-muted">
          <DescriptionList
            layout="rows"
            items={[
              { label: 'In the wallet', value: <Amount value={available} /> },
              { label: 'Left today', value: leftToday === null ? 'No limit' : <Amount value={leftToday} /> },
            ]}
          />
        </div>
        {short && (
          <Alert tone="warn" className="mt-3">
            The wallet does not have this much available.
          </Alert>
        )}
        {tooMuch && (
          <Alert tone="warn" className="mt-3">
            One payout may be at most <Amount value={perPayout} />.
          </Alert>
        )}
        {overDay && !tooMuch && (
          <Alert tone="warn" className="mt-3">
            This is more than is left for today.
          </Alert>
        )}
      </Section>
    </aside>
  );
}
