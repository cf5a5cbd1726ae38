import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useNeeded } from '../api/reads.ts';
import type { Mode } from '../api/types.ts';
import { REFUND_WORDS } from '../collections/refund-words.ts';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PayoutLink } from '../components/operator-links.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { Status } from '../components/status.tsx';
import { showStatus } from '../components/status-words.ts';
import { Timeline, type TimelineEntry } from '../components/timeline.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { PROPOSAL_ENDS, SOURCES } from '../outcomes/outcome-words.ts';
import { NextStep } from '../outcomes/two-people.tsx';
import { ConfirmRefundDialog, ProposeRefundDialog, RejectRefundDialog } from './refund-dialogs.tsx';
import {
  isUndecided,
  REFUND_OUTCOMES,
  REFUND_REASONS,
  type RefundCase,
  type RefundProposal,
  SAID_ABOUT,
  SAID_WORDS,
} from './refund-words.ts';

interface RefundCasePageProps {
  refundId: string;
  merchantId: string;
  mode: Mode;
}

/** With what was read: another proposal that comes meanwhile is none that anybody looked at. */
type Action = { what: 'PROPOSE' } | { what: 'CONFIRM' | 'REJECT'; proposal: RefundProposal };

/** All that is known of one refund, and what two people say became of it. */
export function RefundCasePage({ refundId, merchantId, mode }: RefundCasePageProps) {
  const found = useNeeded('/operator/refund/{refundId}', { path: { refundId }, query: { merchantId, mode } }).data;
  const [action, setAction] = useState<Action>();
  const close = () => setAction(undefined);
  const { refund } = found;
  return (
    <>
      <PageHeader
        title={`Refund of ${refund.businessName ?? merchantId}`}
        back={{ to: '/operator/refunds', search: {}, label: 'Refunds' }}
        beside={<Status status={refund.status} reason={refund.reason} word={REFUND_WORDS[refund.status]} />}
      >
        <Link
          to="/operator/merchants/$merchantId"
          params={{ merchantId }}
          search={{}}
          className="text-accent underline"
        >
          The merchant
        </Link>
        , {modeWord(mode)}.
      </PageHeader>
      <Decision found={found} onAction={setAction} />
      <RefundFacts found={found} />
      <PaymentFacts found={found} />
      <Section title="What was said about it" about="What the provider was asked and answered, in order.">
        {found.said.length === 0 ? (
          <p className="text-muted">Nothing yet.</p>
        ) : (
          <Timeline entries={found.said.map(saidEntry)} />
        )}
        {found.nextAskAt !== null && (
          <p className="mt-3 text-xs text-muted">
            The service asks again by itself, next at <Moment at={found.nextAskAt} />.
          </p>
        )}
      </Section>
      {found.proposals.some(({ status }) => status !== 'PENDING') && (
        <Section title="Proposed before">
          <Timeline entries={found.proposals.filter(({ status }) => status !== 'PENDING').map(proposalEntry)} />
        </Section>
      )}
      {action?.what === 'PROPOSE' && <ProposeRefundDialog refund={refund} onClose={close} />}
      {action?.what === 'CONFIRM' && <ConfirmRefundDialog refund={refund} proposal={action.proposal} onClose={close} />}
      {action?.what === 'REJECT' && <RejectRefundDialog refund={refund} proposal={action.proposal} onClose={close} />}
    </>
  );
}

/** What people have to decide, and the next step of it. */
function Decision({ found, onAction }: { found: RefundCase; onAction: (action: Action) => void }) {
  const { refund, isOvertaken } = found;
  const { proposal, operatorReason } = refund;
  if (proposal === null && !isUndecided(refund)) return null;
  return (
    <Section title="What became of it?">
      <p className="mb-4">
        {operatorReason === null
          ? 'The service still asks the provider by itself.'
          : `${REFUND_REASONS[operatorReason]}.`}
      </p>
      <NextStep
        proposal={proposal}
        wordsOf={({ outcome }) => REFUND_OUTCOMES[outcome]}
        isOvertaken={isOvertaken}
        onPropose={() => onAction({ what: 'PROPOSE' })}
        onDecide={(what, decided) => onAction({ what, proposal: decided })}
      />
    </Section>
  );
}

