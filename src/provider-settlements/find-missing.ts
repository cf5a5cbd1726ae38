import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { ProviderSettlementDeps } from './deps.ts';
import {
  insertMissingPayments,
  listUnsettledPayments,
  planUnsettledReport,
  updateMissingSettled,
} from './line-queries.ts';
import type { ProviderSettlementRow } from './queries.ts';

const PIECE = 5_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Payments that were confirmed before the cut-off, that no settlement has and this one does not name. Each is missed once,
 * whichever settlements lack it, until one has it.
 */
export async function findMissing(
  { database, clock }: ProviderSettlementDeps,
  { id, rail, mode, cut_off: cutOff, imported_by: by }: ProviderSettlementRow,
): Promise<void> {
  if (cutOff === null) return;
  for (let after = [NO_ID, NO_ID]; ; ) {
    const page = await database.transaction(async (tx) => {
      await tx.query(planUnsettledReport);
      return tx.query(listUnsettledPayments, [id, rail, mode, cutOff, ...after, PIECE]);
    });
    const last = page.at(-1);
    if (last === undefined) break;
    const rows = page.map((payment) => {
      const missing = {
        settlement_id: id,
        id: newId(),
        provider_transaction_id: payment.provider_transaction_id,
        session_id: payment.session_id,
        result: 'MISSING_THERE',
        detail: `it was confirmed on ${payment.confirmed_at.toISOString()}`,
        merchant_id: payment.merchant_id,
        payment_id: payment.id,
        our_amount_minor: payment.amount_minor,
        our_fee_minor: payment.provider_fee_minor,
      } as const;
      return write(insertMissingPayments, missing).row;
    });
    await database.run(insertMissingPayments, rows);
    after = [last.merchant_id, last.id];
  }
  const note = 'in a settlement that was applied at the same moment';
  await database.query(updateMissingSettled, [id, note, by, clock.now(), mode]);
}
