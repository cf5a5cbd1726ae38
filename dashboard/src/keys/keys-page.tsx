import { Ban, BookOpen, EllipsisVertical, KeyRound, Pencil, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { call } from '../api/call.ts';
import { nowDate } from '../api/clock.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button, IconButton } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { ListPage } from '../components/list-page.tsx';
import { Menu } from '../components/menu.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge, Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { formatDistance, formatUtc } from '../format/time.ts';
import { type KeyRow, keyName, summariseScopes } from './key.ts';
import { ChangeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx';
import { MakeKeyDialog } from './make-key-dialog.tsx';

type Doing = { what: 'ROTATE' | 'CHANGE' | 'REVOKE'; row: KeyRow };

/** The API keys of the mode that the page is in. */
export function KeysPage() {
  const mode = useMode();
  const mayManage = useMay()('key:manage', mode);
  const keys = useRead('/key', {});
  const [making, setMaking] = useState(false);
  const [doing, setDoing] = useState<Doing>();
  const makeButton = mayManage && (
    <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
      New key
    </Button>
  );
  const due = keys.data?.filter(({ rotationDue }) => rotationDue).length ?? 0;

  return (
    <ListPage
      title="API keys"
      actions={
        <>
          <ReferenceLinks />
          {makeButton}
        </>
      }
      about={
        mode === 'LIVE'
          ? 'Your programs use these to move real money. Keep secret keys on your server, never in a page or an app.'
          : 'Your programs use these to try everything with test money. Live keys are separate.'
      }
      intro={
        due > 0 && (
          <Alert
            tone="warn"
            className="mb-4"
            title={due === 1 ? 'One key is older than 90 days' : `${due} keys are older than 90 days`}
          >
            Rotate it: the new key and the old one work side by side until you have switched.
          </Alert>
        )
      }
      columns={keyColumns(mayManage ? (what, row) => setDoing({ what, row }) : undefined)}
      rowKey={({ keyId }) => keyId}
      rows={keys.data}
      list={{ data: undefined, error: keys.error, refetch: keys.refetch }}
      empty={
        <EmptyState icon={KeyRound} title="No keys yet" action={makeButton}>
          A key lets your own program do what you do here. Create a secret key, keep it on your server, and send it with
          each request.
        </EmptyState>
      }
    >
      <MakeKeyDialog open={making} onClose={() => setMaking(false)} />
      <KeyDialogs doing={doing} onClose={() => setDoing(undefined)} />
    </ListPage>
  );
}

function KeyDialogs({ doing, onClose }: { doing: Doing | undefined; onClose: () => void }) {
  const revoke = useAction('post', '/key/{keyId}/revoke', { changes: ['/key'] });
  const rowOf = (what: Doing['what']) => (doing?.what === what ? doing.row : undefined);
  const ending = rowOf('REVOKE');
  return (
    <>
      <RotateKeyDialog row={rowOf('ROTATE')} onClose={onClose} />
      <ChangeKeyDialog row={rowOf('CHANGE')} onClose={onClose} />
      <ConfirmDialog
        open={ending !== undefined}
        onClose={onClose}
        title={`Revoke ${ending === undefined ? 'the key' : keyName(ending)}?`}
        confirm="Revoke key"
        danger
        onConfirm={async () => {
          if (ending === undefined) return;
          await revoke.run({ path: { keyId: ending.keyId } });
          toast({ tone: 'good', text: `${keyName(ending)} is revoked.` });
        }}
      >
        <p>
          Every program that uses{' '}
          <span className="font-mono">
            {ending?.prefix}…{ending?.lastFour}
          </span>{' '}
          is refused within two seconds. This cannot be undone. If a program still needs a key, rotate it instead.
        </p>
        <p>
          It was last used: <Ago at={ending?.lastUsedAt ?? null} never="never" />.
        </p>
      </ConfirmDialog>
    </>
  );
}

type Ask = (what: 'ROTATE' | 'CHANGE' | 'REVOKE', row: KeyRow) => void;

/** @param ask what to do with a key; left out for those who may only look. */
function keyColumns(ask: Ask | undefined): Column<KeyRow>[] {
  const columns: Column<KeyRow>[] = [
    { key: 'name', header: 'Key', cell: (row) => <KeyName row={row} /> },
    { key: 'state', header: 'State', cell: (row) => <KeyState row={row} /> },
    {
      key: 'may',
      header: 'May do',
      wideOnly: true,
      cell: ({ scopes, kind }) => (
        <span title={scopes.includes('*') ? undefined : scopes.join(', ')}>{summariseScopes(scopes, kind)}</span>
      ),
    },
    { key: 'from', header: 'From', wideOnly: true, cell: ({ allowedIps }) => <From ips={allowedIps} /> },
    { key: 'made', header: 'Created', wideOnly: true, cell: (row) => <Made row={row} /> },
    { key: 'used', header: 'Last used', wideOnly: true, cell: (row) => <Ago at={row.lastUsedAt} never="Never" /> },
  ];
  if (ask === undefined) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      header: <span className="sr-only">Actions</span>,
      align: 'right',
      cell: (row) => (row.state === 'ACTIVE' ? <KeyMenu row={row} ask={ask} /> : null),
    },
  ];
}

