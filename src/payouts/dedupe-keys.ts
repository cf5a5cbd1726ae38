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

/** Scopes of keys, as `DedupeKeyRow` explains them; the others are days. */
const PAID = 'PAID';
export const WAITING = 'WAITING';
/** A list is made again hours later, a click seconds later: rows of two batches count this long, or the window. */
const LISTS_COUNT_FOR_MS = 24 * 60 * 60 * 1000;
/** A day more than the longest window. */
const KEPT_FOR_MS = 31 * 24 * 60 * 60 * 1000;
/** A check about it is never asked in the group of an earlier movement that dispatches a batch. */
export const BATCHES = 'BATCHES';
/** A check about it is never asked in the group of an earlier movement that notes any key. */
export const KEYS = 'DEDUPE_KEYS';

/** How long the same counts as a duplicate; zero is never. */
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

/** One amount to one account: what duplicates have in common. */
function dedupeValue(payout: Omit<Keyed, 'merchant_id' | 'mode' | 'id' | 'batch_id' | 'allow_duplicate'>): string {
  const { beneficiary_bank_code, beneficiary_account_number, amount_minor, currency } = payout;
  return [beneficiary_bank_code, beneficiary_account_number, amount_minor, currency].join(':');
}

/**
 * For the movement that accepts a payout to be paid at once, or at any moment until `waitsUntil`, when people have to
 * approve it first: takes its key, and refuses it with 409 `PAYOUT_DUPLICATE` where the same is paid within the window,
 * waits, or is about to be paid with a batch, however many come at once. One that is meant twice only takes its key.
 */
export function dedupeNow(payout: Keyed, at: Date, windows: Windows, waitsUntil?: Date): MovementParts {
  const moments = around(at, windows.windowMs);
  const asked = [PAID, WAITING, lagosDay(at)].map((scope) => ({ scope, ...moments, asks_batches: scope === PAID }));
  const key =
    waitsUntil === undefined ? { scope: PAID, from: at, until: at } : { scope: WAITING, from: at, until: waitsUntil };
  return joinParts(checksOf(payout, asked, at, windows), keysOf(payout, [key], windows));
}

/**
 * The same for a schedule made at `at` for `paidAt`, which is a duplicate of what is paid about then; and of what was
 * asked for just now and falls on the same day in Lagos. So twelve monthly salaries are none.
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
 * For one that was asked about when it was accepted and is paid at `at`: a schedule that fires, a payout that is
 * approved. Only what nobody can have known of then is refused: a payout that was not meant twice either.
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
 * For items of one dispatched batch that become payouts at `at`. What the dispatch knew of was said and allowed;
 * whatever took a key since, unseen, is passed to `refuse` by the places of `items`, from 1, and refuses the movement.
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
  // Items with one payment are one question: each by itself would pass over the keys of all that were opened before.
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

/**
 * Removes keys that no window reaches back to: none is longer than 30 days.
 * @returns how many.
 */
export async function sweepDedupeKeys({ database, clock }: Pick<LimitDeps, 'database' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - KEPT_FOR_MS);
  const [deleted] = await database.query(deleteOldDedupeKeys, [firstIdOf(before), before]);
  return deleted?.gone ?? 0;
}

/** Everything before is older than this. */
export const BEFORE_ALL_EVENTS = -1n;

/** A payout that ended without being paid releases what it took, and nobody else's. */
export function releaseDedupeKeys({ merchant_id, mode, id }: Keyed): Required<Pick<MovementParts, 'writes'>> {
  return { writes: [write(deleteDedupeKeys, { merchant_id, mode, subject_id: id, scope: null })] };
}

interface Asked
  extends Pick<KeyQuestion, 'scope' | 'from_at' | 'until_at' | 'batch_from_at' | 'asks_batches'>,
    Partial<Pick<KeyQuestion, 'unknown_since'>> {}

/** Ends left out: exactly a window later the same is no duplicate. */
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
