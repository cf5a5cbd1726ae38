import { lazy, Suspense, useState } from 'react';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { ACTION_WORDS, reasonOf, type SuspenseEntry, voidWords } from '../money-in/money-words.ts';

const MoneyDialog = lazy(() => import('../money-in/money-dialog.tsx').then((part) => ({ default: part.MoneyDialog })));
const ProposeDialog = lazy(() =>
  import('../money-in/propose-dialog.tsx').then((part) => ({ default: part.ProposeDialog })),
);

type ToDecide = Data<'get', '/operator/inbound-payment/{paymentId}'>['toDecide'];

/** What two people may say becomes of a payment in, and the next step of it; nothing where nothing is to be decided. */
export function PaymentDecision({ toDecide }: { toDecide: ToDecide }) {
  /** As it was read: another proposal that comes meanwhile is none that anybody looked at. */
  const [opened, setOpened] = useState<SuspenseEntry>();
  if (toDecide === null) return null;
  const { proposal, status } = toDecide;
  const Dialog = opened?.proposal === null ? ProposeDialog : MoneyDialog;
  return (
    <Section title="What becomes of it?" about={aboutOf(toDecide)}>
      {proposal !== null && (
        <p className="mb-4">
          {proposal.proposedBy.email ?? 'A colleague'} proposed: {ACTION_WORDS[proposal.action].toLowerCase()}.{' '}
          {voidWords(proposal)?.title ?? (proposal.isMine && 'Another person has to confirm it.')}
        </p>
      )}
      <Button look={status === 'SUSPENSE' ? 'primary' : 'secondary'} onClick={() => setOpened(toDecide)}>
        {nextStepOf(toDecide)}
      </Button>
      <Suspense>{opened !== undefined && <Dialog money={opened} onClose={() => setOpened(undefined)} />}</Suspense>
    </Section>
  );
}

function aboutOf({ status, reason }: SuspenseEntry): string {
  if (status === 'PENDING_SETTLEMENT') {
    return 'The wallet has it once the provider has settled it. Where the provider returned it to its payer, two people say so.';
  }
  return `${reason === null ? '' : `${reasonOf(reason)}. `}Two people decide about it.`;
}

function nextStepOf({ status, proposal }: SuspenseEntry): string {
  if (proposal !== null) return proposal.isMine ? 'See your proposal' : 'Look and decide';
  return status === 'SUSPENSE' ? 'Propose what becomes of it' : 'Say that it went back';
}
