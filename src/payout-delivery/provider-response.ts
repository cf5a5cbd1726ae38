import type { Movement } from '../ledger/index.ts';
import { formatMoney } from '../money/index.ts';
import {
  type AttemptRow,
  attemptView,
  differingFacts,
  findPayout,
  insertAttempts,
  listAttempts,
  nameEnquiryView,
  type PayoutDeps,
  type PayoutRecord,
  putBeforeOperator,
  railsView,
  reportedFacts,
  reportedText,
  sealAttempt,
  sentTransferOf,
} from '../payouts/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { type RailAnswer, type ReportedFacts, type TransferFact, UNREADABLE } from '../rails/index.ts';
import type { EvidenceParts } from '../transactions/index.ts';
import { findItemNames, listDisbelieved, updateAttemptsEnded } from './queries.ts';

/**
 * The source of an outcome: the answer to a call, whose attempt exists already, or a response that came another way.
 */
export type OutcomeSource = { attempt: AttemptRow } | ReportedSource;

interface ReportedSource {
  kind: 'PROVIDER_WEBHOOK' | 'SETTLEMENT' | 'OPERATOR';
  /** For the evidence, in place of the rail's message: who decided, from which source, or why it was not believed. */
  note?: string | undefined;
  /** Other writes of the movement that applies the outcome. Where nothing is applied, they are not made. */
  writes?: readonly Write[] | undefined;
  transitions?: Movement['transitions'];
  transfers?: Movement['transfers'];
  uniqueKeys?: Movement['uniqueKeys'];
  /**
   * Of the operator's decision: its confirmation where nothing is applied to the payout as it is now, in the transaction
   * that keeps the decision. Where it throws, nothing is kept.
   */
  confirm?: ((tx: Queries, now: PayoutRecord) => Promise<void>) | undefined;
}

/** What a rail said of a payout, and which rail it was. */
export interface ProviderResponse {
  rail: string;
  answer: RailAnswer;
  source: OutcomeSource;
}

export function isOperators({ source }: ProviderResponse): boolean {
  return 'kind' in source && source.kind === 'OPERATOR';
}

/**
 * The row that keeps a response: the end of its attempt, or a row of its own. For the movement that applies it, or by
 * itself where it changes nothing.
 */
export function evidenceWrite(payout: PayoutRecord, response: ProviderResponse, at: Date): Write {
  const { answer, source } = response;
  const { outcome, code, reason, message, sessionId, reported } = answer;
  const key = { merchant_id: payout.merchant_id, mode: payout.mode, payout_id: payout.id };
  const said = { outcome, code, reason, session_id: sessionId, reported: reportedText(reported) };
  if ('attempt' in source) {
    return write(updateAttemptsEnded, sealAttempt({ ...source.attempt, ...said, message, ended_at: answer.at }));
  }
  const { kind, note } = source;
  const given = { id: newId(), rail: response.rail, kind, message: note ?? message, started_at: at, ended_at: at };
  return write(insertAttempts, sealAttempt({ ...key, ...said, ...given }));
}

/** Keeps a response that changes nothing. */
export async function keepEvidence(
  queries: Queries,
  payout: PayoutRecord,
  response: ProviderResponse,
  at: Date,
): Promise<void> {
  const kept = evidenceWrite(payout, response, at);
  await queries.run(kept.into, [kept.row]);
}

/** The reason of every answer that is about another transfer than the one that was sent. */
const MISMATCH = 'RAIL_ANSWER_MISMATCH';

/**
 * What may be believed of a rail's response. This is the one place where reports are compared with what was sent, for
 * every source: an answer that contradicts it becomes `unknown`, and people look into it at once. From then on an
 * answer that leaves such a fact out is not believed either, since it may be about the same wrong transfer. A decision
 * of two people is not compared.
 */
