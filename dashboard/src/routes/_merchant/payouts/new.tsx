import { createFileRoute } from '@tanstack/react-router';
import { useIsSuspended, useMay, useMode } from '../../../api/session.ts';
import { Alert } from '../../../components/alert.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { groupTyped } from '../../../format/money.ts';
import { PURPOSES } from '../../../format/purposes.ts';
import { PayoutForm } from '../../../payouts/payout-form.tsx';

interface NewPayoutSearch {
  bankCode?: string;
  accountNumber?: string;
  amount?: string;
  narration?: string;
  purpose?: string;
  when?: 'later';
}

export const Route = createFileRoute('/_merchant/payouts/new')({
  // Digits in an address are read as numbers, so an account may have lost its zeros there: then it is left out.
  validateSearch: (raw: Record<string, unknown>): NewPayoutSearch => ({
    ...textOf(raw, 'bankCode', /^\d{3,6}$/),
    ...textOf(raw, 'accountNumber', /^\d{10}$/),
    ...textOf(raw, 'amount', /^\d{1,13}(\.\d{1,2})?$/),
    ...textOf(raw, 'narration', /^.{1,100}$/u),
    ...textOf(raw, 'purpose', /^[A-Z_]{1,40}$/),
    ...(raw['when'] === 'later' ? { when: 'later' } : {}),
  }),
  component: NewPayoutRoute,
});

function textOf<K extends keyof NewPayoutSearch>(raw: Record<string, unknown>, name: K, pattern: RegExp) {
  const text = raw[name];
  return typeof text === 'string' && pattern.test(text) ? { [name]: text } : {};
}

function NewPayoutRoute() {
  const { when, purpose, amount, ...given } = Route.useSearch();
  const mayPay = useMay()('payout:write', useMode());
  const isSuspended = useIsSuspended();
  const start = {
    ...given,
    ...(amount === undefined ? {} : { amount: groupTyped(amount) }),
    ...(purpose !== undefined && Object.hasOwn(PURPOSES, purpose) ? { purpose } : {}),
  };
  return (
    <>
      <PageHeader title="New payout" back={{ to: '/payouts', label: 'All payouts' }}>
        Nothing moves before you have seen the owner’s name and the charges, and given the PIN.
      </PageHeader>
      {mayPay ? (
        <PayoutForm start={{ ...start, when: when === 'later' ? 'LATER' : 'NOW' }} />
      ) : (
        !isSuspended && <Alert tone="info">Your role can look at payouts here. A maker pays them.</Alert>
      )}
    </>
  );
}
