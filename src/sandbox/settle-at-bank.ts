import type { CommitResult, IdempotencyKey, Ledger } from '../ledger/index.ts';
import { keptByOwner } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import { createOpenWork, createOwnerQueue, type OpenWork, type OwnerQueue } from '../platform/owner-queue.ts';
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

/** Of one merchant at the same moment. Of more, one settles everything and the others have nothing left. */
const MOST_OF_MERCHANT = 4;
/**
 * What to settle is found by reading all that the merchant's sandbox ever settled: three statements of 0.8 s each for
 * 100,000 payments. So one is found at a time, merchants by turns, and the database stays free for others.
 */
const turnsOf = keptByOwner<Database, { run: OwnerQueue; open: OpenWork }>(() => ({
  run: createOwnerQueue({ atOnce: 1 }),
  open: createOpenWork(),
}));

interface ToSettle {
  tenant: Tenant;
  scenario: SettlementScenarioName | undefined;
  idempotency: IdempotencyKey | undefined;
}

/**
 * The simulated bank settles what was paid at it to this merchant's numbers, less what went back. It moves no money here: it stands
 * in the bank's books from this commit on, and comes as a settlement of any provider does, by its webhook and the list; people
 * of the operator apply it.
 * @throws AppError `SANDBOX_ONLY`; 409 `SANDBOX_NOTHING_TO_SETTLE`
 */
export async function settleAtBank(deps: SettleAtBankDeps, given: ToSettle): Promise<CommitResult> {
  const { merchantId, mode } = given.tenant;
  if (mode !== 'SANDBOX') throw sandboxOnly();
  const { run, open } = turnsOf(deps.database);
  if (open.of(merchantId) >= MOST_OF_MERCHANT) throw nothingToSettle();
  const ended = open.begin(merchantId);
  try {
    return await run(merchantId, () => settleInTurn(deps, given));
  } finally {
    ended();
  }
}

async function settleInTurn({ database, ledger, clock }: SettleAtBankDeps, given: ToSettle): Promise<CommitResult> {
  const { tenant, scenario = 'whole', idempotency } = given;
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
