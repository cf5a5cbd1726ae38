import { lazy, type ReactNode, Suspense } from 'react';
import { Section } from '../components/page-header.tsx';
import { Moment } from '../components/values.tsx';
import { lessMoney } from '../format/money.ts';
import { AccountNumbers } from '../wallet/account-numbers.tsx';
import { BalanceChart } from '../wallet/balance-chart.tsx';
import { MoneyOverTimeSection } from '../wallet/money-over-time-section.tsx';
import { Statement, type StatementSearch } from '../wallet/statement.tsx';
import { Figures, WalletId } from '../wallet/wallet-figures.tsx';
import type { Child } from './child-list.tsx';

const WalletSettlement = lazy(() =>
  import('../settlements/wallet-settlement.tsx').then((part) => ({ default: part.WalletSettlement })),
);

export interface ChildWalletViewProps {
  child: Child;
  search: StatementSearch;
  onSearch: (search: StatementSearch) => void;
  /** What a statement without an entry says. */
  empty: ReactNode;
  /** Between the account and the statement: how money gets in. */
  note?: ReactNode;
}

/** Balances, account, chart and statement of a store or subaccount. */
export function ChildWalletView({ child, search, onSearch, empty, note }: ChildWalletViewProps) {
  return (
    <>
      <Figures
        figures={[
          { label: 'Available', value: child.availableBalance, about: 'Can be moved now.' },
          { label: 'Booked', value: child.bookedBalance, about: 'All that is in the wallet.' },
          {
            label: 'Held',
            value: lessMoney(child.bookedBalance, child.availableBalance),
            about: 'Set aside for what is under way.',
          },
        ]}
      />
      <Section
        title="Account"
        about={
          <>
            Opened <Moment at={child.createdAt} show="day" />.
          </>
        }
      >
        <AccountNumbers walletId={child.walletId} name={child.name} />
        <WalletId id={child.walletId} />
        {note}
      </Section>
      <Suspense>
        <WalletSettlement walletId={child.walletId} />
      </Suspense>
      <MoneyOverTimeSection
        walletId={child.walletId}
        about={`What came into ${child.name} and went out of it, day by day.`}
      />
      <BalanceChart walletId={child.walletId} period={search} />
      <Statement walletId={child.walletId} name={child.name} search={search} onSearch={onSearch} empty={empty} />
    </>
  );
}
