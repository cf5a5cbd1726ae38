import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useNeeded } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { REFUND_WORDS } from '../collections/refund-words.ts';
import { HeldSection } from '../compliance/held-section.tsx';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { DisputeLink, RefundLink } from '../components/operator-links.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { Status } from '../components/status.tsx';
import { showStatus } from '../components/status-words.ts';
import { Amount, Moment } from '../components/values.tsx';
import { channelWord } from '../format/channels.ts';
import { modeWord } from '../format/modes.ts';
import { startOfLagosDay } from '../format/time.ts';
import { type EvidenceEntry, EvidenceTimeline, evidenceEntries, inOrder } from '../transactions/evidence.tsx';
import { PaymentDecision } from './payment-decision.tsx';

const ProposeDisputeDialog = lazy(() =>
  import('../operator-disputes/propose-dispute-dialog.tsx').then((part) => ({ default: part.ProposeDisputeDialog })),
);

type PaymentCase = Data<'get', '/operator/inbound-payment/{paymentId}'>;

const ASKED_BY: Record<PaymentCase['evidence'][number]['source'], string> = {
  WEBHOOK: 'The provider sent a webhook, was asked, and answered',
  POLL: 'It was in the provider’s list, which was asked, and answered',
  CHECK: 'Somebody asked the provider, and it answered',
};

const ACTIONS: Record<PaymentCase['decisions'][number]['action'], string> = {
  ATTRIBUTE: 'credit it to a wallet',
  RETURN: 'it goes back to its payer',
  KEEP: 'the operator keeps it',
};

/** Why a payment is held by a finding that is listed of it. */
const HELD_FOR: ReadonlySet<string | null> = new Set(['UNDER_REVIEW', 'TIER_LIMIT']);

/** Everything that is known of one payment in, of any merchant. */
export function PaymentCasePage({ paymentId }: { paymentId: string }) {
  const found = useNeeded('/operator/inbound-payment/{paymentId}', { path: { paymentId } }).data;
  const { payment } = found;
  return (
    <>
      <PageHeader
        title={`Payment from ${payment.payer.name ?? 'an unnamed payer'}`}
        back={{ to: '/operator/payments-in', label: 'Payments in' }}
        beside={<Status status={payment.status} reason={payment.reason} />}
        actions={found.disputesByHand && <EnterDispute payment={payment} />}
      >
        To{' '}
        <Link
          to="/operator/merchants/$merchantId"
          params={{ merchantId: payment.merchantId }}
          search={{}}
          className="text-accent underline"
        >
          {payment.businessName ?? payment.merchantId}
        </Link>
        , {modeWord(payment.mode)}.
      </PageHeader>
      {payment.status === 'SUSPENSE' && HELD_FOR.has(payment.reason) && (
        <HeldSection merchantId={payment.merchantId} mode={payment.mode} subjectId={payment.paymentId} />
      )}
      <PaymentDecision toDecide={found.toDecide} />
      <Facts found={found} />
      <TakenBack found={found} />
      <Section
        title="What happened"
        about="What the provider said, what the books did, and who decided, in the order that it happened."
      >
        <EvidenceTimeline entries={entriesOf(found)} />
      </Section>
    </>
  );
}

