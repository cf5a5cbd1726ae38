import { Link } from '@tanstack/react-router';
import { useNeeded } from '../api/reads.ts';
import { HeldSection } from '../compliance/held-section.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { Badge, Status } from '../components/status.tsx';
import { showStatus } from '../components/status-words.ts';
import { Amount, Moment } from '../components/values.tsx';
import { modeWord } from '../format/modes.ts';
import { railsText } from '../operator/rails.ts';
import { OUTCOMES, PROPOSAL_ENDS, REASONS, SOURCES } from '../outcomes/outcome-words.ts';
import { type EvidenceEntry, EvidenceTimeline, evidenceEntries, inOrder } from '../transactions/evidence.tsx';
import { CopyForSupport } from './copy-for-support.tsx';
import { isInDoubt, PayoutDecision } from './payout-decision.tsx';
import { lastSession, type PayoutCase, supportText } from './support-text.ts';

/** Everything that is known of one payout, of any merchant. */
export function PayoutCasePage({ reference }: { reference: string }) {
  const found = useNeeded('/operator/payout/{reference}', { path: { reference } }).data;
  const { payout } = found;
  return (
    <>
      <PageHeader
        title={`Payout to ${payout.payee.accountName}`}
        back={{ to: '/operator/payouts', label: 'Payouts' }}
        beside={
          payout.isUnknown ? (
            <Badge tone="warn">Unknown</Badge>
          ) : (
            <Status status={payout.status} reason={payout.reason} />
          )
        }
        actions={<CopyForSupport text={supportText(found)} />}
      >
        Of{' '}
        <Link
          to="/operator/merchants/$merchantId"
          params={{ merchantId: payout.merchantId }}
          search={{}}
          className="text-accent underline"
        >
          {payout.businessName ?? payout.merchantId}
        </Link>
        , {modeWord(payout.mode)}.
      </PageHeader>
      {payout.operatorReason === 'UNDER_REVIEW' && (
        <HeldSection merchantId={payout.merchantId} mode={payout.mode} subjectId={payout.payoutId} />
      )}
      {isInDoubt(found) && <PayoutDecision found={found} />}
      <Sent found={found} />
      <Section
        title="What happened"
        about="Every call and answer, what the books did, and who decided, in the order that it happened."
      >
        <EvidenceTimeline entries={entriesOf(found)} />
      </Section>
      {payout.status === 'SUCCESS' && !isInDoubt(found) && <PayoutDecision found={found} />}
    </>
  );
}

function Sent({ found }: { found: PayoutCase }) {
  const { payout, sent, charges, refusedByRail } = found;
  const session = lastSession(found);
  const items = [
    { label: 'Amount', value: <Amount value={payout.amount} currency={payout.currency} /> },
    { label: 'Charges', value: <Amount value={charges} /> },
    { label: 'Rail', value: railsText([sent.rail], payout.mode) },
    { label: 'Account', value: <Copyable text={sent.accountNumber} what="account number" /> },
    { label: 'Bank', value: `${sent.bankName} (${sent.bankCode})` },
    { label: 'Narration', value: sent.narration },
    { label: 'Our reference', value: <Copyable text={payout.reference} what="reference" /> },
    { label: 'Reference at the rail', value: <Copyable text={sent.reference} what="reference at the rail" /> },
    {
      label: 'Session id',
      value: session === null ? 'Not known' : <Copyable text={session} what="session id" />,
    },
    { label: 'First sent', value: sent.firstSentAt === null ? 'Never' : <Moment at={sent.firstSentAt} utc /> },
    ...(payout.merchantReference === null
      ? []
      : [{ label: 'Reference of the merchant', value: payout.merchantReference }]),
    ...(refusedByRail === null ? [] : [{ label: 'Refused before by', value: refusedByRail }]),
    ...(payout.operatorReason === null ? [] : [{ label: 'Before people', value: REASONS[payout.operatorReason] }]),
  ];
  return (
    <Section title="What was sent">
      <DescriptionList items={items} />
    </Section>
  );
}

function entriesOf(found: PayoutCase): EvidenceEntry[] {
  const { approval, proposals, settlements } = found;
  return inOrder([
    ...evidenceEntries(found),
    ...(approval === null ? [] : approvalEntries(approval)),
    ...proposals.flatMap(proposalEntries),
    ...settlements.map(
      ({ kind, importId, settledAt }): EvidenceEntry => ({
        key: `settled-${kind}`,
        kind: 'BANK',
        at: settledAt,
        title: kind === 'PAID' ? 'A settlement file confirmed it' : 'A settlement file confirmed its return',
        facts: [{ label: 'Import', value: <ImportLink importId={importId} /> }],
        tone: 'good',
      }),
    ),
  ]);
}

function ImportLink({ importId }: { importId: string }) {
  return (
    <Link to="/operator/reconciliation/$importId" params={{ importId }} className="text-accent underline">
      {importId}
    </Link>
  );
}

function approvalEntries(approval: NonNullable<PayoutCase['approval']>): EvidenceEntry[] {
  const { approvalId, madeBy, madeAt, madeVia, needed, decisions } = approval;
  return [
    {
      key: approvalId,
      kind: 'PEOPLE',
      at: madeAt,
      title: `${madeBy} asked for ${needed === 1 ? 'an approval' : `${needed} approvals`}`,
      facts: [{ label: 'Created', value: madeVia === 'API' ? 'over the API' : 'in the dashboard' }],
      tone: 'warn',
    },
    ...decisions.map(
      ({ decision, by, role, note, at }): EvidenceEntry => ({
        key: `${approvalId}-${by}-${at}`,
        kind: 'PEOPLE',
        at,
        title: `${by} ${decision === 'APPROVE' ? 'approved' : 'rejected'} it`,
        facts: [{ label: 'Role', value: showStatus(role).word }],
        ...(note === null ? {} : { text: note }),
        tone: decision === 'APPROVE' ? 'good' : 'bad',
      }),
    ),
  ];
}

function proposalEntries(proposal: PayoutCase['proposals'][number]): EvidenceEntry[] {
  const { proposalId, outcome, source, note, status, proposedBy, proposedAt, decidedBy, decidedAt, reason } = proposal;
  const { word, tone } = PROPOSAL_ENDS[status];
  return [
    {
      key: proposalId,
      kind: 'PEOPLE',
      at: proposedAt,
      title: `${proposedBy ?? 'A colleague'} said: ${OUTCOMES[outcome].word.toLowerCase()}`,
      facts: [{ label: 'From', value: SOURCES[source] }],
      text: note,
      tone: 'info',
    },
    ...(decidedAt === null
      ? []
      : [
          {
            key: `${proposalId}-decided`,
            kind: 'PEOPLE' as const,
            at: decidedAt,
            title: `${word}${decidedBy === null ? '' : ` by ${decidedBy}`}`,
            facts: [],
            ...(reason === null ? {} : { text: reason }),
            tone,
          },
        ]),
  ];
}
