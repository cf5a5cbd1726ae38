import {
  type AttemptRow,
  insertAttempts,
  operatorReason,
  type PayoutDeps,
  type PayoutRecord,
  type PayoutStep,
  sealAttempt,
} from '../payouts/index.ts';
import type { Tx } from '../platform/db/database.ts';
import { rowsFor, type Statement, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { JobFailures } from '../platform/jobs/job-monitor.ts';
import { inHalves } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { RAIL_UNAVAILABLE, type RailCaller } from '../rails/index.ts';
import { type DelayRow, updateDelayReasons } from '../transactions/index.ts';
import { listDuePayees, listDuePayouts, lockDuePayouts, lockNamedPayouts, readInIndexOrder } from './due-queries.ts';
import { findOtherRail, maySendAgain } from './fail-over.ts';
import { insertRailReferences, type PayoutLease, updatePayoutsLeased, updatePayoutsPutOff } from './queries.ts';

/** After an error that says nothing about the payout, such as a database that was away. */
const STEP_DELAYS = { firstMs: 3_000, maxMs: 5 * 60_000 };

/** The reason that a merchant sees for a payout that fails again and again on our side. */
const DELAYED_BY_ERROR = 'DELAYED_BY_ERROR';

/** Failures of single payouts, at any step. */
export function failuresOfPayouts({ jobs }: Pick<PayoutDeps, 'jobs'>): JobFailures {
  return jobs.failuresOf('payouts.step', STEP_DELAYS);
}

/**
 * Counts a failure of ours with one payout; from the second on it is shown as the reason why the payout takes longer.
 * @returns for how many milliseconds it is left alone.
 */
export async function notePayoutFailure(
  deps: PayoutDeps,
  { merchant_id, mode, id }: Pick<PayoutRecord, 'merchant_id' | 'mode' | 'id'>,
  error: unknown,
  message: string,
): Promise<number> {
  const about = { message, merchantId: merchant_id, mode, payoutId: id };
  const delayMs = failuresOfPayouts(deps).failed(id, error, about);
  if (delayMs > STEP_DELAYS.firstMs) await noteDelays(deps, [{ merchant_id, mode, id, reason: DELAYED_BY_ERROR }]);
  return delayMs;
}

/** Shows why open payouts wait. No event: their states are unchanged. */
async function noteDelays(deps: PayoutDeps, delays: readonly Omit<DelayRow, 'at'>[]): Promise<void> {
  const at = deps.clock.now();
  const rows = delays.map((delay) => write(updateDelayReasons, { ...delay, at }).row);
  await deps.database.run(updateDelayReasons, rows).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'the reason of a delay was not noted');
  });
}

/**
 * How long a lease on a payout lasts when it is not renewed. A living worker renews it every few seconds, however long
 * the rail takes. So it is short: when a worker is killed, its payouts wait for this time.
 */
export const PAYOUT_LEASE_MS = 30_000;
/**
 * The reason that a merchant sees for a payout that waits for the operator's decision: it says nothing of the finding.
 */
const UNDER_REVIEW = 'UNDER_REVIEW';
/** When a payout that was put off is checked again. */
export const PUT_OFF_MS = 5 * 60_000;
/** The same where it may have left: its rail is asked then, perhaps for weeks. */
const ASKED_MEANWHILE_MS = 15 * 60_000;

/** A payout that this worker has until `leaseEndsAt`, with the step to take. */
export interface LeasedPayout {
  payout: PayoutRecord;
  step: PayoutStep;
  leaseId: string;
  /** Moves on while the lease is renewed. */
  leaseEndsAt: Date;
  /** The attempt of this call; a schedule that fires calls nobody. */
  attempt: AttemptRow | null;
  /** The values before the lease, restored where nothing was sent. */
  before: Pick<PayoutRecord, 'first_sent_at' | 'sent_at'>;
  /** From here on the rail may have been asked to send. */
  asked: boolean;
}

/**
 * Leases up to `limit` due payouts of one tenant, and commits the leases before any rail is called: a payout that is
 * about to be sent has to be queried from then on, even if this worker dies. Payouts for which no rail can be asked are
 * put off: those that a suspended merchant would send, and those of a rail that cannot be opened.
 */
