import { FileUp, ListX } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { ImportListDialog } from './import-list-dialog.tsx';

type List = RecordOf<'/operator/screening-list'>;

const SIZE = 50;

const columnsOf = (onEnd: (list: List) => void): readonly Column<List>[] => [
  {
    key: 'name',
    header: 'List',
    cell: ({ name, mode, source, listedOn }) => (
      <div className="max-w-80 min-w-32">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-xs text-muted">
          {mode === 'LIVE' ? 'Live' : 'Sandbox'}, of {listedOn}
        </p>
        <p className="hidden text-xs wrap-anywhere text-muted sm:block">{source}</p>
      </div>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ endedAt }) => (
      <Badge tone={endedAt === null ? 'good' : 'quiet'}>{endedAt === null ? 'In force' : 'Ended'}</Badge>
    ),
  },
  { key: 'entries', header: 'Names', align: 'right', cell: ({ entries }) => entries.toLocaleString('en') },
  {
    key: 'imported',
    header: 'Imported',
    wideOnly: true,
    cell: ({ importedAt, importedBy }) => (
      <div className="text-xs">
        <Moment at={importedAt} />
        <p>{importedBy}</p>
      </div>
    ),
  },
  {
    key: 'do',
    header: '',
    align: 'right',
    cell: (list) =>
      list.endedAt === null ? (
        <Button size="small" aria-label={`End ${list.name}`} onClick={() => onEnd(list)}>
          End
        </Button>
      ) : null,
  },
];

/** The lists of names and accounts that payers, payees and merchants are screened against. */
export function ScreeningPage({
  page,
  onPage,
}: {
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}) {
  const [isImporting, setImporting] = useState(false);
  const [ending, setEnding] = useState<List>();
  const list = useList('/operator/screening-list', { query: { ...atPlace(page), size: SIZE } });
  const add = (
    <Button look="primary" icon={FileUp} onClick={() => setImporting(true)}>
      Import a list
    </Button>
  );
  return (
    <ListPage
      title="Screening"
      actions={add}
      about="Payers and payees whose name or account is on a list are held for review. A new version of a list replaces the one before it."
      columns={columnsOf(setEnding)}
      rowKey={({ listId }) => listId}
      list={list}
      onPage={onPage}
      rowClass={({ endedAt }) => (endedAt === null ? undefined : 'text-muted')}
      empty={
        <EmptyState icon={ListX} title="No list is imported" action={add}>
          Without one, nobody is screened. Import a list of names as CSV, for example of the United Nations or your own.
        </EmptyState>
      }
    >
      {isImporting && <ImportListDialog onClose={() => setImporting(false)} />}
      {ending !== undefined && <EndListDialog list={ending} onClose={() => setEnding(undefined)} />}
    </ListPage>
  );
}

function EndListDialog({ list: { name, mode }, onClose }: { list: List; onClose: () => void }) {
  const end = useAction('post', '/operator/screening-list/end', { changes: ['/operator'] });
  async function go(): Promise<void> {
    await end.run({ body: { name, mode } });
    toast({ tone: 'good', text: 'Nobody is screened against it any more.' });
  }
  return (
    <ConfirmDialog open danger onClose={onClose} title={`End ${name}?`} confirm="End the list" onConfirm={go}>
      <p>Nobody is screened against it any more. What it held stays held until two people decide.</p>
    </ConfirmDialog>
  );
}
