import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import type { Rail } from './rail.ts';
import { RailBalance } from './rail-balance.tsx';

interface HealthWords {
  tone: 'good' | 'warn' | 'bad' | 'quiet';
  word: string;
  /** What was seen, and what follows for payouts. */
  about: string;
}

const CIRCUITS: Record<NonNullable<Rail['circuit']>, HealthWords> = {
  closed: { tone: 'good', word: 'Answers', about: 'The last calls of this process were answered.' },
  half_open: {
    tone: 'warn',
    word: 'Is being tried again',
    about: 'It did not answer this process for a while. One call finds out whether it does again.',
  },
  open: {
    tone: 'bad',
    word: 'Does not answer',
    about:
      'Half of the last calls of this process brought no answer. Payouts wait, or go by the rail that takes over; one call tries again every few seconds.',
  },
};
const NOT_OPENED: HealthWords = {
  tone: 'bad',
  word: 'Does not open',
  about:
    'Its credentials cannot be read with the secrets of this service. Nothing is asked of it: payouts wait, or go by the rail that takes over. Give the account its credentials again, on the machine, with npm run admin -- add-rail --replace.',
};
const NOT_CALLED: HealthWords = {
  tone: 'quiet',
  word: 'Not called yet',
  about: 'Nothing was asked of it since this process started.',
};
const OFF: HealthWords = {
  tone: 'quiet',
  word: 'Switched off',
  about: 'It gets no new payouts; those that it has are asked about as before.',
};

/** One rail: does it answer, what is in its account, and a switch. */
export function RailCard({ rail }: { rail: Rail }) {
  const [asking, setAsking] = useState(false);
  const { railId, provider, mode, builtIn, active, openToMerchants } = rail;
  const { tone, word, about } = healthOf(rail);
  return (
    <section className="card p-4 sm:p-5" aria-labelledby={`rail-${railId}`}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id={`rail-${railId}`} className="text-base font-semibold">
          {railId}
          {!builtIn && <span className="font-normal text-muted">, {mode === 'LIVE' ? 'live' : 'sandbox'}</span>}
        </h2>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p className="mb-2 text-xs text-muted">{about}</p>
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
          <Button size="small" onClick={() => setAsking(true)} aria-label={`Switch ${active ? 'off' : 'on'} ${railId}`}>
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

function healthOf({ active, circuit, opens }: Rail): HealthWords {
  if (!opens) return NOT_OPENED;
  if (!active) return OFF;
  return circuit === null ? NOT_CALLED : CIRCUITS[circuit];
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
