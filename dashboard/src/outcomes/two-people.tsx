import type { ReactNode } from 'react';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { ChoiceGroup, Radio } from '../components/choices.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { EvidenceFields } from '../components/evidence-fields.tsx';
import { FieldError } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { SOURCES, type Source } from './outcome-words.ts';

interface Words {
  word: string;
  follows: string;
}

interface ProposeOutcomeProps<Outcome extends string> {
  /** `payout` or `refund`. */
  what: string;
  /** What may have become of it, in the order in which they are offered. */
  outcomes: readonly (readonly [Outcome, Words])[];
  onSend: (said: { outcome: Outcome; source: Source; note: string }) => Promise<unknown>;
  onClose: () => void;
  /** What is known of it. */
  children?: ReactNode;
}

/** The first of two people says what became of it, and how they know. Nothing moves by it. */
export function ProposeOutcome<Outcome extends string>({
  what,
  outcomes,
  onSend,
  onClose,
  children,
}: ProposeOutcomeProps<Outcome>) {
  const server = useServerForm<{ outcome: string; source: Source | ''; note: string }>({
    defaultValues: { outcome: '', source: '', note: '' },
  });
  const chosen = server.form.getFieldState('outcome', server.form.formState);

  async function send(values: { outcome: string; source: Source | ''; note: string }): Promise<void> {
    const outcome = outcomes.find(([name]) => name === values.outcome)?.[0];
    if (outcome === undefined || values.source === '') return;
    await onSend({ outcome, source: values.source, note: values.note });
    toast({ tone: 'good', text: 'Proposed. Nothing has moved: another person confirms it.' });
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      server={server}
      onSend={send}
      send="Propose"
      title={`What became of this ${what}?`}
      description="Nothing moves until another person confirms what you say."
    >
      {children}
      <ChoiceGroup legend="Outcome">
        {outcomes.map(([outcome, { word, follows }]) => (
          <Radio
            key={outcome}
            value={outcome}
            label={word}
            hint={follows}
            {...server.form.register('outcome', { required: 'Choose what became of it.' })}
          />
        ))}
        {chosen.error?.message !== undefined && <FieldError>{chosen.error.message}</FieldError>}
      </ChoiceGroup>
      <EvidenceFields form={server.form} sources={SOURCES} />
    </FormDialog>
  );
}

interface ShownProposal {
  proposedBy: { email: string | null };
  proposedAt: string;
  source: Source;
  note: string;
}

interface ProposedOutcomeProps {
  words: Words;
  proposal: ShownProposal & { isMine: boolean };
  onReject: () => void;
  onConfirm: () => void;
}

/** What is proposed and waits for the second person, with what may be done about it. */
export function ProposedOutcome({ words, proposal, onReject, onConfirm }: ProposedOutcomeProps) {
  const { isMine, source, note, proposedBy, proposedAt } = proposal;
  return (
    <div className="flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0 text-sm">
        <p className="font-medium">Proposed: {words.word.toLowerCase()}</p>
        <p className="break-words text-muted">“{note}”</p>
        <p className="text-xs text-muted">
          {isMine ? 'You' : (proposedBy.email ?? 'A colleague')}, <Moment at={proposedAt} />. {SOURCES[source]}.
        </p>
        {isMine && <p className="mt-1 text-xs text-warn">Another person has to confirm it.</p>}
      </div>
      <div className="ml-auto flex flex-wrap gap-2">
        <Button onClick={onReject}>{isMine ? 'Withdraw' : 'Reject'}</Button>
        {!isMine && (
          <Button look="primary" onClick={onConfirm}>
            Look and confirm
          </Button>
        )}
      </div>
    </div>
  );
}

/** Above what was proposed before more became known. */
export function Overtaken({ className }: { className?: string }) {
  return (
    <Alert tone="warn" title="More became known since this was proposed" className={className}>
      It can no longer be confirmed. Look at the last entries and propose again.
    </Alert>
  );
}

interface NextStepProps<Proposal> {
  /** What waits for the second person, if anything. */
  proposal: Proposal | null;
  wordsOf: (proposal: Proposal) => Words;
  isOvertaken: boolean;
  look?: 'primary' | 'secondary';
  onPropose: () => void;
  onDecide: (what: 'CONFIRM' | 'REJECT', proposal: Proposal) => void;
}

/** On the page of what people decide about: proposing an outcome, or deciding about the one that is proposed. */
export function NextStep<Proposal extends ShownProposal & { isMine: boolean }>({
  proposal,
  wordsOf,
  isOvertaken,
  look = 'primary',
  onPropose,
  onDecide,
}: NextStepProps<Proposal>) {
  return (
    <>
      {isOvertaken && <Overtaken className="mb-4" />}
      {proposal === null ? (
        <Button look={look} onClick={onPropose}>
          Propose an outcome
        </Button>
      ) : (
        <ProposedOutcome
          words={wordsOf(proposal)}
          proposal={proposal}
          onReject={() => onDecide('REJECT', proposal)}
          onConfirm={() => onDecide('CONFIRM', proposal)}
        />
      )}
    </>
  );
}

interface ConfirmOutcomeProps {
  words: Words;
  proposal: ShownProposal;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  /** What it is about, above what was proposed. */
  children: ReactNode;
  /** What else is known, below it. */
  below?: ReactNode;
}

/** The second person sees what the first one says, and what confirming it does. */
export function ConfirmOutcome({ words, proposal, onConfirm, onClose, children, below }: ConfirmOutcomeProps) {
  const { word, follows } = words;

  async function go(): Promise<void> {
    await onConfirm();
    toast({ tone: 'good', text: 'The outcome is in the books.' });
  }

  return (
    <ConfirmDialog open onClose={onClose} title={`${word}?`} confirm="Confirm the outcome" danger onConfirm={go}>
      {children}
      <DescriptionList
        layout="rows"
        items={[
          { label: 'Proposed by', value: proposal.proposedBy.email ?? 'a colleague' },
          { label: 'At', value: <Moment at={proposal.proposedAt} /> },
          { label: 'How it is known', value: SOURCES[proposal.source] },
          { label: 'Note', value: proposal.note },
        ]}
      />
      {below}
      <Alert tone="warn" title={word}>
        {follows} This cannot be undone.
      </Alert>
    </ConfirmDialog>
  );
}
