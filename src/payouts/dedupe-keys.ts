import { joinParts, lockedCheck, type MovementParts, numberedWrite } from '../ledger/index.ts';
import { type LimitDeps, readLimit } from '../limits/index.ts';
import { lagosDay } from '../platform/clock.ts';
import { write } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import { firstIdOf } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  deleteDedupeKeys,
  deleteOldDedupeKeys,
  findTakenKeys,
  type KeyQuestion,
  upsertDedupeKeys,
} from './dedupe-key-queries.ts';
import { duplicateProblem, payoutDuplicate } from './errors.ts';
import type { PayoutRecord } from './queries.ts';

/** Scopes of keys, as `DedupeKeyRow` explains them; all others are days. */
const PAID = 'PAID';
export const WAITING = 'WAITING';
/**
 * A person uploads a list again hours later, and clicks twice within seconds: so between rows of two batches a
 * duplicate counts this long, or as long as the window where that is longer.
 */
const LISTS_COUNT_FOR_MS = 24 * 60 * 60 * 1000;
/** A day more than the longest window. */
const KEPT_FOR_MS = 31 * 24 * 60 * 60 * 1000;
/** A check about it is never asked in the group of an earlier movement that dispatches a batch. */
export const BATCHES = 'BATCHES';
/** A check about it is never asked in the group of an earlier movement that notes any key. */
export const KEYS = 'DEDUPE_KEYS';

/** How long the same payment counts as a duplicate; zero is never. */
export interface Windows {
  windowMs: number;
  /** Between rows of two batches. */
  listsMs: number;
}

type Keyed = Pick<
  PayoutRecord,
  | 'merchant_id'
  | 'mode'
  | 'id'
  | 'batch_id'
  | 'beneficiary_bank_code'
  | 'beneficiary_account_number'
  | 'amount_minor'
  | 'currency'
  | 'allow_duplicate'
>;

/** The windows in force now. */
export async function readWindows(deps: LimitDeps, tenant: Tenant): Promise<Windows> {
  const { duplicateWindowMs: windowMs } = await readLimit(deps, tenant);
  return { windowMs, listsMs: windowMs === 0 ? 0 : Math.max(windowMs, LISTS_COUNT_FOR_MS) };
}

/** The account and the amount of a payout: duplicates have this value in common. */
function dedupeValue(payout: Omit<Keyed, 'merchant_id' | 'mode' | 'id' | 'batch_id' | 'allow_duplicate'>): string {
  const { beneficiary_bank_code, beneficiary_account_number, amount_minor, currency } = payout;
  return [beneficiary_bank_code, beneficiary_account_number, amount_minor, currency].join(':');
}

/**
 * Parts of a movement that accepts a payout to be paid at once or, when people have to approve it first, at any time
 * until `waitsUntil`. They take its dedupe key, and refuse it with 409 `PAYOUT_DUPLICATE` where the same is paid within
 * the window, waits, or is about to be paid with a batch, however many requests come at once. A payout that allows
 * duplicates only takes its key.
 */
export function dedupeNow(payout: Keyed, at: Date, windows: Windows, waitsUntil?: Date): MovementParts {
  const moments = around(at, windows.windowMs);
  const asked = [PAID, WAITING, lagosDay(at)].map((scope) => ({ scope, ...moments, asks_batches: scope === PAID }));
  const key =
    waitsUntil === undefined ? { scope: PAID, from: at, until: at } : { scope: WAITING, from: at, until: waitsUntil };
  return joinParts(checksOf(payout, asked, at, windows), keysOf(payout, [key], windows));
}

/**
 * The same for a schedule made at `at` for `paidAt`. It is a duplicate of what is paid about that time, and of what was
 * requested just now for the same day in Lagos: so twelve monthly salaries are no duplicates.
 */
export function dedupeSchedule(payout: Keyed, at: Date, paidAt: Date, windows: Windows): MovementParts {
  const day = lagosDay(paidAt);
  const { windowMs } = windows;
  const [then, now] = [around(paidAt, windowMs), around(at, windowMs)];
  const soon = day === lagosDay(at) || paidAt.getTime() - at.getTime() < windowMs;
  const today = soon ? [PAID, WAITING].map((scope) => ({ scope, ...now, asks_batches: scope === PAID })) : [];
  const asked = [{ scope: PAID, ...then, asks_batches: false }, { scope: day, ...now, asks_batches: false }, ...today];
  const keys = [
    { scope: PAID, from: paidAt, until: paidAt },
    { scope: day, from: at, until: at },
  ];
  return joinParts(checksOf(payout, asked, at, windows), keysOf(payout, keys, windows));
}

/**
 * The same for a payout that was checked when it was accepted and is paid at `at`: a schedule that fires, a payout that
 * is approved. It is refused only for a payout that came after that check and does not allow duplicates either.
 */
