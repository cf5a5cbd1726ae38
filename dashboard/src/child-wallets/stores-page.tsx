import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Store as StoreIcon } from 'lucide-react';
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

const COLUMNS = childColumns<RecordOf<'/branch/store'>>('Store', ({ storeId, name }) => (
  <Link to="/stores/$storeId" params={{ storeId }} className="font-medium text-accent hover:underline">
    {name}
  </Link>
));

export interface StoresPageProps {
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}

export function StoresPage({ page, onPage }: StoresPageProps) {
  const mode = useMode();
  const enabled = useService('BRANCH');
  const mayOpen = useMay()('store:write', mode) && enabled;
  const [opening, setOpening] = useState(false);
  const stores = useList('/branch/store', { query: { ...atPlace(page), size: 25 } }, { enabled });
  const open = (
    <Button look="primary" icon={Plus} onClick={() => setOpening(true)}>
      Open a store
    </Button>
  );
  return (
    <ListPage
      title="Stores"
      actions={mayOpen && open}
      about="Branches that collect money in a wallet of their own, with an account number of their own."
      instead={enabled ? undefined : <ServiceMissing what="Stores" />}
      columns={COLUMNS}
      rowKey={({ storeId }) => storeId}
      list={stores}
      onPage={onPage}
      empty={
        <EmptyState icon={StoreIcon} title="No store yet" action={mayOpen && open}>
          A store has an account number that its customers pay into. You see what each branch took, and move it to the
          main wallet with your PIN. Open one for each branch.
        </EmptyState>
      }
    >
      <OpenStoreDialog open={opening} onClose={() => setOpening(false)} />
    </ListPage>
  );
}

function OpenStoreDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const create = useAction('post', '/branch/store');
  const navigate = useNavigate();

  async function send(name: string): Promise<void> {
    const { storeId } = await create.run({ body: { name } });
    toast({ tone: 'good', text: `${name} is open.` });
    await navigate({ to: '/stores/$storeId', params: { storeId } });
  }

  return (
    <OpenChildDialog
      open={open}
      onClose={onClose}
      title="Open a store"
      hint="As your people call it: Ikeja, Shop 12."
      send="Open store"
      onSend={send}
    >
      It gets a wallet and an account number at once.
    </OpenChildDialog>
  );
}
