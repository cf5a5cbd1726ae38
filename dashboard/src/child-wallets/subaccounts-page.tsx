import { Link, useNavigate } from '@tanstack/react-router';
import { GitFork, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { RecordOf } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { childColumns, OpenChildDialog, ServiceMissing, useService } from './child-list.tsx';

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
    <ListPage
      title="Subaccounts"
      actions={mayOpen && open}
      about="Money that you keep apart for a customer, a partner or a purpose, each with an account number."
      instead={enabled ? undefined : <ServiceMissing what="Subaccounts" />}
      columns={COLUMNS}
      rowKey={({ subaccountId }) => subaccountId}
      list={subaccounts}
      onPage={onPage}
      empty={
        <EmptyState icon={GitFork} title="No subaccount yet" action={mayOpen && open}>
          A subaccount is credited from the main wallet at once and without a charge, and debited back with your PIN.
          Open the first for whatever you want to keep apart.
        </EmptyState>
      }
    >
      <OpenSubaccountDialog open={opening} onClose={() => setOpening(false)} />
    </ListPage>
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
