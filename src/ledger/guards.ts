import type { Queries } from '../platform/db/database.ts';
import { columnArrays, type SetQuestion, type Write, write } from '../platform/db/statement.ts';
import type { AppError } from '../platform/errors.ts';
import {
  deleteReservations,
  insertLimitUsages,
  insertReservations,
  type LimitUsageRow,
  type ReservationRow,
} from './guard-queries.ts';
import type { LimitUsage, LockedCheck, Movement, Reservation } from './movement.ts';

/**
 * The reservations and limit usages that the movements of a group name: read under the lock of the books, updated by
 * each movement that is applied, and written once for each row, however many movements of the group changed it.
 */
export interface GuardBooks {
  reservations: Map<string, HeldReservation>;
  limitUsages: Map<string, UsedLimit>;
}

/** `subject_id` is null once the reservation is released. */
type HeldReservation = Omit<ReservationRow, 'subject_id'> & { subject_id: string | null; touched: boolean };
type UsedLimit = LimitUsageRow & { touched: boolean };

const guardKey = (merchantId: string, mode: string, scope: string, name: string) =>
  `${merchantId}/${mode}/${scope}/${name}`;

export function guardBooks(reservations: readonly ReservationRow[], limitUsages: readonly LimitUsageRow[]): GuardBooks {
  return {
    reservations: new Map(
      reservations.map((row) => [
        guardKey(row.merchant_id, row.mode, row.scope, row.value),
        { ...row, touched: false },
      ]),
    ),
    limitUsages: new Map(
      limitUsages.map((row) => [
        guardKey(row.merchant_id, row.mode, row.scope, row.period),
        { ...row, touched: false },
      ]),
    ),
  };
}

/** The refusal of a movement by its reservations or limits. Changes nothing. */
export function checkGuards(movement: Movement, books: GuardBooks): AppError | undefined {
  for (const reservation of movement.reservations ?? []) {
    const holderId = findHolder(movement, reservation, books);
    if (holderId !== undefined) return reservation.refusal(holderId);
  }
  return movement.limitUsages && checkLimitUsages(movement, movement.limitUsages, books);
}

/**
 * The subject of another movement that holds the reservation at this time, also by a clock that runs ahead of this
 * movement's.
 */
function findHolder(movement: Movement, reservation: Reservation, books: GuardBooks): string | undefined {
  const { merchantId, mode } = movement.tenant;
  const noted = books.reservations.get(guardKey(merchantId, mode, reservation.scope, reservation.value));
  if (reservation.withinMs === null || noted === undefined || noted.subject_id === null) return undefined;
  if (noted.subject_id === (reservation.subjectId ?? movement.id)) return undefined;
  const ageMs = new Date(movement.occurredAt).getTime() - noted.reserved_at.getTime();
  return ageMs < reservation.withinMs ? noted.subject_id : undefined;
}

function checkLimitUsages(
  movement: Movement,
  limitUsages: readonly LimitUsage[],
  books: GuardBooks,
): AppError | undefined {
  const { merchantId, mode } = movement.tenant;
  // A movement may use one limit twice: its own uses count together.
  const used = new Map<string, bigint>();
  for (const { scope, period, amountMinor, limitMinor, refusal } of limitUsages) {
    const key = guardKey(merchantId, mode, scope, period);
    const before = used.get(key) ?? books.limitUsages.get(key)?.used_minor ?? 0n;
    if (amountMinor > 0n && limitMinor !== null && before + amountMinor > limitMinor) {
      return refusal(limitMinor - before);
    }
    used.set(key, usedAfter(before, amountMinor));
  }
  return undefined;
}

function usedAfter(usedMinor: bigint, amountMinor: bigint): bigint {
  const after = usedMinor + amountMinor;
  return after < 0n ? 0n : after;
}

