import type { Clock } from '../platform/clock.ts';
import { type Database, violatedUnique } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { emailTaken } from './errors.ts';
import { insertPerson } from './queries.ts';
import { slowHash } from './slow-hash.ts';

/** Length is what makes a password strong; nothing else is asked of it. */
const MIN_PASSWORD_LENGTH = 12;

export type NewPerson = { email: string; password: string } & (
  | { kind: 'OPERATOR' }
  | { kind: 'MEMBER'; merchantId: string }
);

/** Someone who may sign in to the dashboard. @throws AppError 400 for a field that is wrong; 409 `EMAIL_TAKEN`. */
export async function createPerson(
  deps: { database: Database; clock: Clock },
  input: NewPerson,
): Promise<{ personId: string }> {
  const email = input.email.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw invalidField('email', 'must be an e-mail address');
  if (input.password.length < MIN_PASSWORD_LENGTH) {
    throw invalidField('password', `must have at least ${MIN_PASSWORD_LENGTH} characters`);
  }
  const personId = newId();
  const person = write(insertPerson, {
    id: personId,
    kind: input.kind,
    merchant_id: input.kind === 'MEMBER' ? input.merchantId : null,
    email,
    password_hash: await slowHash(input.password),
    created_at: deps.clock.now(),
  });
  try {
    await deps.database.run(person.into, [person.row]);
  } catch (error) {
    if (violatedUnique(error) === 'people_email_unique') throw emailTaken();
    throw error;
  }
  return { personId };
}