export async function believe(
  deps: PayoutDeps,
  payout: PayoutRecord,
  response: ProviderResponse,
): Promise<ProviderResponse> {
  if (isOperators(response)) return response;
  const wrong = await wrongFacts(deps, payout, response.answer);
  if (wrong.length === 0) return response;
  const { outcome, reported } = response.answer;
  const message = `The rail says ${outcome} of another transfer: ${wrong.map((fact) => wordsOf(fact, payout, reported)).join('; ')}`;
  const { id: payoutId, mode } = payout;
  deps.logger.error(
    { payoutId, mode, rail: response.rail, outcome, facts: wrong },
    'a rail answered about another transfer than the one that was sent',
  );
  deps.onAlarm?.({ alarm: MISMATCH, mode, rail: response.rail });
  await putBeforeOperator(deps, payout, MISMATCH);
  return disbelieved(response, message);
}

function disbelieved({ rail, answer, source }: ProviderResponse, message: string): ProviderResponse {
  const note = 'kind' in source && source.note !== undefined ? `${source.note}. ${message}` : message;
  return {
    rail,
    answer: { ...answer, outcome: 'unknown', reason: MISMATCH, message },
    source: 'kind' in source ? { kind: source.kind, note } : source,
  };
}

async function wrongFacts(deps: PayoutDeps, payout: PayoutRecord, answer: RailAnswer): Promise<TransferFact[]> {
  const { outcome, reported } = answer;
  const isEnd = outcome === 'succeeded' || outcome === 'failed' || outcome === 'reversed';
  const differing = await differingFacts(deps.banks, sentTransferOf(payout), reported);
  // An answer that is not final may leave out facts that the provider gives with a final one.
  const wrong = differing.filter((fact) => isEnd || reported[fact] !== UNREADABLE);
  if (wrong.length > 0 || !isEnd || payout.operator_reason === null) return wrong;
  const contested = await contestedFacts(deps, payout);
  return contested.filter((fact) => reported[fact] === null);
}

/** Facts in which an earlier answer about this payout was wrong. */
async function contestedFacts(deps: PayoutDeps, payout: PayoutRecord): Promise<TransferFact[]> {
  const key = [payout.merchant_id, payout.mode, payout.id, MISMATCH];
  const facts = new Set<TransferFact>();
  for (const { reported } of await deps.database.query(listDisbelieved, key)) {
    const wrong = await differingFacts(deps.banks, sentTransferOf(payout), reportedFacts(reported));
    for (const fact of wrong) facts.add(fact);
  }
  return [...facts];
}

const LABELS: Record<Exclude<TransferFact, 'amountMinor'>, string> = {
  railReference: 'reference',
  currency: 'currency',
  accountNumber: 'account',
  bankCode: 'bank',
};

function wordsOf(fact: TransferFact, payout: PayoutRecord, reported: ReportedFacts): string {
  const sent = sentTransferOf(payout);
  if (fact !== 'amountMinor') {
    const theirs = reported[fact] ?? 'none, where an earlier answer named another';
    return `${LABELS[fact]} ${theirs}, and ${sent[fact]} was sent`;
  }
  const { amountMinor } = reported;
  const theirs = typeof amountMinor === 'bigint' ? formatMoney(amountMinor, payout.currency) : (amountMinor ?? 'none');
  return `amount ${theirs}, and ${formatMoney(sent.amountMinor, payout.currency)} was sent`;
}

/**
 * What is known of a payout besides its transaction: the owner that the bank named when it was accepted, the rail that
 * has it, and in order every call, provider webhook, settlement line and operator's decision.
 */
export const payoutEvidence: EvidenceParts = async (queries, tenant, transaction) => {
  if (transaction.category !== 'PAYOUT') return {};
  const key = [tenant.merchantId, tenant.mode, transaction.id];
  const [[payout], [names], attempts] = await Promise.all([
    queries.query(findPayout, key),
    queries.query(findItemNames, key),
    queries.query(listAttempts, key),
  ]);
  if (payout === undefined) return {};
  return {
    nameEnquiry: nameEnquiryView(payout, names),
    ...railsView(payout),
    attempts: attempts.map(attemptView),
  };
};
