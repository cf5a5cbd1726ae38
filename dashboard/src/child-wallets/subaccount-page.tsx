import { ArrowDownToLine, ArrowUpFromLine } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.tsx';
import { MovementDialog } from '../wallet/movement-dialog.tsx';
import type { StatementSearch } from '../wallet/statement.tsx';
import { ServiceMissing, useService } from './child-list.tsx';
import { ChildWalletView } from './child-wallet-view.tsx';

type Subaccount = Data<'get', '/subaccount/{subaccountId}'>;

export interface SubaccountPageProps {
  subaccountId: string;
  search: StatementSearch;
  onSearch: (search: StatementSearch) => void;
}

export function SubaccountPage({ subaccountId, search, onSearch }: SubaccountPageProps) {
  const enabled = useService('CHILD_ACCOUNT');
  const subaccount = useRead('/subaccount/{subaccountId}', { path: { subaccountId } }, { enabled });
  const back = { to: '/subaccounts', label: 'All subaccounts' } as const;
  if (!enabled || subaccount.data === undefined) {
    return (
      <>
        <PageHeader title="Subaccount" back={back} />
        {!enabled ? (
          <ServiceMissing what="Subaccounts" />
        ) : subaccount.error === null ? (
          <PageSkeleton />
        ) : (
          <ErrorState error={subaccount.error} onRetry={subaccount.refetch} />
        )}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={subaccount.data.name}
        back={back}
        actions={<SubaccountActions subaccount={subaccount.data} />}
      />
      <ChildWalletView
        child={subaccount.data}
        search={search}
        onSearch={onSearch}
        empty={
          <EmptyState title="Nothing moved in the last 30 days">
            Credit it from the main wallet: it is there at once and costs nothing.
          </EmptyState>
        }
      />
    </>
  );
}

function SubaccountActions({ subaccount }: { subaccount: Subaccount }) {
  const mode = useMode();
  const mayMove = useMay()('subaccount:write', mode);
  const [shown, setShown] = useState<'CREDIT' | 'DEBIT'>();
  const close = () => setShown(undefined);
  if (!mayMove) return null;
  return (
    <>
      <Button icon={ArrowUpFromLine} onClick={() => setShown('DEBIT')}>
        Debit
      </Button>
      <Button look="primary" icon={ArrowDownToLine} onClick={() => setShown('CREDIT')}>
        Credit
      </Button>
      <CreditDialog subaccount={subaccount} open={shown === 'CREDIT'} onClose={close} />
      <DebitDialog subaccount={subaccount} open={shown === 'DEBIT'} onClose={close} />
    </>
  );
}

interface MoveProps {
  subaccount: Subaccount;
  open: boolean;
  onClose: () => void;
}

/** The interface takes a narration that was typed, and none at all, but no empty one. */
const narrated = (narration: string) => (narration === '' ? {} : { narration });

function CreditDialog({ subaccount: { subaccountId, name, availableBalance }, open, onClose }: MoveProps) {
  const credit = useAction('post', '/subaccount/credit');
  const main = useRead('/wallet/merchant', {}, { enabled: open });
  return (
    <MovementDialog
      open={open}
      onClose={onClose}
      title={`Credit ${name}`}
      from={{ name: 'the main wallet', available: main.data?.wallet.availableBalance }}
      to={{ name, available: availableBalance }}
      narration="optional"
      verb="Credit"
      isUnanswered={credit.isUnanswered}
      send={({ amount, narration }) => credit.run({ body: { amount, subaccountId, ...narrated(narration) } })}
    />
  );
}

function DebitDialog({ subaccount: { subaccountId, name, availableBalance }, open, onClose }: MoveProps) {
  const debit = useAction('post', '/subaccount/debit');
  return (
    <MovementDialog
      open={open}
      onClose={onClose}
      title={`Debit ${name}`}
      from={{ name, available: availableBalance }}
      to={{ name: 'the main wallet' }}
      needsPin
      narration="optional"
      verb="Debit"
      isUnanswered={debit.isUnanswered}
      send={({ amount, narration, pin }) => debit.run({ body: { pin, amount, subaccountId, ...narrated(narration) } })}
    />
  );
}
