import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { CloseProposalDialog } from '../components/close-proposal-dialog.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { NoteDialog } from '../components/note-dialog.tsx';
import { PageSkeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { FREEZE_STATES, FREEZE_SUBJECTS, type Freeze, frozenName } from './compliance-words.ts';

interface FreezeDialogProps {
  freezeId: string;
  onClose: () => void;
}

/** One freeze: what it is, all that happened with it, and lifting it by two people. */
export function FreezeDialog({ freezeId, onClose }: FreezeDialogProps) {
  const { data } = useRead('/operator/freeze/{freezeId}', { path: { freezeId } });
  const [doing, setDoing] = useState<'PROPOSE' | 'CONFIRM' | 'CLOSE'>();
  if (data === undefined) {
    return (
      <Dialog open onClose={onClose} title="Freeze">
        <PageSkeleton />
      </Dialog>
    );
  }
  const { freeze, trail } = data;
  if (doing === 'PROPOSE') return <ProposeLiftDialog freeze={freeze} onClose={() => setDoing(undefined)} />;
  if (doing === 'CONFIRM') return <ConfirmLiftDialog freeze={freeze} onClose={() => setDoing(undefined)} />;
  if (doing === 'CLOSE') return <CloseLiftDialog freeze={freeze} onClose={() => setDoing(undefined)} />;
  return (
    <Dialog
      open
      kind="wide"
      onClose={onClose}
      title={frozenName(freeze)}
      actions={<Actions freeze={freeze} start={setDoing} />}
    >
      <FreezeFacts freeze={freeze} />
      <div className="mt-5 mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">What happened</h3>
        <DownloadButton
          size="small"
          address={`/operator/freeze/${freezeId}/trail.csv`}
          fileName={`freeze-${freezeId}.csv`}
        >
          Download the trail
        </DownloadButton>
      </div>
      <ol className="space-y-2 text-sm">
        {trail.map(({ at, what, who, detail }) => (
          <li key={`${at} ${what} ${detail}`} className="wrap-anywhere">
            <span className="text-xs text-muted">
              <Moment at={at} /> {who ?? 'Manilla'}
            </span>
            <p>
              {what.replaceAll('_', ' ').toLowerCase()}: {detail}
            </p>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

function Actions({ freeze, start }: { freeze: Freeze; start: (doing: 'PROPOSE' | 'CONFIRM' | 'CLOSE') => void }) {
  const { state, lift } = freeze;
  const mayLift = state === 'IN_FORCE' || state === 'AHEAD';
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {mayLift && lift === null && <Button onClick={() => start('PROPOSE')}>Propose to lift it</Button>}
      {mayLift && lift !== null && (
        <Button onClick={() => start('CLOSE')}>{lift.isMine ? 'Withdraw the proposal' : 'Reject the proposal'}</Button>
      )}
      {mayLift && lift !== null && !lift.isMine && (
        <Button look="primary" onClick={() => start('CONFIRM')}>
          Lift the freeze
        </Button>
      )}
    </div>
  );
}

function FreezeFacts({ freeze }: { freeze: Freeze }) {
  const { state, subject, mode, reason, legalBasis, owner, madeBy, startsAt, endsAt, lift } = freeze;
  return (
    <DescriptionList
      layout="rows"
      items={[
        { label: 'State', value: <Badge tone={FREEZE_STATES[state].tone}>{FREEZE_STATES[state].word}</Badge> },
        { label: 'What', value: `${FREEZE_SUBJECTS[subject]}, ${modeWord(mode)}` },
        { label: 'Why', value: reason },
        { label: 'Legal basis', value: legalBasis },
        { label: 'Owner', value: owner },
        { label: 'Frozen by', value: madeBy ?? 'a colleague' },
        { label: 'From', value: <Moment at={startsAt} /> },
        { label: 'Until', value: endsAt === null ? 'it is lifted' : <Moment at={endsAt} /> },
        { label: 'Held for it', value: <HeldFor freeze={freeze} /> },
        ...(lift === null ? [] : [{ label: 'Lifting', value: `${lift.proposedBy ?? 'A colleague'}: ${lift.note}` }]),
      ]}
    />
  );
}

function HeldFor({ freeze: { freezeId, cases, openCases } }: { freeze: Freeze }) {
  const words = `${openCases} now, ${cases} in all`;
  if (cases === 0) return words;
  return (
    <Link to="/operator/cases" search={{ freezeId }} className="text-accent underline">
      {words}
    </Link>
  );
}

type PartProps = { freeze: Freeze; onClose: () => void };

function ProposeLiftDialog({ freeze: { freezeId }, onClose }: PartProps) {
  const propose = useAction('post', '/operator/freeze/lift', { changes: ['/operator'] });
  return (
    <NoteDialog
      title="Propose to lift the freeze"
      description="It is in force until another person confirms it."
      done="Proposed. Another person confirms it."
      onSend={(note) => propose.run({ body: { freezeId, note } })}
      onClose={onClose}
    />
  );
}

function ConfirmLiftDialog({ freeze, onClose }: PartProps) {
  const confirm = useAction('post', '/operator/compliance-proposal/confirm', { changes: ['/operator'] });
  const { lift } = freeze;
  async function go(): Promise<void> {
    if (lift !== null) await confirm.run({ body: { proposalId: lift.proposalId, digest: lift.digest } });
  }
  return (
    <ConfirmDialog open onClose={onClose} title="Lift this freeze?" confirm="Lift it" danger onConfirm={go}>
      <FreezeFacts freeze={freeze} />
      <p>Payouts that it holds go at once. Payments that it holds stay in suspense until two people decide.</p>
    </ConfirmDialog>
  );
}

function CloseLiftDialog({ freeze: { lift }, onClose }: PartProps) {
  const reject = useAction('post', '/operator/compliance-proposal/reject', { changes: ['/operator'] });
  const withdraw = useAction('post', '/operator/compliance-proposal/withdraw', { changes: ['/operator'] });
  if (lift === null) return null;
  const { proposalId, isMine } = lift;
  return (
    <CloseProposalDialog
      what="proposal"
      isMine={isMine}
      description="The freeze stays in force."
      onSend={(reason) => (isMine ? withdraw : reject).run({ body: { proposalId, reason } })}
      onClose={onClose}
    />
  );
}
