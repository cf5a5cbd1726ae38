import { lazy, Suspense, useState } from 'react';
import { useAction } from '../api/action.ts';
import { nowDate } from '../api/clock.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import {
  CATEGORY_WORDS,
  type Dispute,
  type DisputeDetail,
  disputeStatus,
  isAnswered,
} from '../collections/dispute-words.ts';
import { Alert } from '../components/alert.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { PinDialog } from '../components/pin-dialog.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { showStatus } from '../components/status-words.ts';
import { TimeLeft } from '../components/time-left.tsx';
import { Timeline } from '../components/timeline.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatMoney } from '../format/money.ts';
import { DisputeAnswers } from './dispute-answers.tsx';
import { sentenceOf, stepsOf } from './dispute-steps.ts';

const EvidenceDialog = lazy(() => import('./evidence-dialog.tsx').then((part) => ({ default: part.EvidenceDialog })));

const LOOK_EVERY_MS = 5_000;

/** One dispute: what is wanted back, how long it can be answered, and the answer. */
export function DisputePage({ disputeId }: { disputeId: string }) {
  const { data, error, refetch } = useRead(
    '/collection/dispute/{disputeId}',
    { path: { disputeId } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  if (data === undefined) return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  const { dispute } = data;
  return (
    <>
      <PageHeader
        title={`Dispute of ${formatMoney(dispute.amount)}`}
        beside={<Status {...disputeStatus(dispute)} />}
        back={{ to: '/collections/disputes', label: 'All disputes' }}
        actions={
          <ButtonLink to="/collections" search={{ payment: dispute.paymentId }}>
            See the payment
          </ButtonLink>
        }
      >
        <span aria-live="polite">{sentenceOf(dispute)}</span>
      </PageHeader>
      {dispute.status === 'OPEN' && !isAnswered(dispute) && <ToAnswer detail={data} />}
      <Section title="What is disputed">
        <Facts dispute={dispute} />
      </Section>
      <Section title="Money">
        <Money dispute={dispute} />
      </Section>
      <Section title="History" about="What the provider said and what was answered, in order.">
        <Timeline entries={stepsOf(data)} />
      </Section>
      {data.answers.length > 0 && (
        <Section title="Your answers">
          <DisputeAnswers disputeId={disputeId} answers={data.answers} />
        </Section>
      )}
    </>
  );
}

const REFUSED_WORDS: Record<string, string> = {
  DISPUTE_ENDED_BEFORE: 'The dispute had ended before it got there.',
};

/** The two answers, with the time that is left and what follows of each. */
function ToAnswer({ detail: { dispute, takes } }: { detail: DisputeDetail }) {
  const mayAnswer = useMay()('collection:write', useMode());
  const [open, setOpen] = useState<'CONTEST' | 'ACCEPT'>();
  const { disputeId, answerStatus, answerReason, dueAt } = dispute;
  const isOver = dueAt !== null && new Date(dueAt) <= nowDate();
  const reason = answerReason === null ? '' : (REFUSED_WORDS[answerReason] ?? `${showStatus(answerReason).word}.`);
  const close = () => setOpen(undefined);
  return (
    <section className="card mb-8 p-4 sm:p-5" aria-label="Your answer">
      {answerStatus === 'REFUSED' && (
        <Alert tone="bad" title="The provider did not take your answer" className="mb-4">
          {`${reason} ${isOver ? '' : 'You may answer again while there is time.'}`}
        </Alert>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="text-lg">
          <TimeLeft dueAt={dueAt} withMoment />
        </p>
        {!isOver && takes !== null && mayAnswer && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('ACCEPT')}>Accept</Button>
            <Button look="primary" onClick={() => setOpen('CONTEST')}>
              Contest
            </Button>
          </div>
        )}
      </div>
      {!isOver && <HowToAnswer takes={takes !== null} mayAnswer={mayAnswer} />}
      {open === 'ACCEPT' && <Accept dispute={dispute} onClose={close} />}
      <Suspense>
        {open === 'CONTEST' && takes !== null && <EvidenceDialog disputeId={disputeId} takes={takes} onClose={close} />}
      </Suspense>
    </section>
  );
}

function HowToAnswer({ takes, mayAnswer }: { takes: boolean; mayAnswer: boolean }) {
  if (!takes) {
    return (
      <p className="mt-3 text-sm text-muted">
        The provider of this payment takes no answers from here. Send your evidence to the operator before the time is
        over: it answers for you.
      </p>
    );
  }
  if (!mayAnswer) return <p className="mt-3 text-sm text-muted">Somebody who may take money in has to answer.</p>;
  return (
    <ul className="mt-3 list-disc pl-5 text-sm text-muted">
      <li>Contest: you send evidence, the amount stays held, and the payer’s bank decides.</li>
      <li>Accept: the payer gets the amount, and the dispute is over.</li>
    </ul>
  );
}

function Accept({ dispute, onClose }: { dispute: Dispute; onClose: () => void }) {
  const accept = useAction('post', '/collection/dispute/{disputeId}/accept', {
    changes: ['/collection', '/wallet', '/home'],
  });
  // What is accepted is what was shown: it takes more once a refund or another dispute of the payment frees some.
  const [{ disputeId, disputed, held }] = useState(dispute);
  const amount = formatMoney(disputed);
  return (
    <PinDialog
      open
      onClose={onClose}
      title="Accept the dispute?"
      confirm={`Give ${amount} back`}
      missing={
        dispute.disputed === disputed
          ? undefined
          : `The payer would get ${formatMoney(dispute.disputed)} now. Nothing was accepted. Close this and look at it again.`
      }
      onConfirm={async (pin) => {
        await accept.run({ path: { disputeId }, body: { pin } });
        toast({ tone: 'good', text: 'The provider is being notified.' });
      }}
    >
      <p>
        The payer gets {amount} back, taken from your wallet. It cannot be undone, and you cannot contest it afterwards.
        {held < disputed && ' What the wallet does not have of it you owe: money that comes in later pays it.'}
      </p>
    </PinDialog>
  );
}

function Facts({ dispute }: { dispute: Dispute }) {
  return (
    <DescriptionList
      items={[
        { label: 'The payer says', value: dispute.message },
        { label: 'The bank’s reason', value: CATEGORY_WORDS[dispute.category] },
        { label: 'Answer until', value: dispute.dueAt === null ? 'Not said' : <Moment at={dispute.dueAt} utc /> },
        {
          label: 'Provider’s number',
          value: <Copyable text={dispute.providerDisputeId} what="number of the provider" />,
        },
        { label: 'Dispute id', value: <Copyable text={dispute.disputeId} what="dispute id" /> },
        { label: 'Opened', value: <Moment at={dispute.openedAt} /> },
        { label: 'Ended', value: dispute.endedAt === null ? null : <Moment at={dispute.endedAt} /> },
      ].filter(({ value }) => value !== null)}
    />
  );
}

function Money({ dispute }: { dispute: Dispute }) {
  const { amount, disputed, held, taken, loss, owed, endedAt, walletId } = dispute;
  const runs = endedAt === null;
  return (
    <DescriptionList
      layout="rows"
      items={[
        { label: 'Wanted back', value: <Amount value={amount} className="font-semibold" /> },
        ...(disputed === amount
          ? []
          : [{ label: 'Of that at most, as the rest went back before', value: <Amount value={disputed} /> }]),
        ...(runs
          ? [
              {
                label: walletId === null ? 'Held as it gets to the wallet' : 'Held in the wallet',
                value: <Amount value={held} />,
              },
            ]
          : [{ label: 'Taken from the wallet', value: <Amount value={taken} /> }]),
        ...(loss === 0
          ? []
          : [
              { label: 'What the wallet did not have', value: <Amount value={loss} /> },
              { label: 'You still owe', value: <Amount value={owed} className="font-semibold" /> },
            ]),
      ]}
    />
  );
}
