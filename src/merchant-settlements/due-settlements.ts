import { readPayoutLimit } from '../limits/index.ts';
import { ownersNoticeWrites } from '../mail/index.ts';
import { formatMoney } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { startOfLagosDay } from '../platform/clock.ts';
import { columnArrays, type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { merchantsBackingOff, takeTurns } from '../platform/jobs/take-turns.ts';
import { jsonOf } from '../platform/json-text.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { lastRun } from './calendar.ts';
import { againAt, concludeSettlement } from './conclude-settlement.ts';
import type { SettlementDeps } from './deps.ts';
import { wordsOfPause } from './errors.ts';
import { readHolidays } from './holidays.ts';
import { dayOf, type Making, trySettlementAgain } from './make-settlement.ts';
import type { Planning } from './plan-settlement.ts';
import { leaseSettlement, listDueSettlements, type SettlementRow, updateSettlementsLater } from './queries.ts';
import {
  findLostTurns,
  leaseSchedule,
  listDueSchedules,
  type NextTurn,
  type ScheduleRow,
  type SettingsRow,
  updateSchedulesAdvanced,
  updateSchedulesNext,
  updateSchedulesPaused,
  updateSettlementsAdvanced,
} from './schedule-queries.ts';
import { nextTurn, readSettings } from './settings.ts';
import { type LeasedSchedule, settleChildren, settleWallet } from './settle-wallet.ts';
import { pauseView } from './views.ts';
import { checkPause } from './why-paused.ts';

/** Longer than a turn takes: after a crash of its worker, a merchant waits this long. */
const LEASE_MS = 60_000;
/** When a pause of settlements is checked again. */
const RECHECK_MS = 5 * 60_000;
/** Merchants in one run. */
const AT_ONCE = 200;
/** Merchants at once: a turn waits for a bank to say whose account it is, most of the time. */
const SLOTS = { LIVE: 8, SANDBOX: 4 };
/** The maker of settlements that nobody requested. */
const SERVICE = 'the schedule';

/**
 * Makes the due settlements of a mode. Merchants take turns, and each is leased, so that any number of workers may do
 * it at once; a merchant that fails is left alone for a time that grows, and takes no other's turn.
 * @returns how many were made.
 */
export async function settleDue(deps: SettlementDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const failures = deps.jobs.failuresOf('merchant-settlements.make');
  const due = await deps.database.query(listDueSchedules, [
    mode,
    deps.clock.now(),
    merchantsBackingOff(failures, mode),
    AT_ONCE,
  ]);
  return takeTurns<ScheduleRow>(due, {
    failures,
    stopped,
    slots: SLOTS,
    tenantOf,
    keyOf: (row) => tenantKey(tenantOf(row)),
    take: (row) => takeTurn(deps, row),
    aboutOf: (row) => ({ message: 'a settlement could not be made', ...tenantOf(row) }),
  });
}

async function takeTurn(deps: SettlementDeps, seen: ScheduleRow): Promise<number> {
  const leaseEnd = new Date(deps.clock.now().getTime() + LEASE_MS);
  const key = [seen.merchant_id, seen.mode, seen.due_at, leaseEnd];
  const [turn] = await deps.database.query(leaseSchedule, key);
  if (turn === undefined) return 0;
  const leased: LeasedSchedule = { ...turn, due_at: leaseEnd };
  const tenant = tenantOf(leased);
  const settings = await readSettings(deps.database, tenant);
  if (settings === undefined || settings.schedule === 'OFF') {
    await next(deps, leased, { due_at: null, cut_off: null, business_day: null, result: null });
    return 0;
  }
  const check = await checkPause(deps, tenant);
  if (check.paused !== null) {
    await pause(deps, leased, check.paused);
    return 0;
  }
  if (leased.paused_reason !== null) await resume(deps, leased, leaseEnd);
  return settle(deps, leased, settings, check);
}

/**
 * Makes a settlement of what was booked before the cut-off, or notes why there is none; with the next turn in the same
 * movement.
 */
async function settle(
  deps: SettlementDeps,
  schedule: LeasedSchedule,
  settings: SettingsRow,
  { account, rule }: Extract<Awaited<ReturnType<typeof checkPause>>, { paused: null }>,
): Promise<number> {
  const tenant = tenantOf(schedule);
  const now = deps.clock.now();
  const holidays = await readHolidays(deps, now);
  const following = nextTurn(settings, rule, { now, aheadSeconds: schedule.ahead_seconds, holidays });
  const { wallet } = await deps.wallets.requireTenantAccounts(tenant);
  // A worker that was away for days settles up to the last working day.
  const missed =
    schedule.ahead_seconds === 0n && schedule.business_day !== null
      ? lastRun(now, startOfLagosDay(schedule.business_day), settings.time_of_day, holidays)
      : undefined;
  const businessDay = missed?.day ?? schedule.business_day ?? dayOf(deps.clock, schedule.ahead_seconds);
  const cutOff = missed === undefined ? (schedule.cut_off ?? undefined) : startOfLagosDay(missed.day);
  const making: Making = {
    tenant,
    account,
    trigger: settings.schedule === 'INSTANT' ? 'INSTANT' : 'DAILY',
    businessDay,
    cutOff: cutOff ?? now,
    madeBy: SERVICE,
  };
  // Before the main wallet, whose settlement sets the next turn: after a crash all of them have this turn again.
  const children = await settleChildren(deps, { tenant, schedule, settings, rule, cutOff }, making, LEASE_MS);
  if (children === undefined) return 0;
  const planning = { tenant, walletId: wallet.id, schedule, settings, rule, cutOff };
  const own: LeasedSchedule = { ...schedule, due_at: children.until };
  let made: number;
  try {
    made = await settleMain(deps, own, planning, { ...making, leasedUntil: own.due_at, next: following });
  } catch (error) {
    // Another worker has the turn by now, or saved settings have set the next one.
    if (await isOurs(deps, own)) throw error;
    return children.made;
  }
  if (children.failure !== undefined) throw children.failure as Error;
  return children.made + made;
}

async function isOurs({ database }: SettlementDeps, { merchant_id, mode, due_at }: LeasedSchedule): Promise<boolean> {
  const values = columnArrays(findLostTurns, [{ merchant_id, mode, leased_until: due_at }]);
  return (await database.query(findLostTurns, values)).length === 0;
}

async function settleMain(
  deps: SettlementDeps,
  schedule: LeasedSchedule,
  planning: Planning,
  making: Making & { next: Omit<NextTurn, 'result'> },
): Promise<number> {
  try {
    const { nothing } = await settleWallet(deps, planning, making);
    if (nothing === null) return 1;
    await next(deps, schedule, { ...making.next, result: nothing });
    return 0;
  } catch (error) {
    const reason = pausingReason(error);
    if (reason === undefined) throw error;
    await pause(deps, schedule, reason);
    return 0;
  }
}

/**
 * The reason for a pause, where a payout was refused for something that has to end first; undefined for errors that are
 * only tried again.
 */
function pausingReason(error: unknown): string | undefined {
  if (!(error instanceof AppError)) return undefined;
  return error.kind === 'refused' || error.kind === 'not_found' ? error.code : undefined;
}

/** Changes nothing but the next turn. */
async function next(
  deps: SettlementDeps,
  { merchant_id, mode, due_at: leased_until }: LeasedSchedule,
  turn: Pick<ScheduleRow, 'due_at' | 'cut_off' | 'business_day' | 'result'>,
): Promise<void> {
  await deps.database.run(updateSchedulesNext, [
    { merchant_id, mode, ...turn, updated_at: deps.clock.now(), leased_until },
  ]);
}

/** Pauses settlements while something is against them; that is reported and mailed once. What was due stays due. */
async function pause(deps: SettlementDeps, schedule: ScheduleRow, reason: string): Promise<void> {
  const { merchant_id, mode } = schedule;
  const at = deps.clock.now();
  const paused = {
    merchant_id,
    mode,
    due_at: new Date(at.getTime() + RECHECK_MS),
    paused_reason: reason,
    paused_since: schedule.paused_reason === reason ? schedule.paused_since : at,
    updated_at: at,
  };
  if (schedule.paused_reason === reason) {
    await deps.database.run(updateSchedulesPaused, [paused]);
    return;
  }
  const on = { queries: deps.database, secrets: deps.secrets, clock: deps.clock };
  const mails = await ownersNoticeWrites(on, merchant_id, (businessName) => ({
    subject: `Settlements to the bank of ${businessName} are paused`,
    paragraphs: [wordsOfPause(reason), 'They go on by themselves when that is over. Your money is in your wallet.'],
  }));
  await report(deps, tenantOf(schedule), {
    type: 'merchant_settlement.paused',
    data: pauseView(tenantOf(schedule), reason, at),
    writes: [write(updateSchedulesPaused, paused), ...mails],
    at,
  });
}

async function resume(deps: SettlementDeps, schedule: ScheduleRow, due_at: Date): Promise<void> {
  const { merchant_id, mode } = schedule;
  const at = deps.clock.now();
  const row = { merchant_id, mode, due_at, paused_reason: null, paused_since: null, updated_at: at };
  await report(deps, tenantOf(schedule), {
    type: 'merchant_settlement.resumed',
    data: pauseView(tenantOf(schedule), schedule.paused_reason ?? '', at),
    writes: [write(updateSchedulesPaused, row)],
    at,
  });
}

interface Reported {
  type: string;
  data: object;
  writes: readonly Write[];
  at: Date;
}

async function report(deps: SettlementDeps, tenant: Tenant, { type, data, writes, at }: Reported): Promise<void> {
  await deps.ledger.commit({
    tenant,
    id: newId(),
    occurredAt: at.toISOString(),
    writes,
    events: [{ id: newId(), type, subjectId: tenant.merchantId, data: jsonOf(data) }],
    answer: success('Success'),
  });
}

/**
 * Concludes settlements whose payout ended, and makes another payout for those that failed and are due. Each fails
 * alone.
 * @returns for how many something was done.
 */
export async function followSettlements(deps: SettlementDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const failures = deps.jobs.failuresOf('merchant-settlements.follow');
  const due = await deps.database.query(listDueSettlements, [
    mode,
    deps.clock.now(),
    failures.backingOffKeys(),
    AT_ONCE,
  ]);
  return takeTurns<SettlementRow>(due, {
    failures,
    stopped,
    tenantOf,
    keyOf: ({ id }) => id,
    take: async (row) => ((await follow(deps, row)) ? 1 : 0),
    aboutOf: (row) => ({ message: 'a settlement could not be followed', ...tenantOf(row), settlementId: row.id }),
  });
}

async function follow(deps: SettlementDeps, row: SettlementRow): Promise<boolean> {
  const { merchant_id, mode, id } = row;
  const leaseEnd = new Date(deps.clock.now().getTime() + LEASE_MS);
  const leased = await deps.database.query(leaseSettlement, [merchant_id, mode, id, row.due_at, leaseEnd]);
  if (leased.length === 0) return false;
  if (row.status !== 'FAILED') return concludeSettlement(deps, { ...row, due_at: leaseEnd });
  const tenant = tenantOf(row);
  const check = await checkPause(deps, tenant);
  try {
    if (check.paused !== null) return await later(deps, row, leaseEnd);
    await trySettlementAgain(deps, row, { account: check.account });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'MERCHANT_SETTLEMENT_NOT_FAILED') return false;
    const isUncertain = error instanceof AppError && error.code === 'MERCHANT_SETTLEMENT_OUTCOME_UNCERTAIN';
    if (!isUncertain && pausingReason(error) === undefined) throw error;
    return (await isAboveLimit(deps, row, error)) ? untilRaised(deps, row, leaseEnd) : later(deps, row, leaseEnd);
  }
}

