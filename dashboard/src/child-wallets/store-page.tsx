import { ArrowRightLeft, FlaskConical } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.tsx';
import type { StatementSearch } from '../wallet/statement.tsx';
import { ServiceMissing, useService } from './child-list.tsx';
import { ChildWalletView } from './child-wallet-view.tsx';

const dialogs = () => import('../wallet/movement-dialog.tsx');
const FundDialog = lazy(() => dialogs().then((part) => ({ default: part.FundDialog })));
const MovementDialog = lazy(() => dialogs().then((part) => ({ default: part.MovementDialog })));

type Store = Data<'get', '/branch/store/{storeId}'>;

export interface StorePageProps {
  storeId: string;
  search: StatementSearch;
  onSearch: (search: StatementSearch) => void;
}

export function StorePage({ storeId, search, onSearch }: StorePageProps) {
  const enabled = useService('BRANCH');
  const store = useRead('/branch/store/{storeId}', { path: { storeId } }, { enabled });
  const back = { to: '/stores', label: 'All stores' } as const;
  if (!enabled || store.data === undefined) {
    return (
      <>
        <PageHeader title="Store" back={back} />
        {!enabled ? (
          <ServiceMissing what="Stores" />
        ) : store.error === null ? (
          <PageSkeleton />
        ) : (
          <ErrorState error={store.error} onRetry={store.refetch} />
        )}
      </>
    );
  }
  return (
    <>
      <PageHeader title={store.data.name} back={back} actions={<StoreActions store={store.data} />} />
      <ChildWalletView
        child={store.data}
        search={search}
        onSearch={onSearch}
        note={<HowFunded />}
        empty={
          <EmptyState title="Nothing moved in the last 30 days">
            What customers pay in, and what you move to the main wallet, is listed here with the balance after it.
          </EmptyState>
        }
      />
    </>
  );
}

function StoreActions({ store }: { store: Store }) {
  const mode = useMode();
  const may = useMay();
  const [shown, setShown] = useState<'MOVE' | 'FUND'>();
  const debit = useAction('post', '/branch/store/debit');
  const close = () => setShown(undefined);
  return (
    <>
      {mode === 'SANDBOX' && may('sandbox:write', mode) && (
        <Button icon={FlaskConical} onClick={() => setShown('FUND')}>
          Add test money
        </Button>
      )}
      {may('store:write', mode) && (
        <Button look="primary" icon={ArrowRightLeft} onClick={() => setShown('MOVE')}>
          Move to the main wallet
        </Button>
      )}
      <Suspense>
        <FundDialog open={shown === 'FUND'} onClose={close} wallet={{ id: store.walletId, name: store.name }} />
        <MovementDialog
          open={shown === 'MOVE'}
          onClose={close}
          title="Move to the main wallet"
          from={{ name: store.name, available: store.availableBalance }}
          to={{ name: 'the main wallet' }}
          needsPin
          narration="required"
          verb="Move"
          isUnanswered={debit.isUnanswered}
          send={({ amount, narration, pin }) => debit.run({ body: { pin, amount, storeId: store.storeId, narration } })}
        />
      </Suspense>
    </>
  );
}

/** Money gets into a store by its account number; nobody puts it there from here. */
function HowFunded() {
  return useMode() === 'LIVE' ? (
    <Alert tone="info" className="mt-5">
      A store is funded by its customers: they pay into the account number above. Money cannot be moved from the main
      wallet into a store.
    </Alert>
  ) : (
    <p className="mt-5 text-muted">
      Live, customers pay into this account number. Here in the sandbox you add test money instead.
    </p>
  );
}