export async function leasePayouts(deps: PayoutDeps, tenant: Tenant, limit: number): Promise<LeasedPayout[]> {
  await lookAhead(deps, tenant, limit);
  return leaseLocked(deps, [tenant], async (tx, now) => {
    const key = [tenant.merchantId, tenant.mode];
    const [, found] = await Promise.all([tx.query(readInIndexOrder), tx.query(lockDuePayouts, [...key, now, limit])]);
    return found;
  });
}

/**
 * Compares the names of the due payees with the lists before their rows are locked: with long lists that takes seconds.
 * What counts is still what is found under the lock, by the lists as they are read just before it.
 */
function lookAhead(deps: PayoutDeps, { merchantId, mode }: Tenant, limit: number): Promise<void> {
  return compareAhead(deps, mode, listDuePayees, [merchantId, mode, deps.clock.now(), limit]);
}

/** The same for the payees that `list` finds. Never rejects. */
export async function compareAhead(
  deps: PayoutDeps,
  mode: Mode,
  list: Statement<{ beneficiary_account_name: string }>,
  asked: readonly unknown[],
): Promise<void> {
  const listNames = async () => {
    const [, due] = await deps.database.transaction((tx) =>
      Promise.all([tx.query(readInIndexOrder), tx.query(list, asked)]),
    );
    return due.map((payout) => payout.beneficiary_account_name);
  };
  // The lease screens what was not compared ahead, and finds out which payout fails.
  await deps.payoutGuard.lookAhead(mode, listNames).catch((error: unknown) => {
    deps.logger.warn({ err: error, mode }, 'payees were not compared ahead');
  });
}

/** Leases the payouts of these tenants that `lock` finds and locks. */
export async function leaseLocked(
  deps: PayoutDeps,
  tenants: readonly Tenant[],
  lock: (tx: Tx, now: Date) => Promise<PayoutRecord[]>,
): Promise<LeasedPayout[]> {
  const now = deps.clock.now();
  const leaseId = newId();
  // Read here and reused for the rails below: no code waits for a second connection while it holds one.
  const suspended = new Set<string>();
  const lookUp = async (tenant: Tenant) => {
    const [isSuspended] = await Promise.all([deps.isSuspended(tenant.merchantId), deps.rails.listRails(tenant)]);
    if (isSuspended) suspended.add(tenant.merchantId);
  };
  const [hold] = await Promise.all([deps.payoutGuard.prepare(), ...tenants.map(lookUp)]);
  const { leased, delayed } = await deps.database.transaction(async (tx) => {
    const found = await lock(tx, now);
    // Of one that is asked about while it is held, whether it still is.
    const toLookAt = found.filter((payout) => stepOf(payout) === 'SEND' || payout.operator_reason === UNDER_REVIEW);
    const held = new Set<string>();
    // Of each merchant by itself, as the guard asks about its payments.
    for (const some of Map.groupBy(toLookAt, tenantKeyOf).values())
      for (const id of await hold(tx, some, now)) held.add(id);
    const rails = await railsOf(deps, found);
    const sorted = await Promise.all(
      found.map(async (payout) => {
        const isHeld = held.has(payout.id);
        const isSuspended = suspended.has(payout.merchant_id);
        const reason = await findWaitReason(deps, payout, { isSuspended, isHeld, rail: rails.get(payout.rail) });
        return { payout, reason };
      }),
    );
    const due = sorted.filter(({ reason }) => reason === undefined).map(({ payout }) => payout);
    const waiting = sorted.filter(({ reason }) => reason !== undefined);
    const leases = due.map((payout) => makeLease(payout, leaseId, now));
    const references = due.filter(
      (payout) => stepOf(payout) === 'SEND' && rails.get(payout.rail)?.echoesTenant !== true,
    );
    const putOff = waiting.map(({ payout, reason }) => putOffFrom(deps, payout, { now, reason }));
    const rows = leases.map(({ row }) => ({ ...row, ends_review: !held.has(row.id) }));
    const attempts = leases.flatMap((one) => one.attempt ?? []);
    await Promise.all([
      tx.run(...rowsFor(updatePayoutsPutOff, putOff)),
      tx.run(...rowsFor(updatePayoutsLeased, rows)),
      tx.run(...rowsFor(insertAttempts, attempts.map(sealAttempt))),
      tx.run(...rowsFor(insertRailReferences, references.map(referenceOf))),
    ]);
    return { leased: leases.map((one) => one.leased), delayed: waiting };
  });
  await noteDelays(
    deps,
    delayed.flatMap(({ payout: { merchant_id, mode, id }, reason }) =>
      reason === RAIL_UNAVAILABLE ? [{ merchant_id, mode, id, reason }] : [],
    ),
  );
  return leased;
}