function RefundFacts({ found: { refund, note } }: { found: RefundCase }) {
  const { payoutTransactionId, providerRefundId } = refund;
  return (
    <Section title="The refund">
      <DescriptionList
        items={[
          { label: 'Amount', value: <Amount value={refund.amount} currency={refund.currency} /> },
          { label: 'How', value: refund.way === 'PAYOUT' ? 'As a payout' : 'By the provider of the payment' },
          { label: 'Provider account', value: refund.rail },
          { label: 'Made', value: <Moment at={refund.createdAt} utc /> },
          {
            label: 'First sent',
            value: refund.firstSentAt === null ? 'Not yet' : <Moment at={refund.firstSentAt} utc />,
          },
          { label: 'Our reference', value: <Copyable text={refund.railReference} what="reference" /> },
          {
            label: 'Provider’s id',
            value: providerRefundId === null ? 'Not known' : <Copyable text={providerRefundId} what="provider’s id" />,
          },
          ...(payoutTransactionId === null
            ? []
            : [
                {
                  label: 'Payout',
                  value: <PayoutLink payoutId={payoutTransactionId}>{payoutTransactionId}</PayoutLink>,
                },
              ]),
          { label: 'Note', value: note ?? 'None' },
        ]}
      />
    </Section>
  );
}

function PaymentFacts({ found: { payment, refund } }: { found: RefundCase }) {
  const { payerName, payerAccountNumber, payerBankName, providerTransactionId } = payment;
  return (
    <Section title="The payment">
      <DescriptionList
        items={[
          {
            label: 'Amount',
            value: (
              <Link
                to="/operator/payments-in/$paymentId"
                params={{ paymentId: refund.paymentId }}
                className="text-accent underline"
              >
                <Amount value={payment.amount} currency={refund.currency} />
              </Link>
            ),
          },
          { label: 'Payer', value: payerName ?? 'Not named' },
          { label: 'From', value: [payerAccountNumber, payerBankName].filter(Boolean).join(', ') || 'Not known' },
          {
            label: 'Provider’s id of it',
            value: <Copyable text={providerTransactionId} what="provider’s id of the payment" />,
          },
        ]}
      />
    </Section>
  );
}

function saidEntry(said: RefundCase['said'][number], at: number): TimelineEntry {
  const { kind, startedAt, endedAt, outcome, code, reason, message } = said;
  const known = outcome === null ? undefined : SAID_WORDS[outcome];
  const facts = [code, reason === null ? null : showStatus(reason).word, message].filter((fact) => fact !== null);
  return {
    key: `${startedAt}/${at}`,
    at: startedAt,
    title: `${SAID_ABOUT[kind]}: ${known?.word ?? (endedAt === null ? 'no answer yet' : 'noted')}`,
    detail: facts.length === 0 ? null : <p className="break-words">{facts.join(' · ')}</p>,
    tone: known?.tone ?? 'quiet',
  };
}

function proposalEntry(proposal: RefundCase['proposals'][number]): TimelineEntry {
  const { proposalId, proposedAt, outcome, source, note, status, proposedBy, decidedBy, reason } = proposal;
  const { word, tone } = PROPOSAL_ENDS[status];
  const by = decidedBy === null ? '' : ` by ${decidedBy}`;
  return {
    key: proposalId,
    at: proposedAt,
    title: `${REFUND_OUTCOMES[outcome].word}, said ${proposedBy ?? 'a colleague'}. ${word}${by}.`,
    detail: (
      <p className="break-words">
        “{note}” ({SOURCES[source].toLowerCase()}){reason !== null && ` – “${reason}”`}
      </p>
    ),
    tone,
  };
}
