import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { SupportViewState } from '../components/support-view-state.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';

type SupportView = Data<'get', '/support-view'>[number];

const COLUMNS: readonly Column<SupportView>[] = [
  {
    key: 'who',
    header: 'Who',
    cell: ({ by, reason }) => (
      <div className="max-w-96 min-w-32">
        <p className="font-medium wrap-anywhere">{by}</p>
        <p className="text-xs wrap-anywhere text-muted">{reason}</p>
      </div>
    ),
  },
  { key: 'mode', header: 'Pages', wideOnly: true, cell: ({ mode }) => (mode === 'LIVE' ? 'Live' : 'Sandbox') },
  { key: 'state', header: 'State', cell: (view) => <SupportViewState view={view} /> },
  { key: 'opened', header: 'Opened', align: 'right', wideOnly: true, cell: ({ openedAt }) => <Moment at={openedAt} /> },
];

/** Who of the operator's staff looked at the merchant's pages, when and why. */
export function SupportPage() {
  const { data, error, refetch } = useRead('/support-view', {});
  return (
    <ListPage
      title="Support views"
      back={{ label: 'Settings', to: '/settings' }}
      about="Who of the operator's staff looked at your pages, the last 50 times. They can change nothing in a support view and see no secret and no document. Each page that they opened is in the audit log, among personal data."
      columns={COLUMNS}
      rowKey={({ supportViewId }) => supportViewId}
      {...(data === undefined ? {} : { rows: data })}
      list={{ data: undefined, error, refetch }}
      empty={<EmptyState title="Nobody has looked">Owners are notified by mail when somebody does.</EmptyState>}
    />
  );
}