const tenantKeyOf = (payout: PayoutRecord): string => tenantKey(tenantOf(payout));

/** Each rail once, by its name. */
export async function railsOf(deps: PayoutDeps, payouts: readonly PayoutRecord[]): Promise<Map<string, RailCaller>> {
  const byName = new Map(payouts.map(({ rail, mode }) => [rail, mode]));
  const found = await Promise.all(
    Array.from(byName, async ([name, mode]) => [name, await deps.rails.findRail(mode, name)] as const),
  );
  return new Map(found.flatMap(([name, rail]) => (rail === undefined ? [] : [[name, rail]])));
}

/**
 * Why no rail can be asked to send this payout, or queried about it; undefined where one can. A schedule needs no rail.
 */
async function findWaitReason(
  deps: PayoutDeps,
  payout: PayoutRecord,
  { isSuspended, isHeld, rail }: { isSuspended: boolean; isHeld: boolean; rail: RailCaller | undefined },
): Promise<'MERCHANT_SUSPENDED' | typeof UNDER_REVIEW | typeof RAIL_UNAVAILABLE | undefined> {
  const step = stepOf(payout);
  if (step === 'FIRE') return undefined;
  if (step === 'SEND' && isHeld) return UNDER_REVIEW;
  if (step === 'SEND' && isSuspended) return 'MERCHANT_SUSPENDED';
  if (rail !== undefined && rail.fault === undefined) return undefined;
  // A payout that was never sent can fail over: the worker that calls this rail learns that nothing left, and uses the
  // other.
  const goesOn = rail !== undefined && step === 'SEND' && payout.sent_at === null;
  return goesOn && (await findOtherRail(deps, payout)) !== undefined ? undefined : RAIL_UNAVAILABLE;
}

/**
 * A payout that may not be sent now, and that an earlier call may have sent, is asked about meanwhile, as any that is
 * open: its rail may have it after all.
 */
function putOffFrom(
  deps: PayoutDeps,
  payout: PayoutRecord,
  { now, reason }: { now: Date; reason: string | undefined },
) {
  const { merchant_id, mode, id } = payout;
  const isOpen = mayHaveLeft(payout);
  // A rail that cannot be opened is not asked either, so nothing is to be spared.
  const delayMs = isOpen && reason !== RAIL_UNAVAILABLE ? ASKED_MEANWHILE_MS : PUT_OFF_MS;
  const unknown = isOpen ? operatorReason(deps, payout) : null;
  return {
    merchant_id,
    mode,
    id,
    due_at: new Date(now.getTime() + delayMs),
    next_step: isOpen && stepOf(payout) === 'SEND' ? ('QUERY' as const) : null,
    operator_reason: unknown ?? (reason === UNDER_REVIEW ? UNDER_REVIEW : null),
    at: now,
  };
}

/** Whether a call that was made before may have sent it. */
function mayHaveLeft({ status, sent_at }: Pick<PayoutRecord, 'status' | 'sent_at'>): boolean {
  return status === 'PROCESSING' && sent_at !== null;
}

/** Whether a call before this lease may have sent it: then its rail is asked before it is sent again. */
export function mayHaveLeftBefore({ payout, before }: LeasedPayout): boolean {
  return mayHaveLeft({ status: payout.status, sent_at: before.sent_at });
}

