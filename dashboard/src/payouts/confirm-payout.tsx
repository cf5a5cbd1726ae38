import { useSession } from '../api/session.ts';
import type { AccountOwner } from '../banks/account-name.tsx';
import { useBankOptions } from '../banks/use-banks.ts';
import { DescriptionList } from '../components/description-list.tsx';
import { PinDialog } from '../components/form-dialog.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatMoney, parseMoney } from '../format/money.ts';
import { lagosInstant } from '../format/time.ts';
import type { PayoutDraft } from './payout-draft.ts';
import type { Quote } from './quote-card.tsx';

export interface ConfirmPayoutProps {
  draft: PayoutDraft;
  /** As the bank said it, where it did. */
  owner: AccountOwner | undefined;
  quote: Quote | undefined;
  onClose: () => void;
  onConfirm: (pin: string) => Promise<unknown>;
}

/** Everything once more, and the PIN. */
export function ConfirmPayout({ draft, owner, quote, onClose, onConfirm }: ConfirmPayoutProps) {
  const { merchant } = useSession();
  const { options } = useBankOptions();
  const amount = parseMoney(draft.amount) ?? 0;
  const quoted = quote?.amount === amount ? quote : undefined;
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
          { label: 'Account', value: `${draft.accountNumber.trim()}, ${bank}` },
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