/** Whether a settlement exceeds the present limits, however much of a day is left: it goes whole or not at all. */
async function isAboveLimit(deps: SettlementDeps, row: SettlementRow, error: unknown): Promise<boolean> {
  const isLimit = error instanceof AppError && LIMIT_CODES.has(error.code);
  if (!isLimit) return false;
  const { perPayoutMinor, perDayMinor } = await readPayoutLimit(deps, tenantOf(row));
  return [perPayoutMinor, perDayMinor].some((limit) => limit !== null && row.amount_minor > limit);
}

const LIMIT_CODES: ReadonlySet<string> = new Set(['PAYOUT_LIMIT_EXCEEDED', 'DAILY_LIMIT_EXCEEDED']);

/**
 * Does not end by itself: those who can have the limit raised are notified, now and on each working day on which it
 * lasts.
 */
async function untilRaised(deps: SettlementDeps, row: SettlementRow, leased_until: Date): Promise<boolean> {
  const { merchant_id, mode, id, payout_id } = row;
  const due_at = await againAt(deps, row, deps.clock.now());
  const on = { queries: deps.database, secrets: deps.secrets, clock: deps.clock };
  const amount = formatMoney(row.amount_minor, 'NGN');
  const mails = await ownersNoticeWrites(on, merchant_id, (businessName) => ({
    subject: `A settlement to the bank of ${businessName} is above a limit`,
    paragraphs: [
      `${amount} could not be settled to ${row.account_name}, ${row.account_number} at ${row.bank_name}: it failed before, and is more than one payout, or the payouts of a day, may be by now. The money is in your wallet.`,
      'It is tried again on the next working day, and goes once the limit is raised. Please contact support, or change your own limit.',
    ],
  }));
  await deps.database.transaction(async (tx) => {
    await tx.run(updateSettlementsLater, [{ merchant_id, mode, id, payout_id, leased_until, due_at }]);
    for (const { into, row: mail } of mails) await tx.run(into, [mail]);
  });
  return false;
}

async function later(
  deps: SettlementDeps,
  { merchant_id, mode, id, payout_id }: SettlementRow,
  leased_until: Date,
): Promise<boolean> {
  const due_at = new Date(deps.clock.now().getTime() + RECHECK_MS);
  await deps.database.run(updateSettlementsLater, [{ merchant_id, mode, id, payout_id, leased_until, due_at }]);
  return false;
}

/** Writes that make settlements of a sandbox due so much earlier. */
export function settlementAdvanceWrites(tenant: Tenant, seconds: number, now: Date): Write[] {
  const row = { merchant_id: tenant.merchantId, mode: tenant.mode, seconds: BigInt(seconds), now };
  return [write(updateSchedulesAdvanced, row), write(updateSettlementsAdvanced, row)];
}
