import { ReceiptText } from 'lucide-react';
import { atPlace, filtersOf, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { useOpenRow } from '../components/use-open-row.ts';
import { Amount, Moment } from '../components/values.tsx';
import { CollectionTabs } from './collection-tabs.tsx';
import { SessionDialog } from './session-dialog.tsx';
import { type PaymentSession, SESSION_WORDS } from './session-words.ts';

interface SessionsSearch {
  page?: ListPlace | undefined;
  status?: string | undefined;
  linkId?: string | undefined;
  customerId?: string | undefined;
}

interface SessionsPageProps {
  search: SessionsSearch;
  onSearch: (change: SessionsSearch) => void;
}

const LOOK_EVERY_MS = 5_000;
const OPTIONS = Object.entries(SESSION_WORDS).map(([value, label]) => ({ value, label }));

type StatusOf = keyof typeof SESSION_WORDS;
const isStatus = (text: string | undefined): text is StatusOf => text !== undefined && text in SESSION_WORDS;

const keyOf = ({ sessionId }: PaymentSession): string => sessionId;

/** What somebody was asked to pay: through the API, under a payment link or by a browser. */
export function SessionsPage({ search, onSearch }: SessionsPageProps) {
  const mode = useMode();
  const mayWrite = useMay()('collection:write', mode);
  const { page, status } = search;
  const filters = { ...(isStatus(status) && { status }), ...filtersOf(search, 'linkId', 'customerId') };
  const sessions = useList(
    '/collection/session',
    { query: { ...atPlace(page), size: 25, ...filters } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const session = useOpenRow(sessions.data?.records, keyOf);
  const showAll = () => onSearch({ status: undefined, linkId: undefined, customerId: undefined, page: undefined });
  return (
    <ListPage
      title="Money in"
      caption="Payment sessions, newest first"
      actions={
        <DownloadButton
          address={`/collection/session.csv?${new URLSearchParams(filters)}`}
          fileName={csvName(['payment-sessions', mode])}
          size="small"
        >
          Download CSV
        </DownloadButton>
      }
      about="What somebody was asked to pay once, with an account number or a page of its own."
      intro={<CollectionTabs />}
      filters={
        <SelectFilter
          label="Status"
          all="All sessions"
          options={OPTIONS}
          value={status}
          onChange={(chosen) => onSearch({ status: chosen, page: undefined })}
        />
      }
      note={<OnlyOf search={search} onShowAll={showAll} />}
      columns={columnsOf(session.open)}
      rowKey={keyOf}
      list={sessions}
      onPage={(next) => onSearch({ page: next })}
      empty={
        Object.keys(filters).length > 0 ? (
          <EmptyState title="No matches" action={<Button onClick={showAll}>Show all</Button>}>
            No payment session is like this.
          </EmptyState>
        ) : (
          <EmptyState
            icon={ReceiptText}
            title="No payment sessions yet"
            action={
              mayWrite && (
                <ButtonLink to="/collections/links" look="primary">
                  Create a payment link
                </ButtonLink>
              )
            }
          >
            Payers open sessions under a payment link; your server opens them through the API.
          </EmptyState>
        )
      }
    >
      {session.row !== undefined && <SessionDialog session={session.row} onClose={session.close} />}
    </ListPage>
  );
}

function OnlyOf({ search: { linkId, customerId }, onShowAll }: { search: SessionsSearch; onShowAll: () => void }) {
  if (linkId === undefined && customerId === undefined) return null;
  return (
    <p className="mb-3 flex flex-wrap items-center gap-3 text-sm">
      Only those of one {linkId === undefined ? 'customer' : 'payment link'}.
      <Button size="small" onClick={onShowAll}>
        Show all sessions
      </Button>
    </p>
  );
}

const columnsOf = (onOpen: (session: PaymentSession) => void): readonly Column<PaymentSession>[] => [
  {
    key: 'for',
    header: 'For',
    cell: (session) => (
      <div className="min-w-32">
        <RowButton onOpen={() => onOpen(session)}>{session.description ?? session.reference}</RowButton>
        <p className="text-xs break-words text-muted">{session.customer.name}</p>
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amountToPay, status, reason }) => (
      <>
        <Amount value={amountToPay} />
        <p className="mt-1 md:hidden">
          <Status status={status} reason={reason} word={SESSION_WORDS[status]} />
        </p>
      </>
    ),
  },
  {
    key: 'received',
    header: 'Received',
    align: 'right',
    wideOnly: true,
    cell: ({ received }) =>
      received === 0 ? <span className="text-muted">–</span> : <Amount value={received} direction="in" />,
  },
  {
    key: 'status',
    header: 'Status',
    wideOnly: true,
    cell: ({ status, reason }) => <Status status={status} reason={reason} word={SESSION_WORDS[status]} />,
  },
  { key: 'at', header: 'Asked for', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];
