import { type CommitResult, type IdempotencyKey, type Ledger, readEntryBound } from '../ledger/index.ts';
import { ownersNoticeWrites } from '../mail/index.ts';
import { parseAmount } from '../money/index.ts';
import { type Clock, lagosClock, lagosDay, startOfLagosDay } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Secrets } from '../platform/secrets.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import type { WalletDirectory } from '../wallets/index.ts';
import { type Holidays, nextRun } from './calendar.ts';
import { settlementMovedOn } from './errors.ts';
import { readHolidays } from './holidays.ts';
import { readRule } from './rules.ts';
import {
  findSchedule,
  findSettings,
  insertSettings,
  type NextTurn,
  type Schedule,
  type SettingsRow,
  type SettlementRule,
  upsertSchedules,
} from './schedule-queries.ts';
import { type SettingsView, settingsView } from './views.ts';

/** Without settings, nothing is settled automatically. */
export const NOTHING_SET = { schedule: 'OFF', minimum_minor: 0n, keep_minor: 0n, time_of_day: '08:00' } as const;

/** The name under which checks depend on a merchant's turn, and movements that save settings change it. */
export const turnSubject = (tenant: Tenant): string => `merchant_settlement_turn/${tenantKey(tenant)}`;

/** Scope of unique keys: each version of a merchant's settings once. */
const VERSION_SCOPE = 'MERCHANT_SETTLEMENT_SETTINGS';

export interface SettingsChange {
  schedule?: Schedule;
  /** Naira. */
  minimum?: number;
  keepInWallet?: number;
  timeOfDay?: string;
}

export interface SettingsDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  secrets: Secrets;
  clock: Clock;
}

export async function readSettings(queries: Queries, { merchantId, mode }: Tenant): Promise<SettingsRow | undefined> {
  const [row] = await queries.query(findSettings, [merchantId, mode]);
  return row;
}

/** What a merchant has set, with the operator's minimum. */
export async function readSettingsView(
  deps: Pick<SettingsDeps, 'database' | 'clock'>,
  tenant: Tenant,
): Promise<SettingsView> {
  const [row, rule, [schedule]] = await Promise.all([
    readSettings(deps.database, tenant),
    readRule(deps, tenant, deps.clock.now()),
    deps.database.query(findSchedule, [tenant.merchantId, tenant.mode]),
  ]);
  return settingsView(row, { rule, schedule });
}

/** Whether settlements are automatic, for the Merchant object. */
export async function readAutoSettlement(queries: Queries, tenant: Tenant) {
  const schedule = (await readSettings(queries, tenant))?.schedule ?? 'OFF';
  return { autoSettlement: schedule === 'DAILY', autoInstantSettlement: schedule === 'INSTANT' };
}

/**
 * The next turn of a merchant, in the real time of the service. The days of a sandbox are those of its own time.
 * @param aheadSeconds how far the time of a sandbox was moved forward
 */
export function nextTurn(
  settings: Pick<SettingsRow, 'schedule' | 'time_of_day'>,
  rule: Pick<SettlementRule, 'windowSeconds'>,
  { now, aheadSeconds, holidays }: { now: Date; aheadSeconds: bigint; holidays: Holidays },
): Omit<NextTurn, 'result'> {
  const aheadMs = Number(aheadSeconds) * 1000;
  if (settings.schedule === 'OFF') return { due_at: null, cut_off: null, business_day: null };
  if (settings.schedule === 'INSTANT') {
    return { due_at: new Date(now.getTime() + rule.windowSeconds * 1000), cut_off: null, business_day: null };
  }
  const run = nextRun(new Date(now.getTime() + aheadMs), settings.time_of_day, holidays);
  const real = (moment: Date) => new Date(moment.getTime() - aheadMs);
  const cutOff = real(startOfLagosDay(run.day));
  // Where time was moved forward, what was booked until now belongs to an earlier day, whatever hour it was then.
  const isPassedOver = aheadMs > 0 && cutOff < now;
  return { due_at: real(run.at), cut_off: isPassedOver ? now : cutOff, business_day: run.day };
}

