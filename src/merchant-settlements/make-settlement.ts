import { clearedByReview } from '../approvals/index.ts';
import {
  type CommitResult,
  type IdempotencyKey,
  joinParts,
  type LockedCheck,
  lockedCheck,
  type MovementParts,
  type UniqueKey,
} from '../ledger/index.ts';
import type { ReviewedAccount } from '../merchants/index.ts';
import { type PayoutRecord, prepareServicePayout, servicePayoutParts } from '../payouts/index.ts';
import { type Clock, lagosDay } from '../platform/clock.ts';
import { columnArrays, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { requireWallet } from '../wallets/index.ts';
import type { SettlementDeps } from './deps.ts';
import { settlementMovedOn, settlementNotFailed, settlementOutcomeUncertain } from './errors.ts';
import { sumsText } from './line-kinds.ts';
import type { Plan } from './plan-settlement.ts';
import {
  findUncertainSettlements,
  insertSettlementPayouts,
  insertSettlements,
  type SettlementRow,
  type SettlementTrigger,
  settlementStates,
  updateSettlementsTried,
} from './queries.ts';
import { findLostTurns, type NextTurn, updateSchedulesNext } from './schedule-queries.ts';
import { turnSubject } from './settings.ts';
import { reportedSettlement } from './views.ts';

/** Scope of unique keys: each payout of a settlement once, by its number and attempt. */
const ATTEMPT_SCOPE = 'MERCHANT_SETTLEMENT';
/** The name under which checks depend on a settlement's payout, and movements that give it another one change it. */
export const settlementSubject = (id: string) => `merchant_settlement/${id}`;

export interface Making {
  tenant: Tenant;
  account: ReviewedAccount;
  trigger: SettlementTrigger;
  /** `2026-11-26`; in a sandbox by its own time. */
  businessDay: string;
  cutOff: Date;
  /** Who made it: a person, a key, or the service. */
  madeBy: string;
  /**
   * Until when this worker has the turn: the settlement depends on the settings that were read in it. Left out: there
   * is no turn.
   */
  leasedUntil?: Date;
  /** The next turn, for the same movement; left out where it does not change. */
  next?: Omit<NextTurn, 'result'>;
  idempotency?: IdempotencyKey | undefined;
}

/**
 * Makes a settlement and its payout in one movement: it holds the money, and takes the number of the settlement, which
 * only one movement can take. If the process that makes it dies, the payout is either in the pipeline or was never
 * made.
 * @throws AppError as a payout; 409 `MERCHANT_SETTLEMENT_MOVED_ON` where somebody else made the settlement of this number, or
 *   has the turn, or saved other settings
 */
export async function makeSettlement(deps: SettlementDeps, plan: Plan, making: Making): Promise<CommitResult> {
  const { tenant, account, next, leasedUntil } = making;
  const { payout, parts } = await payoutTo(deps, tenant, account, {
    amountMinor: plan.amountMinor,
    number: plan.number,
    walletId: plan.range.accountId,
    keepMinor: plan.keepMinor,
  });
  const row: SettlementRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: newId(),
    number: plan.number,
    trigger: making.trigger,
    status: 'PROCESSING',
    reason: null,
    wallet_id: plan.range.accountId,
    business_day: making.businessDay,
    cut_off: making.cutOff,
    after_sequence: plan.range.afterSequence,
    upto_sequence: plan.range.upToSequence,
    opening_minor: plan.openingMinor,
    closing_minor: plan.closingMinor,
    sums: sumsText(plan.sums),
    net_minor: plan.netMinor,
    carried_in_minor: plan.carriedInMinor,
    amount_minor: plan.amountMinor,
    carried_out_minor: plan.carriedOutMinor,
    ...accountOf(payout),
    payout_id: payout.id,
    attempts: 1,
    made_by: making.madeBy,
    due_at: null,
    created_at: payout.created_at,
    updated_at: payout.created_at,
  };
  const turn = next && {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    ...next,
    result: null,
    updated_at: row.created_at,
    leased_until: leasedUntil ?? null,
  };
  const result = await deps.ledger.commit({
    tenant,
    id: payout.id,
    occurredAt: row.created_at.toISOString(),
    idempotency: making.idempotency,
    ...joinParts(
      {
        uniqueKeys: attemptKeys(row),
        checks: leasedUntil === undefined ? [] : [inOurTurn(tenant, leasedUntil)],
        writes: [
          write(insertSettlements, row),
          ...attemptWrites(row),
          ...(turn === undefined ? [] : [write(updateSchedulesNext, turn)]),
        ],
        events: [eventOf('merchant_settlement.processing', row, payout)],
      },
      parts,
    ),
    answer: { message: 'The settlement is on its way' },
  });
  deps.wake();
  return result;
}

/**
 * Makes another payout for a settlement that failed, of the same amount, to the present account, whatever is to stay in
 * the wallet. Of several requests at once one makes it.
 * @throws AppError as a payout; 409 `MERCHANT_SETTLEMENT_NOT_FAILED`, `MERCHANT_SETTLEMENT_MOVED_ON`,
 *   `MERCHANT_SETTLEMENT_OUTCOME_UNCERTAIN` where one of the payouts that failed is before the operator: it may have been paid.
 */
