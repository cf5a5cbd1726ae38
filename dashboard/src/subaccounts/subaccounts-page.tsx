import { Link, useNavigate } from '@tanstack/react-router';
import { GitFork, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useMode } from '../api/mode.ts';
import { useList } from '../api/reads.ts';
import { useMay } from '../api/session.ts';
import type { RecordOf } from '../api/types.ts';
import { childColumns } from '../child-wallets/child-columns.tsx';
import { OpenChildDialog } from '../child-wallets/open-child-dialog.tsx';
import { ServiceMissing, useService } from '../child-wallets/service-missing.tsx';
import { Button } from '../components/button.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';

const COLUMNS = childColumns<RecordOf<'/subaccount'>>('Subaccount', ({ subaccountId, name }) => (
  <Link to="/subaccounts/$subaccountId" params={{ subaccountId }} className="font-medium text-accent hover:underline">
    {name}
  </Link>
));

export interface SubaccountsPageProps {
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}

export function SubaccountsPage({ page, onPage }: SubaccountsPageProps) {
  const mode = useMode();
  const enabled = useService('CHILD_ACCOUNT');
  const mayOpen = useMay()('subaccount:write', mode) && enabled;
  const [opening, setOpening] = useState(false);
  const subaccounts = useList('/subaccount', { query: { ...atPlace(page), size: 25 } }, { enabled });
  const open = (
    <Button look="primary" icon={Plus} onClick={() => setOpening(true)}>
      Open a subaccount
    </Button>
  );
  return (
    <>
      <PageHeader title="Subaccounts" actions={mayOpen && open}>
        Money that you keep apart for a customer, a partner or a purpose, each with an account number.
      </PageHeader>
      {enabled ? (
        <Table
          caption="Subaccounts"
          columns={COLUMNS}
          rowKey={({ subaccountId }) => subaccountId}
          list={subaccounts}
          onPage={onPage}
          empty={
            <EmptyState icon={GitFork} title="No subaccount yet" action={mayOpen && open}>
              A subaccount is credited from the main wallet at once and without a charge, and debited back with your
              PIN. Open the first for whatever you want to keep apart.
            </EmptyState>
          }
        />
      ) : (
        <ServiceMissing what="Subaccounts" />
      )}
      <OpenSubaccountDialog open={opening} onClose={() => setOpening(false)} />
    </>
  );
}

function OpenSubaccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = useAction('post', '/subaccount');
  const navigate = useNavigate();

  async function send(name: string): Promise<void> {
    const { subaccountId } = await create.run({ body: { name } });
    toast({ tone: 'good', text: `${name} is open.` });
    await navigate({ to: '/subaccounts/$subaccountId', params: { subaccountId } });
  }

  return (
    <OpenChildDialog
      open={open}
      onClose={onClose}
      title="Open a subaccount"
      hint="Whose money it is, or what for: Ada Obi, Taxes."
      send="Open subaccount"
      onSend={send}
    >
      It gets a wallet and an account number at once.
    </OpenChildDialog>
  );
}
