import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type SettlementScenarioName, sandboxSettlement } from '../rails/index.ts';
import { nothingToSettle, sandboxOnly } from './errors.ts';
import { settlementView } from './views.ts';

export interface SettleAtBankDeps {
  database: Database;
  ledger: Ledger;
  clock: Clock;
}

/** Each once, also where two callers ask at the same moment. */
const MADE = 'SANDBOX_SETTLEMENT';

/**
 * The simulated bank settles what was paid at it to this merchant's numbers, less what went back. It moves no money here: it stands
 * in the bank's books from this commit on, and comes as a settlement of any provider does, by its webhook and the list; people
 * of the operator apply it.
 * @throws AppError `SANDBOX_ONLY`; 409 `SANDBOX_NOTHING_TO_SETTLE`
 */
export async function settleAtBank(
  { database, ledger, clock }: SettleAtBankDeps,
  given: {
    tenant: Tenant;
    scenario: SettlementScenarioName | undefined;
    idempotency: IdempotencyKey | undefined;
  },
): Promise<CommitResult> {
  const { tenant, scenario = 'whole', idempotency } = given;
  if (tenant.mode !== 'SANDBOX') throw sandboxOnly();
  const now = clock.now();
  const made = await sandboxSettlement(database, { tenant, scenario }, now);
  if (made === undefined) throw nothingToSettle();
  const { row, number, write } = made;
  const id = newId();
  return ledger.commit({
    tenant,
    id,
    occurredAt: now.toISOString(),
    idempotency,
    uniqueKeys: [{ scope: MADE, value: String(number), refusal: nothingToSettle }],
    writes: [write],
    events: [{ id: newId(), type: 'sandbox.settlement_made', subjectId: id, data: jsonOf(settlementView(row)) }],
    answer: { message: 'Settled at the sandbox bank' },
  });
}
