import type { Data } from '../api/types.ts';
import { type StatusTone, showStatus } from '../components/status.tsx';
import { formatMoney } from '../format/money.ts';
import { reportedText } from '../format/text.ts';
import { entryWord } from '../wallet/entries.tsx';

export type Evidence = Data<'get', '/transaction/{transactionId}/evidence'>;
export type Attempt = NonNullable<Evidence['attempts']>[number];

/** Which part of the evidence it is: what people or the bank said, what the books did, what we told. */
export type EvidenceKind = 'PEOPLE' | 'BANK' | 'BOOKS' | 'STATUS' | 'TOLD';

export interface EvidenceEntry {
  key: string;
  kind: EvidenceKind;
  at: string;
  title: string;
  /** Lines under the title. */
  facts: readonly { label: string; value: string }[];
  text?: string;
  tone: StatusTone;
}

/** Everything known of a transaction; see `inOrder`. */
export function evidenceEntries(evidence: Evidence): EvidenceEntry[] {
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

/** At the same instant: what was asked, then what it did, then what was told of it. */
const ORDER: Record<EvidenceKind, number> = { PEOPLE: 0, BANK: 1, BOOKS: 2, STATUS: 3, TOLD: 4 };

function nameEnquiry({ nameEnquiry: asked }: Evidence): EvidenceEntry[] {
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
  VOID: 'given back',
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
  NOTICE: 'The bank told us',
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
    ...(call.message === null ? {} : { text: call.message }),
    tone: outcome?.tone ?? 'quiet',
  };
}

function tookOf(from: string, to: string): string {
  const ms = new Date(to).getTime() - new Date(from).getTime();
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function event(told: Evidence['events'][number]): EvidenceEntry {
  return {
    key: told.eventId,
    kind: 'TOLD',
    at: told.createdAt,
    title: `Event ${told.type}`,
    facts: [{ label: 'Sequence', value: String(told.sequence) }],
    tone: 'quiet',
  };
}
