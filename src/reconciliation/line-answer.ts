import { isOurReference } from '../payouts/index.ts';
import type { RailAnswer, RailOutcome, ReportedFacts } from '../rails/index.ts';
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

/** What a line says that it is about. A reference that is none of ours is the rail's own, and says nothing here. */
export function reportedByLine(
  line: Pick<LineRow, 'reference' | 'amount_minor' | 'currency' | 'account_number' | 'bank_code'>,
): ReportedFacts {
  const { reference, amount_minor: amountMinor, currency, account_number: accountNumber, bank_code: bankCode } = line;
  const railReference = reference !== null && isOurReference(reference) ? reference : null;
  return { railReference, amountMinor, currency, accountNumber, bankCode };
}

/** A line of the rail's file as the rail's word, at the time that the file gives. */
export function answerOf(line: LineRow, message: string): RailAnswer {
  if (line.occurred_at === null) throw new Error(`line ${line.id} has no date`);
  return {
    ...OUTCOMES[line.kind],
    code: null,
    message,
    sessionId: line.session_id,
    at: line.occurred_at,
    reported: reportedByLine(line),
  };
}