/** A lease, in memory: `row` and `attempt` are what is written of it. */
export function makeLease(payout: PayoutRecord, leaseId: string, now: Date) {
  const step = stepOf(payout);
  const leaseEndsAt = new Date(now.getTime() + PAYOUT_LEASE_MS);
  const scope = { merchant_id: payout.merchant_id, mode: payout.mode };
  const firstSentAt = payout.first_sent_at ?? (step === 'SEND' ? now : null);
  // The latest time at which it may begin: where this worker dies, an answer of "not found" is judged by this time.
  const sentAt = step === 'SEND' ? leaseEndsAt : payout.sent_at;
  const row: PayoutLease = {
    ...scope,
    id: payout.id,
    lease_id: leaseId,
    due_at: leaseEndsAt,
    next_step: step === 'SEND' ? 'QUERY' : step,
    attempts: payout.attempts + (step === 'FIRE' ? 0 : 1),
    first_sent_at: firstSentAt,
    sent_at: sentAt,
  };
  const attempt: AttemptRow | undefined =
    step === 'FIRE'
      ? undefined
      : {
          ...scope,
          payout_id: payout.id,
          id: newId(),
          rail: payout.rail,
          kind: step,
          started_at: now,
          ...UNANSWERED,
        };
  const { first_sent_at, sent_at, due_at, next_step, attempts } = row;
  const leased: LeasedPayout = {
    payout: { ...payout, first_sent_at, sent_at, due_at, next_step, attempts },
    step,
    leaseId,
    leaseEndsAt,
    attempt: attempt ?? null,
    before: { first_sent_at: payout.first_sent_at, sent_at: payout.sent_at },
    asked: false,
  };
  return { row, attempt, leased };
}

/**
 * A payout that is still queued was never sent by any worker: it becomes `PROCESSING` before the rail is called, and of
 * two workers only one can take that step.
 */
function stepOf(payout: PayoutRecord): PayoutStep {
  if (payout.status === 'PROCESSING' && !maySendAgain(payout)) return 'QUERY';
  return payout.next_step === 'QUERY' && payout.status === 'QUEUED' ? 'SEND' : payout.next_step;
}

/** For rails whose provider webhooks do not say whose transfer they are about. */
export function referenceOf({ rail, rail_reference, merchant_id, mode, id: payout_id }: PayoutRecord) {
  return { rail, rail_reference, merchant_id, mode, payout_id };
}

export const UNANSWERED = {
  ended_at: null,
  outcome: null,
  code: null,
  reason: null,
  message: null,
  session_id: null,
  reported: null,
};

/** Payouts put aside in one turn: finding each takes some leases, and a tenant may have thousands of them. */
const MAX_PUT_ASIDE = 8;

/**
 * Leases due payouts of a tenant whose payouts could not be leased together: it finds by halves which of them fail, so
 * that the others are leased. A payout that cannot be leased alone is put aside unchanged, for a time that grows.
 * @throws the last failure, where everything that was tried failed.
 */
export async function leasePayoutsWithCare(deps: PayoutDeps, tenant: Tenant, limit: number): Promise<LeasedPayout[]> {
  const failures = failuresOfPayouts(deps);
  await lookAhead(deps, tenant, limit);
  const key = [tenant.merchantId, tenant.mode];
  const asked = [...key, deps.clock.now(), limit, failures.backingOffKeysOf(tenant)];
  const due = await deps.database.query(listDuePayouts, asked);
  const leased: LeasedPayout[] = [];
  let failed: unknown;
  let putAside = 0;

  async function leaseThese(ids: readonly string[]): Promise<void> {
    if (putAside === MAX_PUT_ASIDE) return;
    leased.push(...(await leaseLocked(deps, [tenant], (tx, now) => tx.query(lockNamedPayouts, [...key, now, ids]))));
  }

  async function cannotBeLeased(id: string, error: unknown): Promise<void> {
    failed = error;
    putAside += 1;
    await putOneAside(deps, tenant, id, error);
  }

  const ids = due.map(({ id }) => id);
  await inHalves(ids, leaseThese, cannotBeLeased).catch((error: unknown) => {
    failed = error;
  });
  if (failed !== undefined && leased.length === 0) throw failed as Error;
  return leased;
}

/** Makes the payout due later, so that it blocks no other. Where even that fails, this process skips it. */
async function putOneAside(deps: PayoutDeps, { merchantId, mode }: Tenant, id: string, error: unknown): Promise<void> {
  const payout = { merchant_id: merchantId, mode, id };
  const delayMs = await notePayoutFailure(deps, payout, error, 'a payout could not be leased');
  const now = deps.clock.now();
  const due_at = new Date(now.getTime() + delayMs);
  const row = { ...payout, due_at, next_step: null, operator_reason: null, at: now };
  await deps.database.run(updatePayoutsPutOff, [row]).catch(() => undefined);
}
