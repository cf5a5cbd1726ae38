import { reasonOf, requireOperator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Mode } from '../platform/tenant.ts';
import { computeClose } from './close-figures.ts';
import {
  closeChanged,
  closeNeedsAnother,
  closeNotFound,
  closeReopened,
  closeSigned,
  closeSignedTwice,
} from './errors.ts';
import { type DailyCloseRow, findClose, insertClose, updateCloseReopened, updateCloseSecond } from './queries.ts';

export interface CloseDeps {
  database: Database;
  clock: Clock;
}

/**
 * Signs the close of a day: exactly the figures whose digest somebody was shown, computed anew at this moment. Of two at once
 * one has signed it.
 * @returns the id of the close.
 * @throws AppError 403 `OPERATOR_NOT_FOUND`; 409 `CLOSE_DAY_NOT_OVER`, `CLOSE_CHANGED`, `CLOSE_SIGNED`.
 */
export async function signClose(
  deps: CloseDeps,
  { mode, day, digest, personId }: { mode: Mode; day: string; digest: string; personId: string },
): Promise<string> {
  const { database, clock } = deps;
  const { email } = await requireOperator(database, personId);
  const computed = await computeClose(deps, { mode, day });
  if (computed.digest !== digest) throw closeChanged();
  const values = [newId(), mode, day, computed.text, computed.digest, personId, email, clock.now()];
  const [made] = await database.query(insertClose, values);
  if (made === undefined) throw closeSigned();
  return made.id;
}

/**
 * Signs it beside the first: another person, who was shown the same digest.
 * @throws AppError 403 `OPERATOR_NOT_FOUND`, `SECOND_PERSON_NEEDED`; 404 `CLOSE_NOT_FOUND`; 409 `CLOSE_CHANGED`,
 *   `CLOSE_REOPENED`, `CLOSE_SIGNED_TWICE`.
 */
export async function signCloseSecond(
  { database, clock }: CloseDeps,
  { closeId, digest, personId }: { closeId: string; digest: string; personId: string },
): Promise<void> {
  const { email } = await requireOperator(database, personId);
  const close = await requireClose({ database }, closeId);
  if (close.signed_by === personId) throw closeNeedsAnother();
  if (close.figures_digest !== digest) throw closeChanged();
  const signed = await database.query(updateCloseSecond, [closeId, personId, email, clock.now()]);
  if (signed.length > 0) return;
  const { reopened_at: reopenedAt } = await requireClose({ database }, closeId);
  throw reopenedAt === null ? closeSignedTwice() : closeReopened();
}

/**
 * Says that a close counts no more, and why. It stays as it was signed; the day may be signed anew, as the next version.
 * @throws AppError 400 without a reason; 403 `OPERATOR_NOT_FOUND`; 404 `CLOSE_NOT_FOUND`; 409 `CLOSE_REOPENED`.
 */
export async function reopenClose(
  { database, clock }: CloseDeps,
  given: { closeId: string; reason: string; personId: string },
): Promise<void> {
  const reason = reasonOf(given.reason);
  const { email } = await requireOperator(database, given.personId);
  await requireClose({ database }, given.closeId);
  const values = [given.closeId, given.personId, email, clock.now(), reason];
  const reopened = await database.query(updateCloseReopened, values);
  if (reopened.length === 0) throw closeReopened();
}

/** @throws AppError 404 `CLOSE_NOT_FOUND`. */
export async function requireClose({ database }: Pick<CloseDeps, 'database'>, closeId: string): Promise<DailyCloseRow> {
  const [close] = await database.query(findClose, [closeId]);
  if (close === undefined) throw closeNotFound();
  return close;
}
