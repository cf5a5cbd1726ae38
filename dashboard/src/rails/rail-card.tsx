import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import type { Rail } from './rail.ts';
import { RailBalance } from './rail-balance.tsx';

const CIRCUITS: Record<NonNullable<Rail['circuit']>, { tone: 'good' | 'warn' | 'bad'; word: string }> = {
  closed: { tone: 'good', word: 'Answers' },
  half_open: { tone: 'warn', word: 'Is being tried again' },
  open: { tone: 'bad', word: 'Does not answer' },
};

/** One rail: does it answer, what is in its account, and a switch. */
export function RailCard({ rail }: { rail: Rail }) {
  const [asking, setAsking] = useState(false);
  const { railId, provider, mode, builtIn, active, openToMerchants } = rail;
  return (
    <section className="card p-4 sm:p-5" aria-labelledby={`rail-${railId}`}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id={`rail-${railId}`} className="text-base font-semibold">
          {railId}
          {!builtIn && <span className="font-normal text-muted">, {mode === 'LIVE' ? 'live' : 'sandbox'}</span>}
        </h2>
        <Health rail={rail} />
      </div>
      <DescriptionList
        layout="rows"
        items={[
          { label: 'Provider', value: builtIn ? 'Built in' : provider },
          { label: 'Place', value: placeOf(rail) },
          { label: 'Merchants may choose it', value: openToMerchants ? 'Yes' : 'No' },
          { label: 'Balance', value: <RailBalance rail={rail} /> },
        ]}
      />
      {!builtIn && (
        <div className="mt-4 flex justify-end">
          <Button size="small" onClick={() => setAsking(true)} aria-label={`Switch ${railId} ${active ? 'off' : 'on'}`}>
            {active ? 'Switch off' : 'Switch on'}
          </Button>
        </div>
      )}
      {asking && <SwitchDialog rail={rail} onClose={() => setAsking(false)} />}
    </section>
  );
}

function placeOf({ standing, builtIn }: Rail): string {
  if (standing === null) return builtIn ? 'Pays where no other is set' : 'Not in the order';
  return standing === 'FIRST' ? 'First' : 'Takes over';
}

function Health({ rail: { active, circuit } }: { rail: Rail }) {
  if (!active) return <Badge tone="quiet">Switched off</Badge>;
  if (circuit === null) return <Badge tone="quiet">Not called yet</Badge>;
  return <Badge tone={CIRCUITS[circuit].tone}>{CIRCUITS[circuit].word}</Badge>;
}

function SwitchDialog({ rail: { railId, active }, onClose }: { rail: Rail; onClose: () => void }) {
  const change = useAction('patch', '/operator/rail/{railId}', { changes: ['/operator'] });
  async function go(): Promise<void> {
    await change.run({ path: { railId }, body: { active: !active } });
    toast({ tone: 'good', text: `${railId} is ${active ? 'off' : 'on'} within 5 seconds.` });
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Switch ${railId} ${active ? 'off' : 'on'}?`}
      confirm={active ? 'Switch off' : 'Switch on'}
      danger={active}
      onConfirm={go}
    >
      {active
        ? 'It gets no new payouts. Those that it has already are asked about as before. Merchants that use no other rail cannot pay out.'
        : 'It gets new payouts again.'}
    </ConfirmDialog>
  );
}
