import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { AnnouncementCard, severityWord } from '../components/announcement-card.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import type { Announcement } from './announcement.ts';
import { WriteAnnouncementDialog } from './write-announcement-dialog.tsx';

const SIZE = 50;

const STATES: Record<Announcement['status'], { tone: 'good' | 'info' | 'quiet' | 'warn'; word: string }> = {
  DRAFT: { tone: 'warn', word: 'Draft' },
  SCHEDULED: { tone: 'info', word: 'Scheduled' },
  SHOWN: { tone: 'good', word: 'Shown' },
  ENDED: { tone: 'quiet', word: 'Ended' },
};

/** What is done about an announcement, and to which. */
interface Doing {
  what: 'WRITE' | 'PUBLISH' | 'END';
  announcement: Announcement | undefined;
}

const columnsFor = (start: (doing: Doing) => void): readonly Column<Announcement>[] => [
  {
    key: 'title',
    header: 'Announcement',
    cell: (row) => (
      <div className="max-w-96 min-w-32">
        <p className="font-medium wrap-anywhere">{row.title}</p>
        <p className="text-xs text-muted">
          {severityWord(row.severity)}, {audienceOf(row)}
        </p>
        <p className="hidden text-xs text-muted sm:block">{writtenBy(row)}</p>
        {row.byMail && <p className="text-xs text-muted">{mailing(row)}</p>}
      </div>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ status }) => <Badge tone={STATES[status].tone}>{STATES[status].word}</Badge>,
  },
  {
    key: 'time',
    header: 'From, until (Lagos time)',
    wideOnly: true,
    cell: ({ startsAt, endsAt, endedAt }) => (
      <div className="text-xs">
        <Moment at={startsAt} />
        <p>
          <Moment at={endedAt ?? endsAt} />
        </p>
      </div>
    ),
  },
  { key: 'do', header: '', align: 'right', cell: (row) => <RowActions row={row} start={start} /> },
];

function audienceOf({ merchants }: Announcement): string {
  if (merchants === null) return 'to all merchants';
  const [first] = merchants;
  return merchants.length === 1 && first !== undefined
    ? `to ${first.businessName}`
    : `to ${merchants.length} merchants`;
}

function writtenBy({ publishedBy, createdBy, updatedBy, revision }: Announcement): string {
  const by = publishedBy === null ? `Written by ${createdBy}` : `Published by ${publishedBy}`;
  return revision > 1 ? `${by}, changed by ${updatedBy}` : by;
}

/** How far its mails are. */
function mailing({ status, mailedPeople, mailedAt }: Announcement): string {
  const people = mailedPeople === 1 ? '1 person' : `${mailedPeople.toLocaleString('en')} people`;
  if (mailedAt !== null) return `Sent by e-mail to ${people}`;
  if (status === 'ENDED') return mailedPeople === 0 ? 'Ended before any e-mail' : `Ended after e-mails to ${people}`;
  if (status === 'SHOWN') return `Sending by e-mail, to ${people} so far`;
  return 'By e-mail too';
}

function RowActions({ row, start }: { row: Announcement; start: (doing: Doing) => void }) {
  if (row.status === 'ENDED') return null;
  const end = row.status === 'DRAFT' ? 'Discard' : 'End';
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button size="small" aria-label={`Edit ${row.title}`} onClick={() => start({ what: 'WRITE', announcement: row })}>
        Edit
      </Button>
      <Button size="small" aria-label={`${end} ${row.title}`} onClick={() => start({ what: 'END', announcement: row })}>
        {end}
      </Button>
      {row.status === 'DRAFT' && (
        <Button
          size="small"
          look="primary"
          aria-label={`Publish ${row.title}`}
          onClick={() => start({ what: 'PUBLISH', announcement: row })}
        >
          Publish
        </Button>
      )}
    </div>
  );
}

interface AnnouncementsPageProps {
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}

/** What the operator tells merchants: written, looked at as they see it, published, and ended. */
export function AnnouncementsPage({ page, onPage }: AnnouncementsPageProps) {
  const [doing, setDoing] = useState<Doing>();
  const list = useList('/operator/announcement', { query: { ...atPlace(page), size: SIZE } });
  const write = (
    <Button look="primary" icon={Plus} onClick={() => setDoing({ what: 'WRITE', announcement: undefined })}>
      Write an announcement
    </Button>
  );
  const close = () => setDoing(undefined);
  return (
    <ListPage
      title="Announcements"
      actions={write}
      about="What merchants' people see above their pages, in plain text, until they dismiss it or it ends."
      columns={columnsFor(setDoing)}
      rowKey={(row) => row.announcementId}
      list={list}
      onPage={onPage}
      rowClass={({ status }) => (status === 'ENDED' ? 'text-muted' : undefined)}
      empty={
        <EmptyState title="Nothing was announced yet" action={write}>
          Write what merchants have to know: an outage, a change of terms, hours of a bank.
        </EmptyState>
      }
    >
      {doing?.what === 'WRITE' && <WriteAnnouncementDialog announcement={doing.announcement} onClose={close} />}
      {doing?.what === 'PUBLISH' && doing.announcement !== undefined && (
        <PublishDialog announcement={doing.announcement} onClose={close} />
      )}
      {doing?.what === 'END' && doing.announcement !== undefined && (
        <EndDialog announcement={doing.announcement} onClose={close} />
      )}
    </ListPage>
  );
}

interface DialogProps {
  announcement: Announcement;
  onClose: () => void;
}

function PublishDialog({ announcement, onClose }: DialogProps) {
  const { announcementId } = announcement;
  const publish = useAction('post', '/operator/announcement/{announcementId}/publish', { changes: ['/operator'] });
  async function go(): Promise<void> {
    await publish.run({ path: { announcementId } });
    toast({ tone: 'good', text: 'The announcement is published.' });
  }
  return (
    <ConfirmDialog open onClose={onClose} title="Publish this announcement?" confirm="Publish" onConfirm={go}>
      <p>
        It goes {audienceOf(announcement)}
        {announcement.byMail && ', and once by e-mail to everybody who works there'}, as it stands here:
      </p>
      <AnnouncementCard announcement={announcement} />
    </ConfirmDialog>
  );
}

function EndDialog({ announcement: { announcementId, title, status }, onClose }: DialogProps) {
  const end = useAction('post', '/operator/announcement/{announcementId}/end', { changes: ['/operator'] });
  const isDraft = status === 'DRAFT';
  async function go(): Promise<void> {
    await end.run({ path: { announcementId } });
    toast({ tone: 'good', text: isDraft ? 'The draft is discarded.' : 'Nobody sees the announcement any more.' });
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title={isDraft ? 'Discard this draft?' : 'End this announcement?'}
      confirm={isDraft ? 'Discard the draft' : 'End the announcement'}
      onConfirm={go}
    >
      <p>
        “{title}” {isDraft ? 'was seen by nobody.' : 'is seen by nobody any more, and cannot be shown again.'}
      </p>
    </ConfirmDialog>
  );
}
