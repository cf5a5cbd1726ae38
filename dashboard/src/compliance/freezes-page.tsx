import { Snowflake } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { FREEZE_STATES, FREEZE_SUBJECTS, type Freeze, frozenName } from './compliance-words.ts';
import { FreezeDialog } from './freeze-dialog.tsx';
import { MakeFreezeDialog } from './make-freeze-dialog.tsx';

const SIZE = 50;
const LOOK_EVERY_MS = 30_000;

const columnsOf = (onOpen: (freeze: Freeze) => void): readonly Column<Freeze>[] => [
  {
    key: 'what',
    header: 'Frozen',
    cell: (freeze) => (
      <div className="max-w-80 min-w-36">
        <RowButton onOpen={() => onOpen(freeze)}>{frozenName(freeze)}</RowButton>
        <p className="text-xs text-muted">
          {FREEZE_SUBJECTS[freeze.subject]}, {modeWord(freeze.mode)}
        </p>
        <p className="hidden text-xs wrap-anywhere text-muted sm:block">{freeze.reason}</p>
      </div>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ state, lift }) => (
      <div className="space-y-1">
        <Badge tone={FREEZE_STATES[state].tone}>{FREEZE_STATES[state].word}</Badge>
        {lift !== null && <p className="text-xs">Lifting is proposed</p>}
      </div>
    ),
  },
  { key: 'held', header: 'Held now', align: 'right', cell: ({ openCases }) => openCases },
  { key: 'owner', header: 'Owner', wideOnly: true, cell: ({ owner }) => owner },
  {
    key: 'time',
    header: 'From, until',
    wideOnly: true,
    cell: ({ startsAt, endsAt, liftedAt }) => (
      <div className="text-xs">
        <Moment at={startsAt} />
        <p>{(liftedAt ?? endsAt) === null ? 'until it is lifted' : <Moment at={liftedAt ?? endsAt} />}</p>
      </div>
    ),
  },
];

interface FreezesPageProps {
  page: ListPlace | undefined;
  /** The freeze that is looked at. */
  open: string | undefined;
  onPage: (place: ListPlace | undefined) => void;
  onOpen: (freezeId: string | undefined) => void;
}

/** What is frozen: one person freezes at once, two lift it. */
export function FreezesPage({ page, open, onPage, onOpen }: FreezesPageProps) {
  const [isMaking, setMaking] = useState(false);
  const list = useList(
    '/operator/freeze',
    { query: { ...atPlace(page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const make = (
    <Button look="primary" icon={Snowflake} onClick={() => setMaking(true)}>
      Freeze
    </Button>
  );
  return (
    <ListPage
      title="Freezes"
      actions={make}
      about="What comes from a frozen account or payer is held, and nothing is paid to it. Merchants do not see why. Two people lift a freeze."
      columns={columnsOf(({ freezeId }) => onOpen(freezeId))}
      rowKey={({ freezeId }) => freezeId}
      list={list}
      onPage={onPage}
      rowClass={({ state }) => (state === 'LIFTED' || state === 'ENDED' ? 'text-muted' : undefined)}
      empty={
        <EmptyState icon={Snowflake} title="Nothing is frozen" action={make}>
          Freeze an account, a payer, a reference or a merchant when a court, a bank or the law asks for it.
        </EmptyState>
      }
    >
      {isMaking && <MakeFreezeDialog onClose={() => setMaking(false)} />}
      {open !== undefined && <FreezeDialog freezeId={open} onClose={() => onOpen(undefined)} />}
    </ListPage>
  );
}