export async function trySettlementAgain(
  deps: SettlementDeps,
  settlement: SettlementRow,
  { account, idempotency }: { account: ReviewedAccount; idempotency?: IdempotencyKey | undefined },
): Promise<CommitResult> {
  const { merchant_id, mode, id, number, amount_minor: amountMinor, wallet_id: walletId } = settlement;
  if (settlement.status !== 'FAILED') throw settlementNotFailed(settlement.status);
  const tenant = { merchantId: merchant_id, mode };
  const uncertain = { merchant_id, mode, id };
  const known = columnArrays(findUncertainSettlements, [uncertain]);
  if ((await deps.database.query(findUncertainSettlements, known)).length > 0) throw settlementOutcomeUncertain();
  const { payout, parts } = await payoutTo(deps, tenant, account, { amountMinor, number, walletId, keepMinor: 0n });
  const attempts = settlement.attempts + 1;
  const tried: SettlementRow = {
    ...settlement,
    ...accountOf(payout),
    status: 'PROCESSING',
    reason: null,
    payout_id: payout.id,
    attempts,
    due_at: null,
    updated_at: payout.created_at,
  };
  const result = await deps.ledger.commit({
    tenant,
    id: payout.id,
    occurredAt: payout.created_at.toISOString(),
    idempotency,
    ...joinParts(
      {
        uniqueKeys: attemptKeys(tried),
        checks: [staysCertain(uncertain)],
        changes: [settlementSubject(id)],
        transitions: [
          {
            machine: settlementStates,
            id,
            from: ['FAILED'],
            to: 'PROCESSING',
            reason: null,
            refusal: (actual) => settlementNotFailed(actual ?? 'gone'),
          },
        ],
        writes: [write(updateSettlementsTried, tried), ...attemptWrites(tried)],
        events: [eventOf('merchant_settlement.processing', tried, payout)],
      },
      parts,
    ),
    answer: { message: 'The settlement is tried again' },
  });
  deps.wake();
  return result;
}

function inOurTurn(tenant: Tenant, leased_until: Date): LockedCheck {
  return lockedCheck({
    question: findLostTurns,
    rows: [{ merchant_id: tenant.merchantId, mode: tenant.mode, leased_until }],
    about: [turnSubject(tenant)],
    refusal: (found) => (found.length > 0 ? settlementMovedOn() : undefined),
  });
}

/** The bank is asked for a name between the read and the commit, and until then a rail may report that it paid. */
function staysCertain(settlement: Pick<SettlementRow, 'merchant_id' | 'mode' | 'id'>): LockedCheck {
  return lockedCheck({
    question: findUncertainSettlements,
    rows: [settlement],
    about: [],
    refusal: (found) => (found.length > 0 ? settlementOutcomeUncertain() : undefined),
  });
}

/** The payout goes to the account that was reviewed, and to no other: so no approval of the merchant's is needed. */
async function payoutTo(
  deps: SettlementDeps,
  tenant: Tenant,
  { bankCode, accountNumber }: ReviewedAccount,
  {
    amountMinor,
    number,
    walletId,
    keepMinor,
  }: { amountMinor: bigint; number: number; walletId: string; keepMinor: bigint },
): Promise<{ payout: PayoutRecord; parts: MovementParts }> {
  const prepared = await prepareServicePayout(deps, {
    tenant,
    amountMinor,
    bankCode,
    accountNumber,
    narration: `Settlement ${number}`,
    purpose: 'SETTLEMENT',
    wallet: await requireWallet(deps.wallets, tenant, walletId),
  });
  const cleared = await clearedByReview(deps.database, tenant, { bankCode, accountNumber });
  return servicePayoutParts(deps, prepared, cleared, keepMinor);
}

const accountOf = (payout: PayoutRecord) => ({
  bank_code: payout.beneficiary_bank_code,
  bank_name: payout.beneficiary_bank_name,
  account_number: payout.beneficiary_account_number,
  account_name: payout.beneficiary_account_name,
});

const attemptKeys = ({ number, attempts }: SettlementRow): UniqueKey[] => [
  { scope: ATTEMPT_SCOPE, value: `${number}/${attempts}`, refusal: settlementMovedOn },
];

function attemptWrites({ merchant_id, mode, id, payout_id, attempts, updated_at }: SettlementRow) {
  const row = { merchant_id, mode, payout_id, settlement_id: id, attempt: attempts, created_at: updated_at };
  return [write(insertSettlementPayouts, row)];
}

export function eventOf(type: string, row: SettlementRow, payout: PayoutRecord) {
  return { id: newId(), type, subjectId: row.id, data: jsonOf(reportedSettlement(row, payout)) };
}

/** The present day in Lagos, in a sandbox by its own time. */
export const dayOf = (clock: Clock, aheadSeconds: bigint): string =>
  lagosDay(new Date(clock.now().getTime() + Number(aheadSeconds) * 1000));
