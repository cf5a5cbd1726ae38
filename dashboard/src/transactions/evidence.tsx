import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { cn } from '../components/class-names.ts';
import { Section } from '../components/page-header.tsx';
import { type StatusTone, showStatus } from '../components/status-words.ts';
import { Timeline } from '../components/timeline.tsx';
import { formatMoney } from '../format/money.ts';
import { reportedText } from '../format/text.ts';
import { decidedBy } from '../outcomes/outcome-words.ts';
import { entryWord } from '../wallet/entries.tsx';

const KINDS: readonly { kind: EvidenceKind; show: string; label: string }[] = [
  { kind: 'PEOPLE', show: 'people', label: 'People' },
  { kind: 'BANK', show: 'bank', label: 'Bank' },
  { kind: 'BOOKS', show: 'books', label: 'Books' },
  { kind: 'STATUS', show: 'status', label: 'Status' },
  { kind: 'NOTIFIED', show: 'events', label: 'Events' },
];

/** Everything that is known, as it happened; parts of it by their own address. */
export function EvidenceSection({ evidence, show }: { evidence: Evidence; show: string | undefined }) {
  const { transactionId } = evidence.transaction;
  const approvalId = approvalIdOf(evidence);
  const approval = useRead(
    '/approval/{approvalId}',
    { path: { approvalId: approvalId ?? '' } },
    { enabled: approvalId !== undefined },
  );
  const all = inOrder([
    ...evidenceEntries(evidence),
    ...(approval.data === undefined ? [] : approvalEntries(approval.data)),
  ]);
  const chosen = KINDS.find((one) => one.show === show);
  const entries = chosen === undefined ? all : all.filter(({ kind }) => kind === chosen.kind);
  const there = KINDS.filter(({ kind }) => all.some((entry) => entry.kind === kind));

  return (
    <Section title="Evidence" about="Everything that is known of it, in the order that it happened.">
      {there.length > 1 && (
        <nav aria-label="Parts of the evidence" className="no-print mb-5 flex flex-wrap gap-1.5">
          <Part transactionId={transactionId} label="Everything" show={undefined} chosen={chosen === undefined} />
          {there.map((one) => (
            <Part key={one.show} transactionId={transactionId} {...one} chosen={one === chosen} />
          ))}
        </nav>
      )}
      <EvidenceTimeline entries={entries} />
    </Section>
  );
}

/** Entries in the order that they are given. */
export function EvidenceTimeline({ entries }: { entries: readonly EvidenceEntry[] }) {
  return (
    <Timeline
      entries={entries.map((entry) => ({
        key: entry.key,
        at: entry.at,
        title: entry.title,
        detail: <Detail entry={entry} />,
        tone: entry.tone,
      }))}
    />
  );
}

interface PartProps {
  transactionId: string;
  label: string;
  show: string | undefined;
  chosen: boolean;
}

