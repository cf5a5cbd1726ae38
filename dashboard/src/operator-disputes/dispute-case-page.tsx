import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import type { Mode } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { showStatus } from '../components/status-words.ts';
import { TimeLeft } from '../components/time-left.tsx';
import { Timeline, type TimelineEntry } from '../components/timeline.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { formatMoney } from '../format/money.ts';
import { LookedIntoDialog } from './dismiss-dialog.tsx';
import { ACTION_WORDS, CATEGORIES, type DisputeCase, isContradicted, lookWord, whatToDo } from './dispute-words.ts';
import { ProposalDialog } from './proposal-dialog.tsx';
import { ProposeEndDialog } from './propose-end-dialog.tsx';

const LOOK_EVERY_MS = 10_000;

interface DisputeCasePageProps {
  disputeId: string;
  merchantId: string;
  mode: Mode;
}

/** All that is known of one dispute of any merchant, and how two people end it where its provider cannot be asked. */
export function DisputeCasePage({ disputeId, merchantId, mode }: DisputeCasePageProps) {
  const { data, error, refetch } = useRead(
    '/operator/merchant/{merchantId}/dispute/{disputeId}',
    { path: { merchantId, disputeId }, query: { mode } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  if (data === undefined) return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  const { dispute } = data;
  return (
    <>
      <PageHeader
        title={`Dispute of ${formatMoney(dispute.amount)}`}
        beside={<Status status={dispute.status} reason={data.reason} />}
        back={{ to: '/operator/disputes', label: 'Disputes' }}
      >
        Of{' '}
        <Link
          to="/operator/merchants/$merchantId"
          params={{ merchantId }}
          search={{}}
          className="text-accent underline"
        >
          {dispute.businessName ?? merchantId}
        </Link>
        , {modeWord(mode)}.
      </PageHeader>
      <ToLookAt found={data} />
      <Decision found={data} />
      <Section title="What is known">
        <Facts found={data} />
      </Section>
      <Section title="What happened" about="What was said, answered and proposed, in order.">
        <Timeline entries={entriesOf(data)} />
      </Section>
    </>
  );
}

/** Why somebody has to look at it, in the provider's words where these are not understood. */
function ToLookAt({ found: { dispute, reports, lookedInto } }: { found: DisputeCase }) {
  const [isNoting, setNoting] = useState(false);
  const why = lookWord(dispute.operatorReason);
  if (why === null) {
    return lookedInto === null ? null : (
      <Alert tone="info" title="The provider contradicted its end" className="mb-6">
        {lookedInto.by ?? 'A colleague'} noted: {lookedInto.note}
      </Alert>
    );
  }
  const said = reports.findLast((report) => report.said !== null)?.said;
  return (
    <Alert tone="warn" title={why} className="mb-6">
      {dispute.operatorReason === 'STATE_NOT_LISTED' ? (
        <>
          It says <q>{said}</q>. Ask it how the dispute ended: two of you say it here.
        </>
      ) : (
        `No money moves by itself. ${whatToDo(dispute)}`
      )}
      {isContradicted(dispute) && (
        <div className="mt-3">
          <Button onClick={() => setNoting(true)}>Note what you found out</Button>
        </div>
      )}
      {isNoting && <LookedIntoDialog dispute={dispute} onClose={() => setNoting(false)} />}
    </Alert>
  );
}

/** Who says how it ends. */
function Decision({ found: { dispute, isDecidedByPeople, outcomes, proposals, endedAt } }: { found: DisputeCase }) {
  const [open, setOpen] = useState<'END' | 'PROPOSAL'>();
  const hasEnded = endedAt !== null;
  if (hasEnded && outcomes.length === 0) return null;
  const waiting = proposals.find(({ status }) => status === 'PENDING');
  const close = () => setOpen(undefined);
  return (
    <section className="card mb-8 flex flex-wrap items-center justify-between gap-4 p-4 sm:p-5" aria-label="Its end">
      <div>
        <p className="text-lg">{hasEnded ? 'It was won' : <TimeLeft dueAt={dispute.dueAt} withMoment />}</p>
        <p className="mt-1 text-sm text-muted">
          {hasEnded
            ? 'Where it is lost after all, two of you say so, and its amount is taken.'
            : isDecidedByPeople
              ? dispute.operatorReason === 'STATE_NOT_LISTED'
                ? 'What its provider says is not understood: two of you say how it ended.'
                : 'Its provider cannot be asked: answer it there, and two of you say how it ended.'
              : 'Its provider is asked about it, and says how it ends.'}
        </p>
      </div>
      {outcomes.length > 0 &&
        (waiting === undefined ? (
          <Button look={hasEnded ? 'secondary' : 'primary'} onClick={() => setOpen('END')}>
            {hasEnded ? 'Say that it is lost' : 'Say how it ended'}
          </Button>
        ) : (
          <Button look="primary" onClick={() => setOpen('PROPOSAL')}>
            {waiting.isMine ? 'See your proposal' : 'Decide the proposal'}
          </Button>
        ))}
      {open === 'END' && <ProposeEndDialog dispute={dispute} outcomes={outcomes} onClose={close} />}
      {open === 'PROPOSAL' && waiting !== undefined && <ProposalDialog proposal={waiting} onClose={close} />}
    </section>
  );
}

function Facts({ found: { dispute, message, payment, taken, loss, endedAt } }: { found: DisputeCase }) {
  return (
    <DescriptionList
      items={[
        { label: 'Provider account', value: dispute.rail },
        { label: 'Number there', value: <Copyable text={dispute.providerDisputeId} what="number of the provider" /> },
        { label: 'Heard from', value: dispute.source === 'OPERATOR' ? 'Two people of yours' : 'The provider' },
        {
          label: 'Payment',
          value: (
            <Link
              to="/operator/payments-in/$paymentId"
              params={{ paymentId: dispute.paymentId }}
              className="text-accent underline"
            >
              {payment === null
                ? dispute.paymentId
                : `${formatMoney(payment.amount)} from ${payment.payerName ?? 'somebody'}`}
            </Link>
          ),
        },
        { label: 'Why', value: CATEGORIES[dispute.category as keyof typeof CATEGORIES] ?? dispute.category },
        { label: 'The payer says', value: message },
        { label: 'May be taken', value: <Amount value={dispute.disputed} /> },
        ...(endedAt === null
          ? [{ label: 'Held', value: <Amount value={dispute.held} /> }]
          : [
              { label: 'Taken', value: <Amount value={taken} /> },
              { label: 'Not in the wallet', value: <Amount value={loss} /> },
              { label: 'Still owed', value: <Amount value={dispute.owed} /> },
              { label: 'Ended', value: <Moment at={endedAt} /> },
            ]),
        { label: 'Opened', value: <Moment at={dispute.openedAt} /> },
      ]}
    />
  );
}

function entriesOf({ reports, answers, proposals }: DisputeCase): TimelineEntry[] {
  const said = reports.map(
    ({ source, state, said: words, code, receivedAt }, at): TimelineEntry => ({
      key: `report-${at}`,
      at: receivedAt,
      title: `${source === 'OPERATOR' ? 'Two people said' : 'The provider said'}: ${words ?? showStatus(state).word.toLowerCase()}`,
      tone: words === null ? showStatus(state).tone : 'warn',
      ...(code !== null && { detail: `code ${code}` }),
    }),
  );
  const answered = answers.map(
    ({ answerId, action, status, reason, files, madeAt }): TimelineEntry => ({
      key: answerId,
      at: madeAt,
      title: `The merchant ${action === 'ACCEPT' ? 'accepted it' : `contested it with ${files} ${files === 1 ? 'file' : 'files'}`}`,
      tone: status === 'REFUSED' ? 'bad' : 'info',
      detail: [status === 'SENT' ? 'The provider has it' : showStatus(status).word, reason].filter(Boolean).join(' · '),
    }),
  );
  const proposed = proposals.map(
    ({ proposalId, action, proposedBy, proposedAt, note, status, decidedBy, reason }): TimelineEntry => ({
      key: proposalId,
      at: proposedAt,
      title: `Proposed by ${proposedBy ?? 'a colleague'}: ${ACTION_WORDS[action].word.toLowerCase()}`,
      tone: status === 'CONFIRMED' ? 'good' : 'quiet',
      detail: [
        note,
        status === 'PENDING' ? 'waits for a second person' : `${status.toLowerCase()} by ${decidedBy ?? 'a colleague'}`,
        reason,
      ]
        .filter(Boolean)
        .join(' · '),
    }),
  );
  return [...proposed, ...said, ...answered].sort((one, other) => one.at.localeCompare(other.at));
}
