import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { call } from '../api/call.ts';
import { messageOf } from '../api/errors.ts';
import { keyOf } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import type { Rail } from './rails.ts';

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
    word: 'Being retried',
    about: 'It did not answer this process for a while. One call finds out whether it does again.',
  },
  open: {
    tone: 'bad',
    word: 'Does not answer',
    about:
      'Half of the last calls of this process got no answer. Payouts wait, or go by the failover rail; one call is retried every few seconds.',
  },
};
const NOT_OPENED: HealthWords = {
  tone: 'bad',
  word: 'Does not open',
  about:
    'Its credentials cannot be read with the secrets of this service. It is not called: payouts wait, or go by the failover rail. Give the account its credentials again, on the machine, with npm run admin -- add-rail --replace.',
};
const NOT_CALLED: HealthWords = {
  tone: 'quiet',
  word: 'Not called yet',
  about: 'It was not called since this process started.',
};
const OFF: HealthWords = {
  tone: 'quiet',
  word: 'Switched off',
  about: 'It gets no new payouts; the rail is still asked about those that it has.',
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
          {!builtIn && <span className="font-normal text-muted">, {modeWord(mode)}</span>}
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

function placeOf({ priority, builtIn }: Rail): string {
  if (priority === null) return builtIn ? 'Pays where no other is set' : 'Not in the order';
  return priority === 'FIRST' ? 'First' : 'Failover';
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
        ? 'It gets no new payouts. The rail is still asked about those that it has. Merchants that use no other rail cannot pay out.'
        : 'It gets new payouts again.'}
    </ConfirmDialog>
  );
}

/** What was in a rail's account when it was last asked, and a button that asks now. */
function RailBalance({ rail: { railId, lastBalance, builtIn } }: { rail: Rail }) {
  const mode = useMode();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [said, setSaid] = useState(lastBalance);
  if (builtIn) return <span className="text-muted">Kept for each merchant</span>;

  async function ask(): Promise<void> {
    setAsking(true);
    setProblem(undefined);
    try {
      setSaid(await call('get', '/operator/rail/{railId}/balance', { path: { railId } }, { mode }));
      await queries.invalidateQueries({ queryKey: keyOf(mode, '/operator/rail') });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setAsking(false);
    }
  }

  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      {said === null ? (
        <span className="text-muted">Not asked yet</span>
      ) : (
        <>
          <Amount value={said.amount} /> <Moment at={said.at} className="text-xs text-muted" />
        </>
      )}
      <Button
        size="small"
        busy={isAsking}
        onClick={() => void ask()}
        aria-label={`Ask now for the balance of ${railId}`}
      >
        Ask now
      </Button>
      {problem !== undefined && (
        <span role="alert" className="w-full text-xs text-bad">
          {problem}
        </span>
      )}
    </span>
  );
}
