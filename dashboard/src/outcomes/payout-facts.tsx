import { DescriptionList } from '../components/description-list.tsx';
import { Amount, Copyable, Moment } from '../components/values.tsx';
import { railsText } from '../rails/rails-text.ts';
import type { OpenOutcome } from './outcome-words.ts';

interface PayoutFactsProps {
  payout: OpenOutcome;
  /** Without the merchant's name and the amount, where they stand above. */
  brief?: boolean;
  layout?: 'grid' | 'rows';
}

/** What both people look at before they say what became of a payout. */
export function PayoutFacts({ payout, brief, layout = 'grid' }: PayoutFactsProps) {
  const { businessName, merchantId, mode, amount, currency, rail, railReference, firstSentAt } = payout;
  const { lastCode, lastSessionId } = payout;
  const word = mode === 'LIVE' ? 'live' : 'sandbox';
  return (
    <DescriptionList
      layout={layout}
      items={[
        ...(brief === true
          ? []
          : [
              { label: 'Merchant', value: `${businessName ?? merchantId} (${word})` },
              { label: 'Amount', value: <Amount value={amount} currency={currency} /> },
            ]),
        { label: 'First sent', value: <Moment at={firstSentAt} utc /> },
        { label: 'Rail', value: railsText([rail], mode) },
        { label: 'Last code of the rail', value: lastCode ?? 'None' },
        { label: 'Reference at the rail', value: <Copyable text={railReference} what="reference" /> },
        {
          label: 'Session at the rail',
          value: lastSessionId === null ? 'Not known' : <Copyable text={lastSessionId} what="session id" />,
        },
      ]}
    />
  );
}
