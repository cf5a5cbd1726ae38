import { createFileRoute } from '@tanstack/react-router';
import { PageHeader } from '../../../components/page-header.tsx';
import { PayoutForm } from '../../../payouts/payout-form.tsx';

interface NewPayoutSearch {
  bankCode?: string;
  accountNumber?: string;
  when?: 'later';
}

export const Route = createFileRoute('/_merchant/payouts/new')({
  // Digits in an address are read as numbers, so an account may have lost its zeros there: then it is left out.
  validateSearch: ({ bankCode, accountNumber, when }: Record<string, unknown>): NewPayoutSearch => ({
    ...(typeof bankCode === 'string' && /^\d{3,6}$/.test(bankCode) ? { bankCode } : {}),
    ...(typeof accountNumber === 'string' && /^\d{10}$/.test(accountNumber) ? { accountNumber } : {}),
    ...(when === 'later' ? { when } : {}),
  }),
  component: NewPayoutRoute,
});

function NewPayoutRoute() {
  const { bankCode = '', accountNumber = '', when } = Route.useSearch();
  return (
    <>
      <PageHeader title="New payout" back={{ to: '/payouts', label: 'All payouts' }}>
        Nothing moves before you have seen the owner’s name and the charges, and given the PIN.
      </PageHeader>
      <PayoutForm start={{ bankCode, accountNumber, when: when === 'later' ? 'LATER' : 'NOW' }} />
    </>
  );
}