export interface ChangeInput<Changes = SettingsChange> {
  tenant: Tenant;
  changes: Changes;
  /** Who changes it, for the history and as the mail to the owners begins. */
  by: string;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Makes the next version of a merchant's settings; fields that are left out do not change. The first version sets where
 * settlements begin: with what is booked from the beginning of that day on. The owners are notified by mail.
 * @throws AppError `VALIDATION_FAILED`; 409 `MERCHANT_SETTLEMENT_MOVED_ON` where somebody else changed it at the same moment
 */
export async function changeSettings(deps: SettingsDeps, input: ChangeInput): Promise<CommitResult> {
  const { tenant, changes } = input;
  const at = deps.clock.now();
  const [before, [schedule], rule, holidays, { wallet }] = await Promise.all([
    readSettings(deps.database, tenant),
    deps.database.query(findSchedule, [tenant.merchantId, tenant.mode]),
    readRule(deps, tenant, at),
    readHolidays(deps, at),
    deps.wallets.requireTenantAccounts(tenant),
  ]);
  const begins = await readEntryBound(deps.database, tenant, wallet.id, startOfLagosDay(lagosDay(at)));
  const known = before ?? NOTHING_SET;
  const row: SettingsRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    version: (before?.version ?? 0) + 1,
    id: newId(),
    schedule: changes.schedule ?? known.schedule,
    minimum_minor: minorOf(changes.minimum, 'minimum') ?? known.minimum_minor,
    keep_minor: minorOf(changes.keepInWallet, 'keepInWallet') ?? known.keep_minor,
    time_of_day: changes.timeOfDay ?? known.time_of_day,
    changed_by: input.by,
    changed_at: at,
  };
  const next = nextTurn(row, rule, { now: at, aheadSeconds: schedule?.ahead_seconds ?? 0n, holidays });
  const scheduled = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    ...next,
    first_sequence: begins.sequence,
    first_balance_minor: begins.balanceMinor,
    updated_at: at,
  };
  const data = jsonOf(settingsView(row, { rule, schedule: { ...NO_PAUSE, ...schedule, ...next, result: null } }));
  const mails = await ownersNoticeWrites(
    { queries: deps.database, secrets: deps.secrets, clock: deps.clock },
    tenant.merchantId,
    (businessName) => notice(businessName, row),
  );
  return deps.ledger.commit({
    tenant,
    id: row.id,
    occurredAt: at.toISOString(),
    idempotency: input.idempotency,
    uniqueKeys: [{ scope: VERSION_SCOPE, value: String(row.version), refusal: settlementMovedOn }],
    changes: [turnSubject(tenant)],
    writes: [write(insertSettings, row), write(upsertSchedules, scheduled), ...mails],
    events: [{ id: newId(), type: 'merchant_settlement_settings.updated', subjectId: tenant.merchantId, data }],
    answer: { message: 'Settings of settlements saved' },
  });
}

const NO_PAUSE = { paused_reason: null, paused_since: null };

/** Zero is an amount here: no minimum of one's own, and nothing that stays. */
export function minorOf(naira: number | undefined, field: string): bigint | undefined {
  if (naira === undefined) return undefined;
  return naira === 0 ? 0n : parseAmount(naira, field);
}

const SCHEDULE_WORDS: Record<Schedule, (timeOfDay: string) => string> = {
  OFF: () => 'Nothing is settled by itself.',
  DAILY: (timeOfDay) => `What is collected is settled on each working day at ${timeOfDay}.`,
  INSTANT: () => 'What is collected is settled at once.',
};

function notice(businessName: string, { schedule, time_of_day, changed_by, changed_at, mode }: SettingsRow) {
  const where = mode === 'LIVE' ? 'live mode' : 'the sandbox';
  return {
    subject: `The settings of settlements of ${businessName} were changed`,
    paragraphs: [
      `${changed_by} changed in ${where}, on ${lagosClock(changed_at)} Lagos time, when collections of ${businessName} go to its bank account. ${SCHEDULE_WORDS[schedule](time_of_day)}`,
      'If nobody of your business was to change it, put it right under "Settlements" and look in the audit log who did.',
    ],
  };
}
