import type { RailAnswer, RailOutcome } from '../rails/index.ts';
import type { ImportRow, LineRow } from './queries.ts';
import type { LineKind } from './settlement-kinds.ts';

const OUTCOMES: Record<LineKind, { outcome: RailOutcome; reason: string | null }> = {
  PAID: { outcome: 'succeeded', reason: null },
  FAILED: { outcome: 'failed', reason: 'SETTLEMENT_SAYS_FAILED' },
  REVERSED: { outcome: 'reversed', reason: 'RAIL_REVERSED' },
  UNCLEAR: { outcome: 'unknown', reason: 'SETTLEMENT_SAYS_NOTHING' },
};

/** Where it stands, for the evidence of a payout. */
export function noteOf(settlement: ImportRow, line: LineRow): string {
  return `Line ${line.line_number} of ${settlement.file_name} says ${line.status_text || line.kind}`;
}

/** A line of the rail's file as the rail's word, at the time that the file gives. */
export function answerOf(line: LineRow, message: string): RailAnswer {
  if (line.occurred_at === null) throw new Error(`line ${line.id} has no date`);
  return { ...OUTCOMES[line.kind], code: null, message, sessionId: line.session_id, at: line.occurred_at };
}
