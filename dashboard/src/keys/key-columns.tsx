import { Ban, EllipsisVertical, Pencil, RefreshCw } from 'lucide-react';
import { IconButton } from '../components/button.tsx';
import { Menu } from '../components/menu.tsx';
import { Badge, Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { formatDistance, formatUtc } from '../format/time.ts';
import { type KeyRow, keyName } from './key-row.ts';
import { summariseScopes } from './scope-words.ts';

type Ask = (what: 'ROTATE' | 'CHANGE' | 'REVOKE', row: KeyRow) => void;

/** @param ask what to do with a key; left out for those who may only look. */
export function keyColumns(ask: Ask | undefined): Column<KeyRow>[] {
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
    { key: 'made', header: 'Made', wideOnly: true, cell: (row) => <Made row={row} /> },
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
        <Badge tone="warn" title="Older than 90 days: make a new one.">
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
        <Badge tone="warn" title="Whoever made it was removed: rotate it, and it is yours.">
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
      {formatDistance(at, new Date())}
    </span>
  );
}

function KeyMenu({ row, ask }: { row: KeyRow; ask: Ask }) {
  return (
    <Menu
      trigger={<IconButton icon={EllipsisVertical} label={`Actions for ${keyName(row)}`} />}
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
