import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { Badge } from '../components/status.tsx';
import { type Column, Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { deviceOf } from '../format/text.ts';
import { formatExactMoment } from '../format/time.ts';

type SessionRow = Data<'get', '/session/list'>[number];

/** Where the person is signed in. Ending a session signs that browser out within two seconds. */
export function SessionsSection() {
  const sessions = useRead('/session/list', {});
  const end = useAction('delete', '/session/{sessionId}', { changes: ['/session'] });
  const endOthers = useAction('post', '/session/revoke-others', { changes: ['/session'] });
  const [ending, setEnding] = useState<SessionRow>();
  const [endingOthers, setEndingOthers] = useState(false);
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  return (
    <Section
      title="Where you are signed in"
      bare
      actions={
        others.length > 0 && (
          <Button size="small" onClick={() => setEndingOthers(true)}>
            End all others
          </Button>
        )
      }
    >
      <Table
        caption="Sessions"
        columns={columns(setEnding)}
        rowKey={({ sessionId }) => sessionId}
        {...(sessions.data === undefined ? {} : { rows: sessions.data })}
        list={{ data: undefined, error: sessions.error, refetch: sessions.refetch }}
        empty={null}
      />
      <ConfirmDialog
        open={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title="End this session?"
        confirm="End session"
        danger
        onConfirm={async () => {
          if (ending === undefined) return;
          await end.run({ path: { sessionId: ending.sessionId } });
          toast({ tone: 'good', text: 'The session is ended.' });
        }}
      >
        <p>
          {ending === undefined ? '' : sessionWords(ending)}, is signed out within two seconds. If it was not you,
          change your password as well.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={endingOthers}
        onClose={() => setEndingOthers(false)}
        title="End all other sessions?"
        confirm="End the others"
        danger
        onConfirm={async () => {
          await endOthers.run({});
          toast({ tone: 'good', text: 'Only this browser is signed in.' });
        }}
      >
        <p>Every other browser is signed out within two seconds. This one stays.</p>
      </ConfirmDialog>
    </Section>
  );
}

/** Two of one browser at one address differ in when they began. */
const sessionWords = ({ userAgent, ip, createdAt }: SessionRow): string =>
  `${deviceOf(userAgent)} at ${ip}, signed in ${formatExactMoment(createdAt)}`;

function columns(onEnd: (row: SessionRow) => void): Column<SessionRow>[] {
  return [
    {
      key: 'device',
      header: 'Browser',
      cell: ({ userAgent, current, ip, lastSeenAt }) => (
        <div>
          <p className="flex flex-wrap items-center gap-2 font-medium" title={userAgent}>
            {deviceOf(userAgent)}
            {current && <Badge tone="good">This one</Badge>}
          </p>
          <p className="figures text-xs text-muted">{ip}</p>
          {/* Two of one browser at one address differ in it alone. */}
          <p className="text-xs text-muted md:hidden">
            Last seen <Moment at={lastSeenAt} />
          </p>
        </div>
      ),
    },
    { key: 'since', header: 'Signed in', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { key: 'seen', header: 'Last seen', wideOnly: true, cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
    {
      key: 'end',
      header: <span className="sr-only">Actions</span>,
      align: 'right',
      cell: (row) =>
        row.current ? null : (
          <Button size="small" aria-label={`End the session of ${sessionWords(row)}`} onClick={() => onEnd(row)}>
            End
          </Button>
        ),
    },
  ];
}