/** For a provider that cannot be asked. */
function EnterDispute({ payment }: { payment: PaymentCase['payment'] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Enter a dispute</Button>
      <Suspense>{isOpen && <ProposeDisputeDialog payment={payment} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** How much is kept of it, and when it comes back, or came. */
function Reserved({ reserve }: { reserve: NonNullable<PaymentCase['reserve']> }) {
  const { amount, releaseOn, releasedAt } = reserve;
  return (
    <>
      <Amount value={amount} /> {releasedAt === null ? 'until' : 'until it came back on'}{' '}
      <Moment at={releasedAt ?? startOfLagosDay(releaseOn)} show="day" />
    </>
  );
}

function Facts({
  found: { payment, disputesByHand, reserve, narration, providerFee, session, settlement },
}: {
  found: PaymentCase;
}) {
  const items = [
    { label: 'Amount', value: <Amount value={payment.amount} currency={payment.currency} /> },
    { label: 'Fee and VAT', value: <Amount value={payment.fee + payment.vat} /> },
    { label: 'Net', value: <Amount value={payment.net} /> },
    { label: 'Paid by', value: channelWord(payment.channel) },
    ...(reserve === null ? [] : [{ label: 'In reserve', value: <Reserved reserve={reserve} /> }]),
    { label: 'Paid to', value: <Copyable text={payment.accountNumber} what="account number" /> },
    { label: 'Provider account', value: payment.rail },
    {
      label: 'Disputes about it',
      value: disputesByHand ? 'Entered here by two of you' : 'The provider is asked: nobody enters them',
    },
    { label: 'Provider’s id', value: <Copyable text={payment.providerTransactionId} what="provider’s id" /> },
    {
      label: 'Session id',
      value: payment.sessionId === null ? 'Not known' : <Copyable text={payment.sessionId} what="session id" />,
    },
    { label: 'Narration', value: narration ?? 'None' },
    { label: 'Paid', value: <Moment at={payment.paidAt} utc /> },
    { label: 'Payment session', value: session === null ? 'None' : `${session.reference} (${wordOf(session.status)})` },
    {
      label: 'Settled',
      value:
        settlement === null ? (
          'Not yet'
        ) : (
          <Link
            to="/operator/provider-settlements/$settlementId"
            params={{ settlementId: settlement.settlementId }}
            className="text-accent underline"
          >
            <Moment at={settlement.settledAt} />
          </Link>
        ),
    },
    {
      label: 'The provider keeps',
      value:
        settlement === null && providerFee === null ? 'Not known' : <Amount value={settlement?.fee ?? providerFee} />,
    },
  ];
  return (
    <Section title="The payment">
      <DescriptionList items={items} />
    </Section>
  );
}

/** Its refunds and disputes, with the ways to them. */
function TakenBack({ found: { payment, takenBack } }: { found: PaymentCase }) {
  if (takenBack.length === 0) return null;
  return (
    <Section title="Refunds and disputes" bare>
      <ul className="card divide-y">
        {takenBack.map(({ kind, id, status, reason, amount, at }) => {
          const of = { ...payment, children: kind === 'REFUND' ? 'Refund' : 'Dispute' };
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-5">
              <p className="font-medium">
                {kind === 'REFUND' ? <RefundLink refundId={id} {...of} /> : <DisputeLink disputeId={id} {...of} />} of{' '}
                <Amount value={amount} />, <Moment at={at} />
              </p>
              <Status status={status} reason={reason} {...(kind === 'REFUND' && { word: wordOfRefund(status) })} />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

const wordOfRefund = (status: string) => REFUND_WORDS[status as keyof typeof REFUND_WORDS];

const wordOf = (status: string) => showStatus(status).word.toLowerCase();

function entriesOf(found: PaymentCase): EvidenceEntry[] {
  const { evidence, decisions, settlement } = found;
  return inOrder([
    ...evidenceEntries(found),
    ...evidence.map(
      ({ source, outcome, code, reported, receivedAt }, at): EvidenceEntry => ({
        key: `evidence-${at}`,
        kind: 'BANK',
        at: receivedAt,
        title: `${ASKED_BY[source]}: ${outcome}`,
        facts: [
          ...(code === null ? [] : [{ label: 'Code', value: code }]),
          ...reported.map(({ name, value }) => ({ label: name, value })),
        ],
        tone: 'good',
      }),
    ),
    ...decisions.flatMap((decision, at): EvidenceEntry[] => [
      {
        key: `decision-${at}`,
        kind: 'PEOPLE',
        at: decision.proposedAt,
        title: `${decision.proposedBy ?? 'A colleague'} proposed: ${ACTIONS[decision.action]}`,
        facts: [{ label: 'Source', value: wordOf(decision.source) }],
        text: decision.note,
        tone: 'info',
      },
      ...(decision.decidedAt === null
        ? []
        : [
            {
              key: `decision-${at}-end`,
              kind: 'PEOPLE' as const,
              at: decision.decidedAt,
              title: `${decision.decidedBy ?? 'A colleague'}: ${wordOf(decision.status)}`,
              facts: [],
              ...(decision.reason === null ? {} : { text: decision.reason }),
              tone: 'quiet' as const,
            },
          ]),
    ]),
    ...(settlement === null
      ? []
      : [
          {
            key: 'settled',
            kind: 'BANK' as const,
            at: settlement.settledAt,
            title: 'The provider settled it',
            facts: [{ label: 'Settlement', value: settlement.settlementId }],
            tone: 'good' as const,
          },
        ]),
  ]);
}
