import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { AccountNumbers } from './account-numbers.tsx';
import { BalanceChart } from './balance-chart.tsx';
import { FundDialog } from './movement-dialog.tsx';
import { Statement, type StatementSearch } from './statement.tsx';
import { WalletFigures, WalletId } from './wallet-figures.tsx';

export interface WalletPageProps {
  search: StatementSearch;
  onSearch: (search: StatementSearch) => void;
}

/** The merchant wallet: where money comes in, and out of which payouts are paid. */
export function WalletPage({ search, onSearch }: WalletPageProps) {
  const mode = useMode();
  const may = useMay();
  const [funding, setFunding] = useState(false);
  const answer = useRead('/wallet/merchant', {});
  const wallet = answer.data?.wallet;
  const mayFund = mode === 'SANDBOX' && may('sandbox:write', mode);

  return (
    <>
      <PageHeader
        title="Wallet"
        actions={
          mayFund && (
            <Button icon={FlaskConical} disabled={wallet === undefined} onClick={() => setFunding(true)}>
              Add test money
            </Button>
          )
        }
      >
        Your main account: payouts are paid from it, and sweeps of stores land in it.
      </PageHeader>
      {answer.error !== null && wallet === undefined ? (
        <ErrorState error={answer.error} onRetry={answer.refetch} />
      ) : (
        <Balances wallet={wallet} />
      )}
      {wallet !== undefined && (
        <>
          <BalanceChart walletId={wallet.id} period={search} />
          <Statement
            walletId={wallet.id}
            name="wallet"
            search={search}
            onSearch={onSearch}
            empty={<NoEntry mayFund={mayFund} onFund={() => setFunding(true)} />}
          />
          <FundDialog
            open={funding}
            onClose={() => setFunding(false)}
            wallet={{ id: wallet.id, name: 'the main wallet' }}
          />
        </>
      )}
    </>
  );
}

function Balances({ wallet }: { wallet: Data<'get', '/wallet/merchant'>['wallet'] | undefined }) {
  return (
    <>
      <WalletFigures wallet={wallet} />
      <Section title="Add money" about="Anybody can pay to this from their bank. What arrives is yours to pay out.">
        {wallet === undefined ? (
          <Skeleton className="h-20 w-full" />
        ) : (
          <>
            <AccountNumbers walletId={wallet.id} name="the wallet" />
            <WalletId id={wallet.id} />
          </>
        )}
      </Section>
    </>
  );
}

function NoEntry({ mayFund, onFund }: { mayFund: boolean; onFund: () => void }) {
  return (
    <EmptyState
      title="Nothing moved in the last 30 days"
      action={
        mayFund && (
          <Button look="primary" onClick={onFund}>
            Add test money
          </Button>
        )
      }
    >
      Each entry shows what came in or went out and the balance after it. {mayFund && 'Begin with some test money.'}
    </EmptyState>
  );
}
