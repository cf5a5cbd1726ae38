import type { Movement } from '../../ledger/index.ts';
import type { Queries } from '../../platform/db/database.ts';
import { type Write, write } from '../../platform/db/statement.ts';
import { newId } from '../../platform/ids.ts';
import type { RailAnswer } from '../../rails/index.ts';
import { insertAttempts, type PayoutRecord } from '../queries.ts';
import { reportedText } from '../reported-text.ts';
import { updateAttemptsEnded } from './queries.ts';

/** Where an outcome comes from: the answer to a call, whose attempt is there already, or a word that came another way. */
export type OutcomeSource = { attemptId: string } | ToldSource;

export interface ToldSource {
  kind: 'NOTICE' | 'SETTLEMENT' | 'OPERATOR';
  /** For the evidence, in place of the rail's message: who decided, from which source, or why it was not believed. */
  note?: string | undefined;
  /** What else happens in the movement that applies the outcome. Where nothing is applied, nothing of it happens. */
  writes?: readonly Write[] | undefined;
  transitions?: Movement['transitions'];
  transfers?: Movement['transfers'];
  claims?: Movement['claims'];
}

/** What a rail said of a payout, and who it was. */
export interface Word {
  rail: string;
  answer: RailAnswer;
  source: OutcomeSource;
}

export function isOperators({ source }: Word): boolean {
  return 'kind' in source && source.kind === 'OPERATOR';
}

/**
 * The row by which a word is kept: the end of its attempt, or a row of its own. For the movement that applies it, or by
 * itself where it changes nothing.
 */
export function evidenceWrite(payout: PayoutRecord, word: Word, at: Date): Write {
  const { answer, source } = word;
  const { outcome, code, reason, message, sessionId, reported } = answer;
  const key = { merchant_id: payout.merchant_id, mode: payout.mode, payout_id: payout.id };
  const said = { outcome, code, reason, session_id: sessionId, reported: reportedText(reported) };
  if ('attemptId' in source) {
    return write(updateAttemptsEnded, {
      ...key,
      ...said,
      id: source.attemptId,
      message,
      ended_at: answer.at.toISOString(),
    });
  }
  const now = at.toISOString();
  return write(insertAttempts, {
    ...key,
    ...said,
    id: newId(),
    rail: word.rail,
    kind: source.kind,
    message: source.note ?? message,
    started_at: now,
    ended_at: now,
  });
}

/** Keeps a word that changes nothing. */
export async function keepEvidence(queries: Queries, payout: PayoutRecord, word: Word, at: Date): Promise<void> {
  const kept = evidenceWrite(payout, word, at);
  await queries.run(kept.into, [kept.row]);
}
