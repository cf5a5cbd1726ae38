import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { keyOf, useRead } from '../api/reads.ts';
import { useMode, useSession } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { type AccountOwner, useBankOptions } from '../beneficiaries/bank-accounts.tsx';
import { Alert } from '../components/alert.tsx';
import { cn } from '../components/class-names.ts';
import { DescriptionList } from '../components/description-list.tsx';
import { Section } from '../components/page-header.tsx';
import { PinDialog } from '../components/pin-dialog.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { accountNumberOf } from '../format/accounts.ts';
import { formatMoney, isLimit, parseMoney } from '../format/money.ts';
import type { Purpose } from '../format/purposes.ts';
import { lagosInstant } from '../format/time.ts';
import type { PayoutDraft } from './payout-draft.ts';

export interface ConfirmPayoutProps {
  draft: PayoutDraft;
  /** As the bank said it, where it did. */
  owner: AccountOwner | undefined;
  quote: Quote | undefined;
  onClose: () => void;
  onConfirm: (pin: string) => Promise<unknown>;
}

/** Everything once more, and the PIN. */
export function ConfirmPayout({ draft, owner: ownerNow, quote, onClose, onConfirm }: ConfirmPayoutProps) {
  const { merchant } = useSession();
  const { options } = useBankOptions();
  const amount = parseMoney(draft.amount) ?? 0;
  const quotedNow = quote?.amount === amount ? quote : undefined;
  const [quoted, isOtherCost] = useAsShown(quotedNow, ({ total }) => total);
  const [owner, isOtherOwner] = useAsShown(ownerNow, ({ accountName }) => accountName);
  const isLater = draft.when === 'LATER';
  const needsApproval = merchant?.isMakerCheckerEnabled === true;
  const bank = owner?.bankName ?? options.find(({ value }) => value === draft.bankCode)?.label ?? draft.bankCode;
  const verb = isLater ? 'Schedule' : 'Pay';
  return (
    <PinDialog
      open
      onClose={onClose}
      title={isLater ? 'Schedule this payout?' : 'Pay this now?'}
      confirm={needsApproval ? 'Send for approval' : `${verb} ${formatMoney(amount)}`}
      missing={isOtherOwner ? OTHER_OWNER : isOtherCost ? OTHER_COST : undefined}
      onConfirm={onConfirm}
    >
      <DescriptionList
        layout="rows"
        items={[
          {
            label: 'To',
            value: (
              <span className="font-semibold">{owner?.accountName ?? 'The bank names the owner when it is sent'}</span>
            ),
          },
          { label: 'Account', value: `${accountNumberOf(draft.accountNumber)}, ${bank}` },
          { label: 'Amount', value: <Amount value={amount} className="font-semibold" /> },
          { label: 'Charges', value: <Amount value={quoted?.charges} /> },
          { label: 'Leaves the wallet', value: <Amount value={quoted?.total} /> },
          { label: 'Narration', value: draft.narration },
          ...(isLater
            ? [{ label: 'When', value: <Moment at={new Date(lagosInstant(draft.later)).toISOString()} /> }]
            : []),
        ]}
      />
      {needsApproval && <p className="text-muted">Another person has to approve it before it is sent.</p>}
    </PinDialog>
  );
}

const OTHER_COST =
  'The charges have changed since this was opened. Nothing was sent. Close this, and look at what it costs now.';
const OTHER_OWNER =
  'The bank gives another name for this account now. Nothing was sent. Close this, and look at whom you pay.';

/** What was shown first, for as long as it is asked about, and whether it is another by now. */
function useAsShown<T>(now: T | undefined, of: (value: T) => unknown): [shown: T | undefined, isOther: boolean] {
  const [first, setFirst] = useState(now);
  if (first === undefined && now !== undefined) setFirst(now);
  const isOther = first !== undefined && now !== undefined && of(first) !== of(now);
  return [first ?? now, isOther];
}

type Quote = Data<'post', '/payout/quote'>;

export interface QuoteCardProps {
  amount: number | undefined;
  quote: { quote: Quote | undefined; isOld: boolean };
}

/** What it costs, before anything moves, and what is there to pay it from. */
export function QuoteCard({ amount, quote: { quote, isOld } }: QuoteCardProps) {
  const wallet = useRead('/wallet/merchant', {});
  const limit = useRead('/payout/limit', {});
  const available = wallet.data?.wallet?.availableBalance;
  const { perPayout = null, perDay = null, leftToday = null } = limit.data ?? {};
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
              { label: 'Left today', value: isLimit(perDay) ? <Amount value={leftToday} /> : 'No daily limit' },
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

const PAUSE_MS = 250;

/** What a payout of this amount would cost, once the typing pauses. */
export function useQuote(amount: number | undefined, purpose: Purpose) {
  const mode = useMode();
  const settled = useSettled(amount);
  const body = { amount: settled ?? 0, purpose };
  const quote = useQuery({
    queryKey: keyOf(mode, '/payout/quote', body),
    queryFn: ({ signal }) => call('post', '/payout/quote', { body }, { mode, signal }),
    enabled: settled !== undefined && settled > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return {
    quote: amount === undefined ? undefined : quote.data,
    isOld: amount !== settled || quote.isPlaceholderData,
    error: quote.error,
  };
}

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
