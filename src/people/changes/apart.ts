import type { Clock } from '../../platform/clock.ts';
import type { Queries } from '../../platform/db/database.ts';
import { secondPersonTooNew } from '../errors.ts';
import { listBroughtIn } from './queries.ts';

/** So long after one brought the other in, neither decides about what the other made: owners have time to notice. */
const APART_FOR_MS = 24 * 60 * 60 * 1000;

/** Somebody about whose work a person does not decide yet. */
export interface TooNear {
  personId: string;
  email: string;
  until: Date;
}

/** All of them, of whichever organization. */
export async function listTooNear(
  { queries, clock }: { queries: Queries; clock: Clock },
  personId: string,
): Promise<TooNear[]> {
  const since = new Date(clock.now().getTime() - APART_FOR_MS);
  const rows = await queries.query(listBroughtIn, [personId, since]);
  return rows.map((row) => ({
    personId: row.other_id,
    email: row.other_email,
    until: new Date(row.since.getTime() + APART_FOR_MS),
  }));
}

/**
 * That two people are two: neither brought the other in, or gave them more than they had, within the last 24 hours.
 * @param maker id or e-mail address of whoever made what is decided about; null where nobody is known.
 * @throws AppError 403 `SECOND_PERSON_TOO_NEW`.
 */
export async function requireApart(
  deps: { queries: Queries; clock: Clock },
  { decider, maker }: { decider: string; maker: string | null },
): Promise<void> {
  if (maker === null) return;
  const near = (await listTooNear(deps, decider)).find(({ personId, email }) => personId === maker || email === maker);
  if (near !== undefined) throw secondPersonTooNew(near.until);
}