function KeyName({ row }: { row: KeyRow }) {
  return (
    <div className="min-w-0">
      <p className="font-medium">{keyName(row)}</p>
      <p className="font-mono text-xs text-muted">
        {row.prefix}…{row.lastFour}
      </p>
      <p className="text-xs text-muted md:hidden">
        Last used: <Ago at={row.lastUsedAt} never="never" />
      </p>
    </div>
  );
}

function KeyState({ row }: { row: KeyRow }) {
  return (
    <span className="flex flex-wrap gap-1">
      <Status status={row.state} />
      {row.rotationDue && (
        <Badge tone="warn" title="Older than 90 days: create a new one.">
          Rotate
        </Badge>
      )}
      {row.state === 'ACTIVE' && row.expiresAt !== null && (
        <span className="w-full text-xs text-muted">
          Ends <Moment at={row.expiresAt} />
        </span>
      )}
    </span>
  );
}

function From({ ips }: { ips: readonly string[] }) {
  if (ips.length === 0) return <span className="text-muted">Anywhere</span>;
  return <span title={ips.join(', ')}>{ips.length === 1 ? ips[0] : `${ips.length} addresses`}</span>;
}

function Made({ row }: { row: KeyRow }) {
  return (
    <div>
      <Ago at={row.createdAt} never="" />
      <p className="text-xs text-muted">{row.createdBy === null ? 'by the operator' : `by ${row.createdBy.name}`}</p>
      {row.createdBy?.left === true && row.state === 'ACTIVE' && (
        <Badge tone="warn" title="The person who created it was removed: rotate it to make it yours.">
          Has left
        </Badge>
      )}
    </div>
  );
}

function Ago({ at, never }: { at: string | null; never: string }) {
  if (at === null) return <span className="text-muted">{never}</span>;
  return (
    <span className="whitespace-nowrap" title={formatUtc(at)}>
      {formatDistance(at, nowDate())}
    </span>
  );
}

function KeyMenu({ row, ask }: { row: KeyRow; ask: Ask }) {
  return (
    <Menu
      trigger={<IconButton icon={EllipsisVertical} label={`Actions for ${keyName(row)}, …${row.lastFour}`} />}
      groups={[
        [
          { label: 'Rotate', icon: RefreshCw, onSelect: () => ask('ROTATE', row) },
          { label: 'Change name or addresses', icon: Pencil, onSelect: () => ask('CHANGE', row) },
        ],
        [{ label: 'Revoke', icon: Ban, danger: true, onSelect: () => ask('REVOKE', row) }],
      ]}
    />
  );
}

/** Where the reference looks for the key; it takes it out at once. */
const HANDED_OVER = 'manilla.reference-key';

/** The guides and the API reference of this installation. */
function ReferenceLinks() {
  return (
    <>
      <a className="text-accent underline" href="/docs/guides" target="_blank" rel="noreferrer">
        Guides
      </a>
      <ReferenceButton />
    </>
  );
}

/** Opens the API reference with a sandbox key of a day filled in: the requests there can be sent at once. */
function ReferenceButton() {
  const mayTry = useMay()('payout:read', 'SANDBOX');
  const [busy, setBusy] = useState(false);

  async function open(): Promise<void> {
    // Opened before the key is there: a page that opens later counts as a pop-up.
    const page = window.open('', '_blank');
    setBusy(true);
    try {
      const { key } = await call('post', '/key/reference', {}, { mode: 'SANDBOX' });
      localStorage.setItem(HANDED_OVER, key);
    } catch (error) {
      toast({ tone: 'warn', text: `The reference opens without a key. ${messageOf(error)}` });
    } finally {
      setBusy(false);
    }
    if (page === null) location.assign('/docs');
    else page.location.replace('/docs');
  }

  if (!mayTry) {
    return (
      <a className="text-accent underline" href="/docs" target="_blank" rel="noreferrer">
        API reference
      </a>
    );
  }
  return (
    <Button
      icon={BookOpen}
      busy={busy}
      onClick={() => void open()}
      title="Opens in a new tab with a sandbox key that lasts a day"
    >
      API reference
    </Button>
  );
}