/** Applies the releases, reservations and limit usages of a movement, in this order. */
export function applyGuards(movement: Movement, books: GuardBooks): void {
  const { merchantId, mode } = movement.tenant;
  for (const { scope, value, subjectId } of movement.releases ?? []) {
    const noted = books.reservations.get(guardKey(merchantId, mode, scope, value));
    if (noted?.subject_id !== subjectId) continue;
    noted.subject_id = null;
    noted.touched = true;
  }
  const reserved_at = new Date(movement.occurredAt);
  for (const { scope, value, subjectId = movement.id } of movement.reservations ?? []) {
    const row = { merchant_id: merchantId, mode, scope, value, subject_id: subjectId, reserved_at };
    books.reservations.set(guardKey(merchantId, mode, scope, value), { ...row, touched: true });
  }
  for (const { scope, period, amountMinor } of movement.limitUsages ?? []) {
    const key = guardKey(merchantId, mode, scope, period);
    const used_minor = usedAfter(books.limitUsages.get(key)?.used_minor ?? 0n, amountMinor);
    books.limitUsages.set(key, { merchant_id: merchantId, mode, scope, period, used_minor, touched: true });
  }
}

/** The writes for the reservations and limit usages that changed. */
export function guardWrites(books: GuardBooks | undefined): Write[] {
  const writes: Write[] = [];
  if (books === undefined) return writes;
  for (const { touched, subject_id, ...row } of books.reservations.values()) {
    if (!touched) continue;
    if (subject_id === null) writes.push({ into: deleteReservations, row });
    else writes.push(write(insertReservations, { ...row, subject_id }));
  }
  for (const { touched, ...row } of books.limitUsages.values()) {
    if (touched) writes.push(write(insertLimitUsages, row));
  }
  return writes;
}

type Found = { place: number };

/** What each check found, under the lock. */
export type CheckResults = ReadonlyMap<LockedCheck, readonly Found[]>;

/**
 * Asks the checks of a group, one statement for each question; undefined, without a statement, where no movement has
 * any.
 */
export async function readChecks(queries: Queries, movements: readonly Movement[]): Promise<CheckResults | undefined> {
  const byQuestion = new Map<LockedCheck['question'], LockedCheck[]>();
  for (const check of movements.flatMap(({ checks }) => checks ?? [])) {
    const same = byQuestion.get(check.question);
    if (same === undefined) byQuestion.set(check.question, [check]);
    else same.push(check);
  }
  if (byQuestion.size === 0) return undefined;
  const results = new Map<LockedCheck, Found[]>();
  await Promise.all(Array.from(byQuestion, ([question, checks]) => ask(queries, question, checks, results)));
  return results;
}

async function ask(
  queries: Queries,
  question: SetQuestion<never, Found>,
  checks: readonly LockedCheck[],
  results: Map<LockedCheck, Found[]>,
): Promise<void> {
  const owners = checks.flatMap((check) => check.rows.map((_, at) => ({ check, place: at + 1 })));
  for (const check of checks) results.set(check, []);
  // There are no rows to ask about; and where Citus distributes the database, a statement without merchants has no
  // shard.
  if (owners.length === 0) return;
  const values = columnArrays(
    question,
    checks.flatMap(({ rows }) => rows),
  );
  for (const found of await queries.query<Found>(question, values)) {
    const owner = owners[found.place - 1];
    if (owner !== undefined) results.get(owner.check)?.push({ ...found, place: owner.place });
  }
}

/** The refusal of a movement by its checks. */
export function checkLocked(movement: Movement, results: CheckResults | undefined): AppError | undefined {
  for (const check of movement.checks ?? []) {
    const found = results?.get(check);
    if (found === undefined) throw new Error(`movement ${movement.id}: ${check.question.name} was not asked`);
    const refusal = check.refusal(found);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * Lets movements into one group as long as none has a check about something that an earlier one of the group changes.
 */
export function createCheckOrder(): (movement: Movement) => boolean {
  const changed = new Set<string>();
  return ({ tenant, checks, changes }) => {
    const named = (name: string) => `${tenant.merchantId}/${tenant.mode}/${name}`;
    if (checks?.some(({ about }) => about.some((name) => changed.has(named(name))))) return false;
    for (const name of changes ?? []) changed.add(named(name));
    return true;
  };
}