export function dedupeApproved(payout: Keyed, at: Date, windows: Windows): MovementParts {
  const asked = [
    { scope: PAID, ...around(at, windows.windowMs), asks_batches: true, unknown_since: BEFORE_ALL_EVENTS },
  ];
  return joinParts(
    checksOf(payout, asked, at, windows),
    keysOf(payout, [{ scope: PAID, from: at, until: at }], windows),
    { writes: [write(deleteDedupeKeys, { ...scopeOf(payout), scope: WAITING })] },
  );
}

/**
 * The same for items of one dispatched batch that become payouts at `at`. Duplicates that the dispatch knew of were
 * shown and allowed. For a key that was taken since, `refuse` gets the places of the items, from 1, and makes the
 * refusal of the movement.
 */
export function dedupeItems(
  items: readonly Keyed[],
  at: Date,
  windows: Windows,
  { since, refuse }: { since: bigint; refuse: (places: readonly number[]) => AppError },
): MovementParts {
  const keys = items.map((item) => keysOf(item, [{ scope: PAID, from: at, until: at }], windows));
  if (windows.windowMs === 0) return joinParts(...keys);
  const { windowMs, listsMs } = windows;
  const asked = { scope: PAID, ...around(at, windowMs, listsMs), asks_batches: true, unknown_since: since };
  // Items with the same payment are asked about together: one question for each would skip the keys of all items
  // expanded before.
  const alike = [...Map.groupBy(items.keys(), (index) => nameOf(items[index] as Keyed)).values()];
  const check = lockedCheck({
    question: findTakenKeys,
    rows: alike.map(([first]) => questionOf(items[first as number] as Keyed, asked)),
    about: [BATCHES, ...items.map(nameOf)],
    refusal: (found) =>
      found.length === 0
        ? undefined
        : refuse(
            found.flatMap(({ place }) => (alike[place - 1] ?? []).map((index) => index + 1)).sort((a, b) => a - b),
          ),
  });
  return joinParts({ checks: [check] }, ...keys);
}

/** Removes keys that no window reaches back to: none is longer than 30 days. @returns how many. */
export async function sweepDedupeKeys({ database, clock }: Pick<LimitDeps, 'database' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - KEPT_FOR_MS);
  const [deleted] = await database.query(deleteOldDedupeKeys, [firstIdOf(before), before]);
  return deleted?.gone ?? 0;
}

/** Before every event. */
export const BEFORE_ALL_EVENTS = -1n;

/** A payout that ended without being paid releases its own dedupe keys. */
export function releaseDedupeKeys({ merchant_id, mode, id }: Keyed): Required<Pick<MovementParts, 'writes'>> {
  return { writes: [write(deleteDedupeKeys, { merchant_id, mode, subject_id: id, scope: null })] };
}

interface Asked
  extends Pick<KeyQuestion, 'scope' | 'from_at' | 'until_at' | 'batch_from_at' | 'asks_batches'>,
    Partial<Pick<KeyQuestion, 'unknown_since'>> {}

/** Both ends excluded: exactly a window later, the same payment is no duplicate. */
function around(at: Date, windowMs: number, listsMs = windowMs) {
  const moment = (milliseconds: number) => new Date(at.getTime() + milliseconds);
  return { from_at: moment(-windowMs), until_at: moment(windowMs), batch_from_at: moment(-listsMs) };
}

function checksOf(payout: Keyed, asked: readonly Asked[], at: Date, { windowMs }: Windows): MovementParts {
  if (payout.allow_duplicate || windowMs === 0) return {};
  const check = lockedCheck({
    question: findTakenKeys,
    rows: asked.map((one) => questionOf(payout, one)),
    about: [BATCHES, nameOf(payout)],
    refusal: ([taken]) => taken && payoutDuplicate(duplicateProblem(payout.amount_minor, taken, windowMs, at)),
  });
  return { checks: [check] };
}

function questionOf(payout: Keyed, asked: Asked): KeyQuestion {
  const { merchant_id, mode } = payout;
  const party_id = payout.batch_id ?? payout.id;
  return { unknown_since: null, ...asked, merchant_id, mode, value: dedupeValue(payout), party_id };
}

interface Taken {
  scope: string;
  from: Date;
  until: Date;
}

function keysOf(payout: Keyed, keys: readonly Taken[], { windowMs }: Windows): MovementParts {
  const { batch_id, allow_duplicate: is_meant } = payout;
  const value = dedupeValue(payout);
  const shared = { ...scopeOf(payout), value, batch_id, window_seconds: Math.floor(windowMs / 1000), is_meant };
  return {
    changes: [KEYS, nameOf(payout)],
    numbered: keys.map(({ scope, from, until }) =>
      numberedWrite(upsertDedupeKeys, { ...shared, scope, from_at: from, until_at: until }),
    ),
  };
}

const scopeOf = ({ merchant_id, mode, id }: Keyed) => ({ merchant_id, mode, subject_id: id });
const nameOf = (payout: Keyed): string => `DEDUPE ${dedupeValue(payout)}`;
