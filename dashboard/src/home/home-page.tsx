import { FlaskConical, Send } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode, useSession } from '../api/session.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { NeedsList } from '../components/needs-list.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { ErrorState } from '../components/states.tsx';
import { MoneyOverTimeSection } from '../wallet/money-over-time-section.tsx';
import { WalletFigures } from '../wallet/wallet-figures.tsx';
import { MoneyInSection } from './money-in-section.tsx';
import { useHome, useNeeds } from './needs.ts';
import { TodaySection } from './today-section.tsx';

/** As long as a business is on its way to its first live payout. */
const SetUpSection = lazy(() => import('./set-up.tsx').then((part) => ({ default: part.SetUpSection })));
const FundDialog = lazy(() => import('../wallet/movement-dialog.tsx').then((part) => ({ default: part.FundDialog })));

/** The first page: what there is, what waits, what happened today. */
export function HomePage() {
  const mode = useMode();
  const may = useMay();
  const { person, supportView } = useSession();
  const [funding, setFunding] = useState(false);
  const { data, error, refetch } = useRead('/wallet/merchant', {}, { enabled: may('wallet:read', mode) });
  const wallet = data?.wallet;
  const fund = mode === 'SANDBOX' && may('sandbox:write', mode) && (
    <Button icon={FlaskConical} disabled={wallet === undefined} onClick={() => setFunding(true)}>
      Add test money
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Home"
        actions={
          <>
            {fund}
            {may('payout:write', mode) && (
              <ButtonLink to="/payouts/new" search={{}} look="primary" icon={Send}>
                New payout
              </ButtonLink>
            )}
          </>
        }
      >
        {supportView === null ? `Welcome, ${person.firstName}.` : undefined}
      </PageHeader>
      {error !== null && wallet === undefined ? (
        <div className="mb-8">
          <ErrorState error={error} onRetry={refetch} />
        </div>
      ) : (
        may('wallet:read', mode) && <WalletFigures wallet={wallet} />
      )}
      <NeedsSection />
      {may('transaction:read', mode) && <TodaySection firstStep={fund} />}
      {may('wallet:read', mode) && (
        <MoneyOverTimeSection about="All your wallets together: main, stores and subaccounts." />
      )}
      {may('collection:read', mode) && may('wallet:read', mode) && <MoneyInSection wallet={wallet} />}
      {wallet !== undefined && funding && (
        <Suspense>
          <FundDialog open onClose={() => setFunding(false)} wallet={{ id: wallet.id, name: 'the main wallet' }} />
        </Suspense>
      )}
    </>
  );
}

/** What waits for the signed-in person of a merchant, and what is left until its first live payout. */
function NeedsSection() {
  const { data, error, refetch } = useHome();
  const needs = useNeeds(data);
  return (
    <>
      {data?.setUp != null && (
        <Suspense>
          <SetUpSection setUp={data.setUp} />
        </Suspense>
      )}
      <NeedsList
        needs={needs}
        isLoading={data === undefined && error === null}
        error={data === undefined ? error : null}
        onRetry={refetch}
      />
    </>
  );
}
