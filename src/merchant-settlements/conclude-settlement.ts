import { lockedCheck } from '../ledger/index.ts';
import { ownersNoticeWrites } from '../mail/index.ts';
import { formatMoney } from '../money/index.ts';
import { findPayout, type PayoutEndHook, type PayoutRecord } from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { tenantOf } from '../platform/tenant.ts';
import { nextRun } from './calendar.ts';
import type { SettlementDeps } from './deps.ts';
import { settlementMovedOn } from './errors.ts';
import { readHolidays } from './holidays.ts';
import { eventOf, settlementSubject } from './make-settlement.ts';
import {
  findSettlementsPaidAnew,
  type SettlementRow,
  type SettlementStatus,
  settlementStates,
  updateSettlementsDue,
  updateSettlementsEnded,
  updateSettlementsLookedAt,
} from './queries.ts';
import { findSchedule } from './schedule-queries.ts';
import { NOTHING_SET, readSettings } from './settings.ts';

/** Makes the settlement of a payout that ends due, in the same movement: a worker concludes it. */
export function createSettlementEndHook(): PayoutEndHook {
  return {
    writes({ merchant_id, mode, id: payout_id, purpose, created_at: due_at }) {
      return purpose === 'SETTLEMENT' ? [write(updateSettlementsEnded, { merchant_id, mode, payout_id, due_at })] : [];
    },
    committed: async () => undefined,
  };
}

/** The state of a settlement by that of its payout; undefined while it is unknown. */
function endOf({ status }: PayoutRecord): SettlementStatus | undefined {
  switch (status) {
    case 'SUCCESS':
      return 'PAID';
    case 'FAILED':
    case 'CANCELLED':
    case 'REVERSED':
      return 'FAILED';
    default:
      return undefined;
  }
}

/**
 * Brings a settlement to the state of its payout. One that failed is due again at the merchant's time on the next
 * working day, and its owners are notified. Doing it twice, however late, changes nothing: it is guarded by the
 * settlement's state, and by the payout still being its own, since a settlement that failed and was tried again is in
 * the same state as before.
 * @param row as it was leased: its `due_at` is the end of the lease
 * @returns whether it changed.
 */
export async function concludeSettlement(deps: SettlementDeps, row: SettlementRow): Promise<boolean> {
  const { merchant_id, mode, id, payout_id } = row;
  const [payout] = await deps.database.query(findPayout, [merchant_id, mode, payout_id]);
  if (payout === undefined) throw new Error(`settlement ${id} has no payout ${payout_id}`);
  const leased = { merchant_id, mode, id, payout_id, leased_until: row.due_at };
  const to = endOf(payout);
  if (to === undefined || to === row.status) {
    await deps.database.run(updateSettlementsLookedAt, [leased]);
    return false;
  }
  const at = deps.clock.now();
  const reason =
    to === 'PAID' ? null : payout.status === 'REVERSED' ? 'RETURNED_BY_BANK' : (payout.reason ?? 'PAYOUT_FAILED');
  const due_at = to === 'PAID' ? null : await againAt(deps, row, at);
  const ended: SettlementRow = { ...row, status: to, reason, due_at, updated_at: at };
  const tenant = tenantOf(row);
  try {
    await deps.ledger.commit({
      tenant,
      id: payout.id,
      occurredAt: at.toISOString(),
      checks: [ofItsPayout(row)],
      transitions: [{ machine: settlementStates, id, from: [row.status], to, reason, refusal: settlementMovedOn }],
      writes: [
        due_at === null
          ? write(updateSettlementsLookedAt, leased)
          : write(updateSettlementsDue, { merchant_id, mode, id, due_at }),
        ...(to === 'PAID' ? [] : await noticeWrites(deps, ended)),
      ],
      events: [eventOf(to === 'PAID' ? 'merchant_settlement.paid' : 'merchant_settlement.failed', ended, payout)],
      answer: success('Success'),
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'MERCHANT_SETTLEMENT_MOVED_ON') return false;
    throw error;
  }
}

/** Another payout of it may be made meanwhile, and the outcome of the one before says nothing about that. */
function ofItsPayout({ merchant_id, mode, id, payout_id }: SettlementRow) {
  return lockedCheck({
    question: findSettlementsPaidAnew,
    rows: [{ merchant_id, mode, id, payout_id }],
    about: [settlementSubject(id)],
    refusal: (found) => (found.length > 0 ? settlementMovedOn() : undefined),
  });
}

/** The next working day at the merchant's time; in a sandbox by its own time. */
export async function againAt(deps: SettlementDeps, { merchant_id, mode }: SettlementRow, now: Date): Promise<Date> {
  const tenant = { merchantId: merchant_id, mode };
  const [settings, [schedule], holidays] = await Promise.all([
    readSettings(deps.database, tenant),
    deps.database.query(findSchedule, [merchant_id, mode]),
    readHolidays(deps, now),
  ]);
  const aheadMs = Number(schedule?.ahead_seconds ?? 0n) * 1000;
  const { time_of_day: timeOfDay } = settings ?? NOTHING_SET;
  const run = nextRun(new Date(now.getTime() + aheadMs), timeOfDay, holidays);
  return new Date(run.at.getTime() - aheadMs);
}

function noticeWrites(deps: SettlementDeps, row: SettlementRow) {
  const on = { queries: deps.database, secrets: deps.secrets, clock: deps.clock };
  const amount = formatMoney(row.amount_minor, 'NGN');
  return ownersNoticeWrites(on, row.merchant_id, (businessName) => ({
    subject: `A settlement to the bank of ${businessName} failed`,
    paragraphs: [
      `${amount} could not be settled to ${row.account_name}, ${row.account_number} at ${row.bank_name}: ${row.reason}. The money is in your wallet.`,
      'It is tried again on the next working day. To try it at once, open "Settlements" in the dashboard.',
    ],
  }));
}
