import { formatCount, lessMoney } from '../format/money.ts';
import { Figures } from './figures.tsx';

interface Balances {
  bookedBalance: number;
  availableBalance: number;
  totalChildAccountBalance: number;
  totalChildAccounts: number;
}

/** The four figures of the main wallet; the same on home. */
export function WalletFigures({ wallet }: { wallet: Balances | undefined }) {
  return (
    <Figures
      figures={[
        { label: 'Available', value: wallet?.availableBalance, about: 'Yours to move or pay out now.' },
        { label: 'Booked', value: wallet?.bookedBalance, about: 'All that is in the wallet.' },
        {
          label: 'Held',
          value: wallet === undefined ? undefined : lessMoney(wallet.bookedBalance, wallet.availableBalance),
          about: 'Set aside for payouts on their way.',
        },
        {
          label: 'In subaccounts',
          value: wallet?.totalChildAccountBalance,
          about: wallet === undefined ? 'In all of them.' : aboutAccounts(wallet.totalChildAccounts),
        },
      ]}
    />
  );
}

function aboutAccounts(count: number): string {
  if (count === 0) return 'None is open yet.';
  return count === 1 ? 'In one subaccount.' : `In ${formatCount(count)} subaccounts.`;
}
