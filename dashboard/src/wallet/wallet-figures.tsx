import { lessMoney } from '../format/money.ts';
import { Figures } from './figures.tsx';

interface Balances {
  bookedBalance: number;
  availableBalance: number;
  totalChildAccountBalance: number;
  totalChildAccounts: number;
}

/** The four figures of the main wallet; the same on home. */
export function WalletFigures({ wallet }: { wallet: Balances | undefined }) {
  const accounts = wallet?.totalChildAccounts ?? 0;
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
          about: accounts === 1 ? 'In one subaccount.' : `In ${accounts} subaccounts.`,
        },
      ]}
    />
  );
}
