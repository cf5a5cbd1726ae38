import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { checkSignIn } from './check-sign-in.ts';
import { operatorNotFound } from './errors.ts';
import { findPerson } from './queries.ts';

/** One of the operator's staff who has proved it. */
export interface Operator {
  personId: string;
  email: string;
}

/**
 * Proves at the terminal that somebody is one of the operator's staff.
 * @throws AppError 401 `SIGN_IN_REFUSED`, the same for an unknown address, a merchant's person and a wrong password;
 *   423 `SIGN_IN_LOCKED`, also for an address that is nobody's.
 */
export async function authenticateOperator(
  deps: { database: Database; clock: Clock },
  input: { email: string; password: string },
): Promise<Operator> {
  const person = await checkSignIn(deps, { ...input, kind: 'OPERATOR' });
  return { personId: person.id, email: person.email };
}

/** The operator's person with this id, for whoever was handed an id. @throws AppError 403 `OPERATOR_NOT_FOUND`. */
export async function requireOperator(queries: Queries, personId: string): Promise<Operator> {
  const [person] = await queries.query(findPerson, [personId]);
  if (person === undefined || person.kind !== 'OPERATOR' || person.disabled_at !== null) throw operatorNotFound();
  return { personId: person.id, email: person.email };
}