function Part({ transactionId, label, show, chosen }: PartProps) {
  return (
    <Link
      to="/transactions/$transactionId"
      params={{ transactionId }}
      search={{ show }}
      resetScroll={false}
      aria-current={chosen ? 'true' : undefined}
      className={cn(
        'rounded-full border px-3 py-1 text-xs font-medium',
        chosen ? 'border-accent bg-accent-soft text-accent' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {label}
    </Link>
  );
}

function Detail({ entry: { facts, text } }: { entry: EvidenceEntry }) {
  return (
    <>
      {text !== undefined && <p>{text}</p>}
      {facts.length > 0 && (
        <dl className="flex flex-wrap gap-x-5 gap-y-0.5 text-xs">
          {facts.map(({ label, value }) => (
            <div key={label} className="flex gap-1.5">
              <dt>{label}</dt>
              <dd className="break-all text-ink">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** Only what waited for an approval has one. */
function approvalIdOf({ approvalId }: Evidence): string | undefined {
  return approvalId ?? undefined;
}

export type Evidence = Data<'get', '/transaction/{transactionId}/evidence'>;
export type Attempt = NonNullable<Evidence['attempts']>[number];

/** Which part of the evidence it is: what people or the bank said, what the books did, which events were sent. */
type EvidenceKind = 'PEOPLE' | 'BANK' | 'BOOKS' | 'STATUS' | 'NOTIFIED';

export interface EvidenceEntry {
  key: string;
  kind: EvidenceKind;
  at: string;
  title: string;
  /** Lines under the title. */
  facts: readonly { label: string; value: ReactNode }[];
  text?: string;
  tone: StatusTone;
}

/** What the books, the bank and the status say of a transaction. */
type Known = Pick<Evidence, 'stateChanges' | 'transfers' | 'events'> &
  Partial<Pick<Evidence, 'nameEnquiry' | 'attempts'>>;

/** Everything known of a transaction; see `inOrder`. */
export function evidenceEntries(evidence: Known): EvidenceEntry[] {
  return [
    ...nameEnquiry(evidence),
    ...evidence.stateChanges.map(stateChange),
    ...evidence.transfers.map(transfer),
    ...(evidence.attempts ?? []).map(attempt),
    ...evidence.events.map(event),
  ];
}

export function inOrder(entries: readonly EvidenceEntry[]): EvidenceEntry[] {
  return entries.toSorted((a, b) => a.at.localeCompare(b.at) || ORDER[a.kind] - ORDER[b.kind]);
}

/** At the same instant: what was asked, then what it did, then which event was sent. */
const ORDER: Record<EvidenceKind, number> = { PEOPLE: 0, BANK: 1, BOOKS: 2, STATUS: 3, NOTIFIED: 4 };

function nameEnquiry({ nameEnquiry: asked }: Known): EvidenceEntry[] {
  if (asked === undefined) return [];
  const { givenName, matchScore } = asked;
  return [
    {
      key: 'name-enquiry',
      kind: 'BANK',
      at: asked.askedAt,
      title: `${asked.bankName} named the account’s owner`,
      facts: [
        { label: 'Name', value: asked.accountName },
        { label: 'Account', value: asked.accountNumber },
        ...(givenName === null ? [] : [{ label: 'Name in your file', value: givenName }]),
        ...(matchScore === null ? [] : [{ label: 'Likeness', value: `${matchScore} of 100` }]),
      ],
      tone: 'good',
    },
  ];
}

function stateChange(change: Evidence['stateChanges'][number], at: number): EvidenceEntry {
  const { word, tone } = showStatus(change.to);
  const { reason } = change;
  return {
    key: `state-${at}`,
    kind: 'STATUS',
    at: change.createdAt,
    title: change.from === '' || change.from === change.to ? word : `${showStatus(change.from).word} → ${word}`,
    facts: reason === null ? [] : [{ label: 'Reason', value: showStatus(reason).word }],
    tone,
  };
}

const TRANSFER_WORDS: Record<Evidence['transfers'][number]['kind'], string> = {
  POSTED: 'moved',
  PENDING: 'held',
  POST: 'taken from what was held',
  VOID: 'released',
};

function transfer(moved: Evidence['transfers'][number]): EvidenceEntry {
  return {
    key: moved.transferId,
    kind: 'BOOKS',
    at: moved.createdAt,
    title: `${entryWord(moved.code)}: ${formatMoney(moved.amount, moved.currency)} ${TRANSFER_WORDS[moved.kind]}`,
    facts: [{ label: 'Transfer', value: moved.transferId }],
    tone: moved.kind === 'VOID' ? 'warn' : 'quiet',
  };
}

const ATTEMPT_WORDS: Record<Attempt['kind'], string> = {
  SEND: 'Sent to the bank',
  QUERY: 'Asked the bank what became of it',
  PROVIDER_WEBHOOK: 'The bank notified us',
  SETTLEMENT: 'Found in the bank’s settlement file',
  OPERATOR: 'Decided by two people of the operator',
};

const OUTCOMES: Record<NonNullable<Attempt['outcome']>, { word: string; tone: StatusTone }> = {
  succeeded: { word: 'paid', tone: 'good' },
  failed: { word: 'not paid', tone: 'bad' },
  unknown: { word: 'no clear answer', tone: 'warn' },
  not_found: { word: 'not known there', tone: 'warn' },
  reversed: { word: 'returned', tone: 'warn' },
};

function attempt(call: Attempt): EvidenceEntry {
  const outcome = call.outcome === null ? undefined : OUTCOMES[call.outcome];
  const facts = [
    { label: 'Rail', value: call.rail },
    { label: 'Code', value: call.code },
    { label: 'Reason', value: call.reason === null ? null : showStatus(call.reason).word },
    { label: 'Session id', value: call.sessionId },
    { label: 'Reported', value: reportedText(call.reported) },
    { label: 'Took', value: call.endedAt === null ? null : tookOf(call.startedAt, call.endedAt) },
  ];
  return {
    key: call.id,
    kind: 'BANK',
    at: call.startedAt,
    title: `${ATTEMPT_WORDS[call.kind]}: ${outcome?.word ?? (call.endedAt === null ? 'no answer yet' : 'noted')}`,
    facts: facts.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }])),
    ...(call.message === null ? {} : { text: call.kind === 'OPERATOR' ? decidedBy(call.message) : call.message }),
    tone: outcome?.tone ?? 'quiet',
  };
}

function tookOf(from: string, to: string): string {
  const ms = new Date(to).getTime() - new Date(from).getTime();
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function event(sent: Evidence['events'][number]): EvidenceEntry {
  return {
    key: sent.eventId,
    kind: 'NOTIFIED',
    at: sent.createdAt,
    title: `Event ${sent.type}`,
    facts: [{ label: 'Sequence', value: String(sent.sequence) }],
    tone: 'quiet',
  };
}

type Approval = Data<'get', '/approval/{approvalId}'>;

/** Who asked for an approval and who gave it, for the timeline of what was approved. */
function approvalEntries(approval: Approval): EvidenceEntry[] {
  const { madeBy, needed, approvalId } = approval;
  return [
    {
      key: `approval-${approvalId}`,
      kind: 'PEOPLE',
      at: approval.madeAt,
      title: `${madeBy.name} asked for ${needed === 1 ? 'an approval' : `${needed} approvals`}`,
      facts: [{ label: 'Created', value: madeBy.via === 'API' ? 'over the API' : 'in the dashboard' }],
      tone: 'warn',
    },
    ...approval.decisions.map(
      ({ decision, by, note, at }): EvidenceEntry => ({
        key: `decision-${by.personId}-${at}`,
        kind: 'PEOPLE',
        at,
        title: `${by.name} ${decision === 'APPROVE' ? 'approved' : 'rejected'} it`,
        facts: [],
        ...(note === null ? {} : { text: note }),
        tone: decision === 'APPROVE' ? 'good' : 'bad',
      }),
    ),
  ];
}
