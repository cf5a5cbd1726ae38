import { Link2, Plus } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { ListPage } from '../components/list-page.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { useOpenRow } from '../components/use-open-row.ts';
import { Moment } from '../components/values.tsx';
import { CollectionTabs } from './collection-tabs.tsx';
import { CreateLinkDialog } from './create-link-dialog.tsx';
import { LinkDialog, SwitchButton } from './link-dialog.tsx';
import { amountWords, LINK_WORDS, type PaymentLink, paymentsWords } from './link-words.ts';

interface LinksPageProps {
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}

const LOOK_EVERY_MS = 10_000;

const keyOf = ({ linkId }: PaymentLink): string => linkId;

/** Pages on which people pay by themselves. */
export function LinksPage({ page, onPage }: LinksPageProps) {
  const mode = useMode();
  const mayWrite = useMay()('collection:write', mode);
  const [isCreating, setCreating] = useState(false);
  const links = useList(
    '/collection/link',
    { query: { ...atPlace(page), size: 25 } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const link = useOpenRow(links.data?.records, keyOf);
  const create = (
    <Button look="primary" icon={Plus} onClick={() => setCreating(true)}>
      Create a payment link
    </Button>
  );

  function showCreated(created: PaymentLink): void {
    setCreating(false);
    link.open(created);
  }

  return (
    <ListPage
      title="Money in"
      caption="Payment links, newest first"
      actions={
        <>
          <DownloadButton address="/collection/link.csv" fileName={csvName(['payment-links', mode])} size="small">
            Download CSV
          </DownloadButton>
          {mayWrite && create}
        </>
      }
      about="Pages on which people pay you by themselves: give somebody the link, and what they pay is in your wallet."
      intro={<CollectionTabs />}
      columns={columnsOf(mayWrite, link.open)}
      rowKey={keyOf}
      list={links}
      onPage={onPage}
      empty={
        <EmptyState icon={Link2} title="No payment links yet" action={mayWrite && create}>
          Create one for school fees, an invoice or a donation, and send it by chat or e-mail. Nothing has to be
          programmed.
        </EmptyState>
      }
    >
      {isCreating && <CreateLinkDialog onClose={() => setCreating(false)} onCreated={showCreated} />}
      {link.row !== undefined && <LinkDialog link={link.row} onClose={link.close} />}
    </ListPage>
  );
}

const columnsOf = (mayWrite: boolean, onOpen: (link: PaymentLink) => void): readonly Column<PaymentLink>[] => [
  {
    key: 'title',
    header: 'For',
    cell: (link) => (
      <div className="min-w-32">
        <RowButton onOpen={() => onOpen(link)}>{link.title}</RowButton>
        <p className="figures text-xs text-muted">{amountWords(link)}</p>
        <p className="figures text-xs text-muted md:hidden">{paymentsWords(link)}</p>
      </div>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status }) => <Status status={status} word={LINK_WORDS[status]} />,
  },
  {
    key: 'paid',
    header: 'Paid',
    align: 'right',
    wideOnly: true,
    cell: (link) => <span className="figures whitespace-nowrap">{paymentsWords(link)}</span>,
  },
  { key: 'created', header: 'Created', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} show="day" /> },
  {
    key: 'actions',
    header: <span className="sr-only">What to do</span>,
    align: 'right',
    wideOnly: true,
    cell: (link) => (
      <div className="flex items-center justify-end gap-1">
        <CopyButton text={link.url} what={`payment link of ${link.title}`} />
        {mayWrite && <SwitchButton link={link} small />}
      </div>
    ),
  },
];
