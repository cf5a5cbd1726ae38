import { Layers, Plus } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { MerchantTierDialog, SetTierDialog } from './tier-dialogs.tsx';
import { tierName } from './tier-words.ts';

type Row = Data<'get', '/operator/tier-limit'>['records'][number];

const STATES: Record<Row['state'], { tone: 'good' | 'info' | 'quiet'; word: string }> = {
  IN_FORCE: { tone: 'good', word: 'In force' },
  AHEAD: { tone: 'info', word: 'Scheduled' },
  REPLACED: { tone: 'quiet', word: 'Replaced' },
};

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'tier',
    header: 'Tier',
    cell: ({ tier, mode, state, source }) => (
      <div className="max-w-72 min-w-28">
        <p className="font-medium">{tierName(tier)}</p>
        <p className="flex flex-wrap items-center gap-2 text-xs">
          {mode === 'LIVE' ? 'Live' : 'Sandbox'}
          <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
        </p>
        <p className="hidden text-xs text-muted sm:block">{source}</p>
      </div>
    ),
  },
  {
    key: 'in',
    header: 'In',
    align: 'right',
    cell: ({ singleIn, dailyIn, balance }) => (
      <div>
        <Most amount={singleIn} of="each" />
        <Most amount={dailyIn} of="a day" />
        <Most amount={balance} of="to hold" />
      </div>
    ),
  },
  {
    key: 'out',
    header: 'Out',
    align: 'right',
    wideOnly: true,
    cell: ({ singleOut, dailyOut }) => (
      <div>
        <Most amount={singleOut} of="each" />
        <Most amount={dailyOut} of="a day" />
      </div>
    ),
  },
  { key: 'from', header: 'From', wideOnly: true, cell: ({ effectiveFrom }) => <Moment at={effectiveFrom} /> },
];

function Most({ amount, of }: { amount: number | null; of: string }) {
  return (
    <p className="whitespace-nowrap">
      {amount === null ? 'No limit' : <Amount value={amount} />} <span className="text-xs text-muted">{of}</span>
    </p>
  );
}

/** What merchants may take in, hold and pay out by their tier of verification. */
export function TiersPage() {
  const [doing, setDoing] = useState<'LIMITS' | 'MERCHANT'>();
  const { data, error, refetch } = useRead('/operator/tier-limit', {});
  const set = (
    <Button look="primary" icon={Plus} onClick={() => setDoing('LIMITS')}>
      Set a tier’s limits
    </Button>
  );
  return (
    <ListPage
      title="Tiers"
      actions={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setDoing('MERCHANT')}>Set a merchant’s tier</Button>
          {set}
        </div>
      }
      about="A payment in above the limit of its merchant's tier is held for review; a payout above it is refused. A merchant without a tier has no limit of this kind."
      columns={COLUMNS}
      rowKey={({ limitId }) => limitId}
      {...(data === undefined ? {} : { rows: data.records })}
      list={{ data: undefined, error, refetch }}
      rowClass={({ state }) => (state === 'REPLACED' ? 'text-muted' : undefined)}
      empty={
        <EmptyState icon={Layers} title="No tier has limits" action={set}>
          Set what each tier may do, by the rules that hold for you, with the source.
        </EmptyState>
      }
    >
      {doing === 'LIMITS' && <SetTierDialog onClose={() => setDoing(undefined)} />}
      {doing === 'MERCHANT' && <MerchantTierDialog onClose={() => setDoing(undefined)} />}
    </ListPage>
  );
}
